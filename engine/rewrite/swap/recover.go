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
	out, err := s.recover(in)
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

// recover is Recover but for the copies of what was put back, which outlive an
// attempt that gives up.
func (s Swapper) recover(in Intention) (Outcome, error) {
	if err := s.reachable(in); err != nil {
		return Outcome{}, err
	}
	if there, err := s.exists(sibling(in.Temp, keptKind)); there || err != nil {
		if err != nil {
			return Outcome{}, fmt.Errorf("recover exchange: %w", err)
		}
		return s.settleKept(in)
	}
	mended, err := s.mend(in)
	if err != nil {
		return Outcome{Conflict: mended}, fmt.Errorf("recover exchange: %w", err)
	}
	// The exchange may have been tried first and found to be none; then this
	// intention has been followed by one with a temp of the base kind.
	base := sibling(in.Temp, baseKind)
	follows, err := s.exists(base)
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
	if err := s.reachable(in); err != nil {
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
	conflict, err := s.settle(in, sibling(in.Temp, keptKind))
	if err != nil {
		return Outcome{Conflict: conflict}, fmt.Errorf("look at the displaced note again: %w", err)
	}
	note, err := s.state(in)
	return Outcome{Written: note != IsBase, Note: note, Conflict: conflict}, err
}

// reachable tells an unmounted vault from one in which the note and the temp are
// gone: the temp may hold somebody's words, and its intention must stay until the
// vault is back.
func (s Swapper) reachable(in Intention) error {
	return s.present(filepath.Dir(filepath.Dir(filepath.Dir(in.Temp))))
}

// present returns [ErrVaultGone] for the folder of a vault that is not there: it is
// missing, or it is a mount point, which is empty but for what a probe leaves.
func (s Swapper) present(root string) error {
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

// mend completes an exchange that the system makes of several renames and that
// was cut short between them: what was displaced then has a third name.
func (s Swapper) mend(in Intention) (conflict string, err error) {
	old := sibling(in.Temp, oldKind)
	if _, err := s.files.Lstat(old); err != nil {
		if gone(err) {
			return "", nil
		}
		return "", err
	}
	if _, err := s.files.Lstat(in.Temp); gone(err) {
		return "", s.files.Rename(old, in.Temp)
	}
	if _, err := s.files.Lstat(in.Path); gone(err) {
		return "", s.move(old, in.Path)
	}
	return s.settle(in, old)
}

// recoverExchange goes by what lies under the temp's name: the new bytes were
// never exchanged or have been put back; the old bytes were displaced, so the
// exchange was done; anything else is a save that our exchange displaced.
func (s Swapper) recoverExchange(in Intention) (Outcome, error) {
	temp, err := s.sum(in.Temp)
	if err != nil && !gone(err) {
		return Outcome{}, err
	}
	there := err == nil
	note, err := s.state(in)
	if err != nil {
		return Outcome{}, err
	}
	if there && temp != in.Base && temp != in.New && note == IsNew {
		if _, err := s.putBack(in); err != nil {
			return Outcome{}, err
		}
	}
	conflict, err := s.sweep(in)
	if err != nil {
		return Outcome{Note: note, Conflict: conflict}, err
	}
	out := Outcome{Conflict: conflict}
	if out.Note, err = s.state(in); err != nil {
		return out, err
	}
	out.Written = out.Note == IsNew || there && temp == in.Base && out.Note != IsBase
	return out, nil
}

// recoverInPlace restores a note that was left half-written. A note that is
// neither old nor new nor a mixture of both was saved by somebody since; it
// stays, and the old bytes stay beside it, for a part of them may be missing.
func (s Swapper) recoverInPlace(in Intention) (Outcome, error) {
	note, err := s.state(in)
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{Note: note, Written: note == IsNew, InPlace: true}
	if note == Other {
		out.Conflict, err = s.restore(in)
	} else if note == IsNew {
		err = s.flush(in.Path)
	}
	if err != nil {
		return out, err
	}
	conflict, err := s.sweep(in)
	out.Conflict = cmp.Or(conflict, out.Conflict)
	if err != nil {
		return out, err
	}
	out.Note, err = s.state(in)
	return out, err
}

// restore undoes a torn write, or keeps the old bytes as a conflict copy.
func (s Swapper) restore(in Intention) (conflict string, err error) {
	base, err := s.contents(in.Temp)
	if gone(err) || err == nil && sha256.Sum256(base) != in.Base {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	next, err := s.contents(sibling(in.Temp, newKind))
	if err != nil && !gone(err) {
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
	if sha256.Sum256(next) == in.New && torn(data, base, next) {
		return "", fill(h, base, len(data))
	}
	if bytes.Equal(data, base) {
		return "", nil
	}
	return s.keepBoth(in.Path, in.Temp)
}

// flush makes a note's bytes durable that were found as they should be.
func (s Swapper) flush(path string) error {
	h, err := s.files.Open(path, Alone)
	if errors.Is(err, ErrBusy) {
		return nil // somebody is saving on top; theirs is what counts now
	}
	if err != nil {
		return err
	}
	defer h.Close()
	return h.Sync()
}

// sweep settles every temp of an attempt. At most one of them can hold words
// that are not ours.
func (s Swapper) sweep(in Intention) (conflict string, err error) {
	for _, kind := range []string{newKind, baseKind} {
		c, serr := s.settle(in, sibling(in.Temp, kind))
		if c != "" {
			conflict = c
		}
		err = errors.Join(err, serr)
	}
	return conflict, err
}

func (s Swapper) exists(name string) (bool, error) {
	_, err := s.files.Lstat(name)
	if gone(err) {
		return false, nil
	}
	return err == nil, err
}

// state says what the note holds.
func (s Swapper) state(in Intention) (State, error) {
	sum, err := s.sum(in.Path)
	switch {
	case gone(err):
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

// contents reads a whole file.
func (s Swapper) contents(name string) ([]byte, error) {
	h, err := s.files.Open(name, Free)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	return readAll(h)
}
