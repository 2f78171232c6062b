package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// signFile has a file for Windows signed by the program that -sign names. That program
// gets the path of the file and the path for the signed one, and has the keys. Without
// one nothing is signed.
func (r *release) signFile(name string) error {
	if r.signer == "" {
		return nil
	}
	dir, err := r.makeFolder("signed")
	if err != nil {
		return err
	}
	signed := filepath.Join(dir, filepath.Base(name))
	said, err := exec.Command(r.signer, name, signed).CombinedOutput()
	if err == nil {
		err = takeSigned(name, signed)
	}
	if err != nil {
		return fmt.Errorf("%s was not signed by %s: %w%s", filepath.Base(name), filepath.Base(r.signer), err, lastLine(said))
	}
	r.tell("signed %s", filepath.Base(name))
	return nil
}

// takeSigned puts the signed file in the place of the other. It fails where
// the program reports success and has signed nothing.
func takeSigned(name, signed string) error {
	before, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	after, err := os.ReadFile(signed)
	if errors.Is(err, os.ErrNotExist) {
		return errors.New("it left no signed file")
	}
	if err == nil && (len(after) == 0 || bytes.Equal(before, after)) {
		err = errors.New("what it left has no signature")
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return errors.Join(os.Chmod(signed, info.Mode()), os.Rename(signed, name))
}

// lastLine returns the last line of a program's output, for the end of a sentence.
func lastLine(said []byte) string {
	said = bytes.TrimSpace(said)
	if len(said) == 0 {
		return ""
	}
	return ": " + strings.TrimSpace(string(said[bytes.LastIndexByte(said, '\n')+1:]))
}
