package swap

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A temp's name is <random>-<new>-<base>.<kind>: the hashes' first 16 digits
// say which contents are ours, so that even without an intention nothing else
// is ever removed. The kinds:
const (
	partKind = ".part" // still being written, nobody's yet
	newKind  = ".new"  // the new bytes; after an exchange what was displaced
	baseKind = ".base" // the old bytes of a note that is written in place
	oldKind  = ".old"  // Windows only: what was displaced, for a moment
	keptKind = ".kept" // what was displaced by an exchange that went well, for the grace
)

// Temps live in this folder of a vault.
const (
	vaultDir = ".vault-mind"
	tempsDir = "tmp"
)

var tempName = regexp.MustCompile(`^[0-9a-f]{16}-([0-9a-f]{16})-([0-9a-f]{16})\.(part|new|base|old|kept|back[0-7])$`)

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

// prepareTemp writes the new bytes to a temp and makes them durable, before any
// lease is taken: whoever wants to save the note must not wait for our disk.
func (a *attempt) prepareTemp(root string) error {
	dir, err := a.tempDir(root)
	if err != nil {
		return err
	}
	a.Temp = filepath.Join(dir, makeStem(a.Intention)+newKind)
	return a.putTemp(a.Temp, a.new)
}

// makeStem makes up the part of a temp's name that all kinds share.
func makeStem(in Intention) string {
	var salt [8]byte
	rand.Read(salt[:])
	return fmt.Sprintf("%x-%x-%x", salt, in.New[:8], in.Base[:8])
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

// settleTemp ends a temp's life. It is removed if it holds the old or the new bytes
// and nobody is writing to it; in every other case somebody's words are in it,
// or about to be, and it becomes a conflict copy beside the note, whose path is
// returned.
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

// CleanTemps removes temps in a vault that were left before their intention was
// recorded, if they are older than olderThan and known (the temps of open
// intentions) does not name them. A temp whose contents are not ours is not
// removed but returned in kept.
func CleanTemps(root string, known []string, olderThan time.Duration) (kept []string, err error) {
	return On(nil).CleanTemps(root, known, olderThan)
}

// CleanTemps is [CleanTemps] on s's file operations.
func (s Swapper) CleanTemps(root string, known []string, olderThan time.Duration) (kept []string, err error) {
	top, err := s.files.Resolve(root)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrVaultGone, err)
	}
	dir := filepath.Join(top, vaultDir, tempsDir)
	entries, err := s.files.ReadDir(dir)
	if isGone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list temps: %w", err)
	}
	open := func(name string) bool {
		return slices.ContainsFunc(known, func(k string) bool {
			return siblingTemp(filepath.Base(k), "") == siblingTemp(name, "")
		})
	}
	for _, e := range entries {
		fi, ierr := e.Info()
		if ierr != nil || !fi.Mode().IsRegular() || time.Since(fi.ModTime()) < olderThan || open(e.Name()) {
			continue
		}
		temp := filepath.Join(dir, e.Name())
		ok, cerr := s.cleanTemp(temp)
		if !ok {
			kept = append(kept, temp)
		}
		err = errors.Join(err, cerr)
	}
	return kept, err
}

// cleanTemp removes one stray temp and reports whether it was ours to remove.
func (s Swapper) cleanTemp(temp string) (bool, error) {
	m := tempName.FindStringSubmatch(filepath.Base(temp))
	if m == nil {
		return false, nil
	}
	if m[3] == partKind[1:] {
		return true, s.dropTemp(temp)
	}
	sum, err := s.hashFile(temp)
	if err != nil {
		return false, err
	}
	if digits := hex.EncodeToString(sum[:8]); digits != m[1] && digits != m[2] {
		return false, nil
	}
	return true, s.dropTemp(temp)
}
