package swap

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
)

// inPlace is the way for hard links and for file systems without an exchange.
// A crash can leave a mixture of old and new bytes, so both are kept beside it
// until the write is durable; an intention whose temp is of the base kind tells
// recovery that this way was taken.
func (a *attempt) inPlace() (Outcome, error) {
	before := a.Intention
	a.Temp = sibling(a.Temp, baseKind)
	if err := a.put(a.Temp, a.base); err != nil {
		a.Intention = before
		return a.giveUp(err)
	}
	err := a.files.SyncDir(filepath.Dir(a.Temp))
	if err == nil {
		err = a.log(a.Intention)
	}
	if err != nil {
		return a.giveUp(fmt.Errorf("record the intention: %w", err))
	}
	if err := a.overwrite(); err != nil {
		return a.giveUp(err)
	}
	conflict, err := a.sweep(a.Intention)
	return Outcome{Written: true, Note: IsNew, InPlace: true, Conflict: conflict}, err
}

// overwrite writes the new bytes over the old ones while, where that can be
// had, nobody else has the note open. What fails half-way is undone on the spot.
func (a *attempt) overwrite() (err error) {
	h, err := a.files.Open(a.Path, Alone)
	if err != nil {
		return fmt.Errorf("hold the note: %w", err)
	}
	defer func() {
		if cerr := h.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("close note: %w", cerr)
		}
	}()
	data, err := readAll(h)
	if err != nil {
		return fmt.Errorf("read note: %w", err)
	}
	if !bytes.Equal(data, a.base) {
		return ErrChanged
	}
	if err := fill(h, a.new, len(a.base)); err != nil {
		err = fmt.Errorf("write note: %w", err)
		if back := fill(h, a.base, len(a.new)); back != nil {
			err = errors.Join(err, fmt.Errorf("restore note: %w", back))
		}
		return err
	}
	return nil
}

// fill makes data a file's whole contents, without ever making it shorter than
// the shorter of both: the mixture it leaves when cut short can be recognised.
func fill(h Handle, data []byte, was int) error {
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

// torn reports whether data is what an overwrite of base by next can leave when
// it is cut short: at every place a byte of one of the two, or a zero where the
// file had just grown.
func torn(data, base, next []byte) bool {
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
