package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/texts"
)

// rawWords are words that only the system says.
var rawWords = []string{"errno", "no such file", "permission denied", "resource busy", "cannot find", "no space left", "input/output error", "is a directory", "not a directory", "read-only file system", "file exists", "open /", "rename /"}

// Whatever the system says, and however it is wrapped, no command prints it in the system's words.
func TestCommandsPrintPlainWords(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.ENOENT, syscall.EACCES, syscall.EPERM, syscall.EBUSY, syscall.ENOSPC, syscall.EIO, syscall.EROFS, syscall.EISDIR, syscall.ENOTDIR, syscall.EEXIST, syscall.Errno(4095)} {
		for _, err := range []error{
			&fs.PathError{Op: "open", Path: "/notes/a.md", Err: errno},
			&os.LinkError{Op: "rename", Old: "/notes/b", New: "/notes/a.md", Err: errno},
			os.NewSyscallError("fsync", errno), errno,
		} {
			if _, bare := err.(*fs.PathError); !bare && errno == 4095 {
				continue // it has no words, and no file
			}
			var out bytes.Buffer
			a := &command.App{Stderr: &out}
			for _, wrapped := range []error{err, fmt.Errorf("save: %w", err), errors.Join(errors.New("it failed"), err), command.Fail("do this", "save: %w", err)} {
				explain(t.Context(), a, wrapped)
				fmt.Fprintln(&out, texts.OneLine(wrapped))
			}
			for _, word := range rawWords {
				if strings.Contains(strings.ToLower(out.String()), word) {
					t.Errorf("%q is printed: %s", word, &out)
				}
			}
		}
	}
}
