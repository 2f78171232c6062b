package swap

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// Recover is [Recover] on s's file operations.
func (s Swapper) Recover(in Intention) (Outcome, error) {
	out, err := s.recoverIntention(in)
	if err != nil {
		return out, err
	}
	conflict, err := s.settleReturned(in)
	out.Conflict = cmp.Or(out.Conflict, conflict)
	if err != nil {
		return out, fmt.Errorf("recover exchange: %w", err)
	}
	return out, nil
}

// recoverIntention is Recover without the copies of saves that were put back, which outlive an attempt
// that gives up.
func (s Swapper) recoverIntention(in Intention) (Outcome, error) {
	if err := s.checkReachable(in); err != nil {
		return Outcome{}, err
	}
	if there, err := s.fileExists(siblingTemp(in.Temp, keptKind)); there || err != nil {
		if err != nil {
			return Outcome{}, fmt.Errorf("recover exchange: %w", err)
		}
		return s.settleKept(in)
	}
	mended, err := s.mendExchange(in)
	if err != nil {
		return Outcome{Conflict: mended}, fmt.Errorf("recover exchange: %w", err)
	}
	// The exchange may have been tried first and found to be none; then this
	// intention has been followed by one with a temp of the base kind.
	base := siblingTemp(in.Temp, baseKind)
	follows, err := s.fileExists(base)
	if err != nil {
		return Outcome{Conflict: mended}, fmt.Errorf("recover exchange: %w", err)
	}
	end := s.recoverExchange
	if follows || in.Temp == base {
		in.Temp, end = base, s.recoverInPlace
	}
	out, err := end(in)
	out.Conflict = cmp.Or(out.Conflict, mended)
	if err != nil {
		return out, fmt.Errorf("recover exchange: %w", err)
	}
	return out, nil
}

// Settle is [Settle] on s's file operations.
func (s Swapper) Settle(in Intention) (Outcome, error) {
	if err := s.checkReachable(in); err != nil {
		return Outcome{}, err
	}
	out, err := s.settleKept(in)
	if err != nil {
		return out, err
	}
	conflict, err := s.settleReturned(in)
	out.Conflict = cmp.Or(out.Conflict, conflict)
	if err != nil {
		return out, fmt.Errorf("look at what was put back again: %w", err)
	}
	return out, nil
}

// settleKept ends what is left of an exchange that went well.
func (s Swapper) settleKept(in Intention) (Outcome, error) {
	conflict, err := s.settleTemp(in, siblingTemp(in.Temp, keptKind))
	if err != nil {
		return Outcome{Conflict: conflict}, fmt.Errorf("look at the displaced note again: %w", err)
	}
	note, err := s.stateOfNote(in)
	return Outcome{Written: note != IsBase, Note: note, Conflict: conflict}, err
}

// checkReachable tells an unmounted vault from one without the note and the temp: the temp may hold
// another program's text, and its intention must be kept until the vault is back.
func (s Swapper) checkReachable(in Intention) error {
	return s.checkVault(filepath.Dir(filepath.Dir(filepath.Dir(in.Temp))))
}

// checkVault returns [ErrVaultGone] for the folder of a vault that is not there: it is missing, or it
// is a mount point, which is empty except for the files of a probe.
func (s Swapper) checkVault(root string) error {
	entries, err := s.files.ReadDir(root)
	if err == nil && len(entries) == 1 && entries[0].Name() == vaultDir {
		var own []fs.DirEntry
		own, err = s.files.ReadDir(filepath.Join(root, vaultDir))
		if slices.ContainsFunc(own, func(e fs.DirEntry) bool { return e.Name() == tempsDir }) {
			return nil // notes were written here
		}
		entries = nil
	}
	if err == nil && len(entries) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return fmt.Errorf("%w: %v", ErrVaultGone, err)
	}
	return nil
}

// mendExchange completes an exchange that the system makes of several renames and that was cut short
// between them: the displaced file then has a third name.
func (s Swapper) mendExchange(in Intention) (conflict string, err error) {
	old := siblingTemp(in.Temp, oldKind)
	if _, err := s.files.Lstat(old); err != nil {
		if isGone(err) {
			return "", nil
		}
		return "", err
	}
	if _, err := s.files.Lstat(in.Temp); isGone(err) {
		return "", s.files.Rename(old, in.Temp)
	}
	if _, err := s.files.Lstat(in.Path); isGone(err) {
		return "", s.moveFile(old, in.Path)
	}
	return s.settleTemp(in, old)
}

// recoverExchange decides by the file under the temp's name: the new bytes were never exchanged or
// have been put back; the old bytes were displaced, so the exchange was done; anything else is a save
// that our exchange displaced.
func (s Swapper) recoverExchange(in Intention) (Outcome, error) {
	temp, err := s.hashFile(in.Temp)
	if err != nil && !isGone(err) {
		return Outcome{}, err
	}
	there := err == nil
	note, err := s.stateOfNote(in)
	if err != nil {
		return Outcome{}, err
	}
	if there && temp != in.Base && temp != in.New && note == IsNew {
		if _, err := s.putBack(in); err != nil {
			return Outcome{}, err
		}
	}
	conflict, err := s.settleTemps(in)
	if err != nil {
		return Outcome{Note: note, Conflict: conflict}, err
	}
	out := Outcome{Conflict: conflict}
	if out.Note, err = s.stateOfNote(in); err != nil {
		return out, err
	}
	out.Written = out.Note == IsNew || there && temp == in.Base && out.Note != IsBase
	return out, nil
}

// recoverInPlace restores a note that was left half-written. A note that is neither old nor new nor a
// mixture of both was saved by another program since. It is left alone, and the old bytes are kept
// beside it, for a part of them may be missing.
func (s Swapper) recoverInPlace(in Intention) (Outcome, error) {
	note, err := s.stateOfNote(in)
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{Note: note, Written: note == IsNew, InPlace: true}
	if note == Other {
		out.Conflict, err = s.restoreTorn(in)
	} else if note == IsNew {
		err = s.syncNote(in.Path)
	}
	if err != nil {
		return out, err
	}
	conflict, err := s.settleTemps(in)
	out.Conflict = cmp.Or(conflict, out.Conflict)
	if err != nil {
		return out, err
	}
	out.Note, err = s.stateOfNote(in)
	return out, err
}

// restoreTorn undoes a torn write, or keeps the old bytes as a conflict copy.
func (s Swapper) restoreTorn(in Intention) (conflict string, err error) {
	base, err := s.readContents(in.Temp)
	if isGone(err) || err == nil && sha256.Sum256(base) != in.Base {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	next, err := s.readContents(siblingTemp(in.Temp, newKind))
	if err != nil && !isGone(err) {
		return "", err
	}
	h, err := s.files.Open(in.Path, Alone)
	if err != nil {
		return "", err
	}
	defer h.Close()
	data, err := readAll(h)
	if err != nil {
		return "", err
	}
	if sha256.Sum256(next) == in.New && isTorn(data, base, next) {
		return "", writeContents(h, base, len(data))
	}
	if bytes.Equal(data, base) {
		return "", nil
	}
	return s.keepBoth(in.Path, in.Temp)
}

// syncNote makes a note's bytes durable that were found as they should be.
func (s Swapper) syncNote(path string) error {
	h, err := s.files.Open(path, Alone)
	if errors.Is(err, ErrBusy) {
		return nil // another program is saving on top; its save counts now
	}
	if err != nil {
		return err
	}
	defer h.Close()
	return h.Sync()
}

// settleTemps settles every temp of an attempt. At most one of them can hold words
// that are not ours.
func (s Swapper) settleTemps(in Intention) (conflict string, err error) {
	for _, kind := range []string{newKind, baseKind} {
		c, serr := s.settleTemp(in, siblingTemp(in.Temp, kind))
		if c != "" {
			conflict = c
		}
		err = errors.Join(err, serr)
	}
	return conflict, err
}

func (s Swapper) fileExists(name string) (bool, error) {
	_, err := s.files.Lstat(name)
	if isGone(err) {
		return false, nil
	}
	return err == nil, err
}

// stateOfNote says what the note holds.
func (s Swapper) stateOfNote(in Intention) (State, error) {
	sum, err := s.hashFile(in.Path)
	switch {
	case isGone(err):
		return Gone, nil
	case err != nil:
		return "", err
	case sum == in.New:
		return IsNew, nil
	case sum == in.Base:
		return IsBase, nil
	}
	return Other, nil
}

// readContents reads a whole file.
func (s Swapper) readContents(name string) ([]byte, error) {
	h, err := s.files.Open(name, Free)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	return readAll(h)
}
