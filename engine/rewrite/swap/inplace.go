package swap

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
)

// inPlace is the way for hard links, for file systems without an exchange, for notes whose owner a new
// file cannot have and for those whose writers the system cannot tell: a program with such a note open
// continues to write to the same file. A crash can leave a mixture of old and new bytes, so both are
// kept beside it until the write is durable; an intention whose temp is of the base kind tells
// recovery that this way was taken.
func (a *attempt) inPlace() (Outcome, error) {
	a.Temp = siblingTemp(a.Temp, baseKind)
	if err := a.putTemp(a.Temp, a.base); err != nil {
		return a.endUnwritten(err)
	}
	err := a.files.SyncDir(filepath.Dir(a.Temp))
	if err == nil {
		err = a.log(a.Intention)
	}
	if err != nil {
		return a.endUnwritten(fmt.Errorf("record the intention: %w", err))
	}
	begun, err := a.overwriteNote()
	if err != nil && !begun {
		return a.endUnwritten(err)
	}
	var conflict string
	if err == nil {
		conflict, err = a.settleTemps(a.Intention)
	}
	if err != nil {
		return a.giveUp(err)
	}
	return Outcome{Written: true, Note: IsNew, InPlace: true, Conflict: conflict}, nil
}

// endUnwritten ends an attempt that has not written a byte to the note. A changed note was then
// changed by another program, and is no reason to keep the old bytes.
func (a *attempt) endUnwritten(cause error) (Outcome, error) {
	conflict, err := a.settleTemps(a.Intention)
	if err != nil {
		return Outcome{Conflict: conflict}, fmt.Errorf("%w; %w: %w", cause, ErrUnended, err)
	}
	out := Outcome{Conflict: conflict}
	if out.Note, err = a.stateOfNote(a.Intention); err != nil {
		return out, errors.Join(cause, err)
	}
	return out, cause
}

// overwriteNote writes the new bytes over the old ones while, if possible, no other program has the
// note open. It undoes a write that fails half-way on the spot. begun says whether anything of ours
// may be in the note.
func (a *attempt) overwriteNote() (begun bool, err error) {
	h, err := a.files.Open(a.Path, Alone)
	if err != nil {
		return false, fmt.Errorf("hold the note: %w", err)
	}
	defer func() {
		if cerr := h.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("close note: %w", cerr)
		}
	}()
	data, err := readAll(h)
	if err != nil {
		return false, fmt.Errorf("read note: %w", err)
	}
	if !bytes.Equal(data, a.base) {
		return false, ErrChanged
	}
	err = a.replaceContents(h)
	switch {
	case errors.Is(err, ErrChanged):
		return false, err
	case err != nil:
		err = fmt.Errorf("write note: %w", err)
		if back := writeContents(h, a.base, len(a.new)); back != nil {
			err = errors.Join(err, fmt.Errorf("restore note: %w", back))
		}
	}
	return true, err
}

// replaceContents handles a program that adds to the note's end unnoticed. A note that grows gets its
// new end first, at whatever is the end by then: if the end has moved, another program's text is in
// between, and ours is taken out again. The bytes written over after that belong to no other writer.
func (a *attempt) replaceContents(h Handle) error {
	common := min(len(a.base), len(a.new))
	if end := a.new[common:]; len(end) > 0 {
		at, err := h.Append(end)
		if err != nil {
			return err
		}
		if at != int64(common) {
			return takeOut(h, at, end)
		}
	}
	if _, err := h.WriteAt(a.new[:common], 0); err != nil {
		return err
	}
	if len(a.base) > common {
		if fi, err := h.Stat(); err != nil {
			return err
		} else if fi.Size() != int64(len(a.base)) {
			if _, err := h.WriteAt(a.base[:common], 0); err != nil {
				return err
			}
			return errors.Join(ErrChanged, h.Sync())
		}
		if err := h.Truncate(int64(common)); err != nil {
			return err
		}
	}
	return h.Sync()
}

// takeOut removes what was appended at the wrong place and returns ErrChanged.
func takeOut(h Handle, at int64, end []byte) error {
	data, err := readAll(h)
	if err != nil {
		return err
	}
	if int64(len(data)) < at || !bytes.HasPrefix(data[at:], end) {
		return errors.New("another program wrote the note at the same time")
	}
	rest := data[at+int64(len(end)):]
	if _, err := h.WriteAt(rest, at); err != nil {
		return err
	}
	if err := h.Truncate(at + int64(len(rest))); err != nil {
		return err
	}
	return errors.Join(ErrChanged, h.Sync())
}

// writeContents makes data a file's whole contents, without ever making it shorter than
// the shorter of both: the mixture it leaves when cut short can be recognised.
func writeContents(h Handle, data []byte, was int) error {
	if _, err := h.WriteAt(data, 0); err != nil {
		return err
	}
	if len(data) < was {
		if err := h.Truncate(int64(len(data))); err != nil {
			return err
		}
	}
	return h.Sync()
}

// isTorn reports whether data is what an overwrite of base by next can leave when
// it is cut short: at every place a byte of one of the two, or a zero where the
// file had just grown.
func isTorn(data, base, next []byte) bool {
	if len(data) < min(len(base), len(next)) || len(data) > max(len(base), len(next)) {
		return false
	}
	for i, b := range data {
		old := i < len(base) && base[i] == b
		grown := i >= len(base) && b == 0
		if !old && !grown && (i >= len(next) || next[i] != b) {
			return false
		}
	}
	return true
}
