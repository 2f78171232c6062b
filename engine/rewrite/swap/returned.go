package swap

import (
	"bytes"
	"fmt"
)

// A save that an exchange displaced is put back under the note's name at once. But a program that read
// the note in between has read our bytes; if it now saves a new file over the name, it does so without
// ever having seen that save, which is then lost. So a copy of it is kept for the grace.

// mostReturned is how often putBack exchanges.
const mostReturned = 8

func backKind(n int) string { return fmt.Sprintf(".back%d", n) }

// keepReturned keeps copies of saves that were put back, under names that only a whole copy has. It
// ignores errors: the save is in the note, and the copy only matters if it is soon written over.
func (s Swapper) keepReturned(in Intention, returned [][]byte) {
	for n, data := range returned {
		part := siblingTemp(in.Temp, partKind)
		h, err := s.files.Create(part)
		if err != nil {
			return
		}
		_, err = h.WriteAt(data, 0)
		if err == nil {
			err = h.Sync()
		}
		if cerr := h.Close(); err == nil {
			err = cerr
		}
		if err == nil {
			err = s.files.Rename(part, siblingTemp(in.Temp, backKind(n)))
		}
		if err != nil {
			_ = s.dropTemp(part) // else it is swept as every other unfinished temp
			return
		}
	}
}

// settleReturned checks the copies again. A copy whose lines are all in the note is removed; otherwise
// it becomes a conflict copy. Questions do not count, for they may have been answered since; nor does
// a note that its user has removed.
func (s Swapper) settleReturned(in Intention) (conflict string, err error) {
	for n := range mostReturned {
		copied := siblingTemp(in.Temp, backKind(n))
		data, err := s.readContents(copied)
		if isGone(err) {
			return conflict, nil
		}
		if err != nil {
			return conflict, fmt.Errorf("read a copy: %w", err)
		}
		note, err := s.readContents(in.Path)
		if err != nil && !isGone(err) {
			return conflict, fmt.Errorf("read note: %w", err)
		}
		if isGone(err) || holdsLines(note, data) {
			err = s.dropTemp(copied)
		} else {
			conflict, err = s.keepBoth(in.Path, copied)
		}
		if err != nil {
			return conflict, err
		}
	}
	return conflict, nil
}

// holdsLines reports whether every line of part that says anything is a line of
// whole.
func holdsLines(whole, part []byte) bool {
	lines := make(map[string]bool)
	for line := range bytes.Lines(whole) {
		lines[string(bytes.TrimSpace(line))] = true
	}
	for line := range bytes.Lines(part) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && !bytes.Contains(line, []byte("@agent-")) && !lines[string(line)] {
			return false
		}
	}
	return true
}
