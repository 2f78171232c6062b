package swap

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path/filepath"
)

// Retire removes a copy that was kept beside a note and whose text is in the note by now. It moves the
// copy to where an exchange puts the displaced file, and like that it must be settled ([Settle]) after
// [Grace]: a program that has it open may still write to it. Retire leaves a copy alone that is no
// longer src, or that a program has open for writing. engine is as in [Change].
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
