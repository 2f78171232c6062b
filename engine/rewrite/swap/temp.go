package swap

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// A temp's name is <engine>-<run><random>-<new>-<base>.<kind>. The hashes' first 16 digits
// say which contents are ours, so that even without an intention nothing else
// is ever removed. The engine is missing where the caller named none; the run, 8 digits, is that of
// the process. The kinds:
const (
	partKind = ".part" // still being written, without an owner yet
	newKind  = ".new"  // the new bytes; after an exchange the displaced ones
	baseKind = ".base" // the old bytes of a note that is written in place
	oldKind  = ".old"  // Windows only: the displaced file, for a moment
	keptKind = ".kept" // the file displaced by a successful exchange, for the grace
)

// Temps live in this folder of a vault.
const (
	vaultDir = ".vault-mind"
	tempsDir = "tmp"
)

var tempName = regexp.MustCompile(`^(?:([0-9a-f]{16})-)?([0-9a-f]{8})[0-9a-f]{8}-([0-9a-f]{16})-([0-9a-f]{16})\.(part|new|base|old|kept|back[0-7])$`)

// thisRun is in the names of this process's temps: one of them may be at work.
var thisRun = newSalt()

// newSalt returns 8 random digits.
func newSalt() string {
	var salt [4]byte
	rand.Read(salt[:])
	return hex.EncodeToString(salt[:])
}

// siblingTemp returns the temp of another kind that belongs to the same attempt.
func siblingTemp(temp, kind string) string {
	return strings.TrimSuffix(temp, filepath.Ext(temp)) + kind
}

// tempDir makes sure of the folder for temps: in the vault, since only names of
// one file system can be exchanged, and hidden, so that no note app shows it.
func (s Swapper) tempDir(root string) (string, error) {
	top, err := s.files.Resolve(root)
	if err != nil {
		return "", fmt.Errorf("%w: %v", ErrVaultGone, err)
	}
	dir := filepath.Join(top, vaultDir)
	if err := s.files.Mkdir(dir, 0o755); err != nil {
		return "", fmt.Errorf("make folder for temps: %w", err)
	}
	dir = filepath.Join(dir, tempsDir)
	if err := s.files.Mkdir(dir, 0o700); err != nil {
		return "", fmt.Errorf("make folder for temps: %w", err)
	}
	return dir, nil
}

// prepareTemp writes the new bytes to a temp and makes them durable, before it takes a lease: a
// program that wants to save the note must not wait for our disk.
func (a *attempt) prepareTemp(root string) error {
	dir, err := a.tempDir(root)
	if err != nil {
		return err
	}
	a.Temp = filepath.Join(dir, makeStem(a.engine, a.Intention)+newKind)
	return a.putTemp(a.Temp, a.new)
}

// makeStem makes up the part of a temp's name that all kinds share.
func makeStem(engine string, in Intention) string {
	if engine != "" {
		engine += "-"
	}
	return fmt.Sprintf("%s%s%s-%x-%x", engine, thisRun, newSalt(), in.New[:8], in.Base[:8])
}

// putTemp writes a temp under a name that says it is not finished, gives it the
// note's mode, owner and attributes, and renames it when it is durable.
func (a *attempt) putTemp(temp string, data []byte) error {
	part := siblingTemp(temp, partKind)
	h, err := a.files.Create(part)
	if err != nil {
		return fmt.Errorf("create temp: %w", err)
	}
	err = a.fillTemp(h, data)
	if cerr := h.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = a.files.Rename(part, temp)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write temp: %w", err), a.dropTemp(part))
	}
	return nil
}

func (a *attempt) fillTemp(h Handle, data []byte) error {
	note, err := a.files.Open(a.Path, Free)
	if err != nil {
		return err
	}
	defer note.Close()
	if _, err := h.WriteAt(data, 0); err != nil {
		return err
	}
	err = h.Like(note)
	if errors.Is(err, errOwner) {
		a.foreign, err = true, nil
	}
	if err != nil {
		return fmt.Errorf("keep mode and attributes: %w", err)
	}
	return h.Sync()
}

// dropTemp removes a temp that cannot hold anything but our own bytes.
func (s Swapper) dropTemp(temp string) error {
	if err := s.files.Remove(temp); err != nil && !isGone(err) {
		return fmt.Errorf("remove temp: %w", err)
	}
	return nil
}

// settleTemp ends a temp's life. It removes a temp that holds the old or the new bytes and that no
// program is writing to. In every other case another program's text is in it, or about to be, and it
// becomes a conflict copy beside the note, whose path is returned.
func (s Swapper) settleTemp(in Intention, temp string) (conflict string, err error) {
	h, err := s.files.Open(temp, Quiet)
	switch {
	case isGone(err):
		return "", nil
	case errors.Is(err, ErrBusy):
		return s.keepBoth(in.Path, temp)
	case err != nil:
		return "", fmt.Errorf("open temp: %w", err)
	}
	defer h.Close()
	data, err := readAll(h)
	if err != nil {
		return "", fmt.Errorf("read temp: %w", err)
	}
	sum := sha256.Sum256(data)
	if (sum != in.Base && sum != in.New) || !h.Undisturbed() {
		return s.keepBoth(in.Path, temp)
	}
	return "", s.dropTemp(temp)
}
