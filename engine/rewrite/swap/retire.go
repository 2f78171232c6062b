package swap

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path/filepath"
)

// Retire takes away a copy that was kept beside a note and whose words stand in
// the note by now. It goes where an exchange puts what it displaces, and like that
// it must go to [Settle] after [Grace]: a program that has it open may still write
// to it. Nothing is done with a copy that is no longer src, or that somebody has
// open for writing. engine is as in [Change].
func (s Swapper) Retire(root, note, engine string, src Source, log func(Intention) error) (Intention, error) {
	dir, err := s.tempDir(root)
	if err != nil {
		return Intention{}, err
	}
	h, err := s.files.Open(src.Path, Quiet)
	if err != nil {
		return Intention{}, fmt.Errorf("hold the copy: %w", err)
	}
	defer h.Close()
	data, err := readAll(h)
	if err != nil {
		return Intention{}, fmt.Errorf("read the copy: %w", err)
	}
	if !bytes.Equal(data, src.Data) {
		return Intention{}, ErrChanged
	}
	sum := sha256.Sum256(data)
	in := Intention{Path: note, Base: sum, New: sum}
	in.Temp = filepath.Join(dir, makeStem(engine, in)+newKind)
	if err := log(in); err != nil {
		return Intention{}, fmt.Errorf("record the intention: %w", err)
	}
	if err := s.files.Rename(src.Path, siblingTemp(in.Temp, keptKind)); err != nil {
		return Intention{}, fmt.Errorf("take the copy away: %w", err)
	}
	return in, nil
}
