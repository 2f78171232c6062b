package logfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"vaultdispatcher/engine/due"
)

// poll is how often a log is looked at that is followed.
const poll = 300 * time.Millisecond

// Reader reads the lines of a log, those that are still to come as well.
type Reader struct {
	path    string
	file    os.FileInfo // the file that was read last
	offset  int64       // how many bytes of it were read
	partial []byte      // a line whose end has not been written yet
}

// NewReader returns a reader of a log, which need not exist yet.
func NewReader(path string) *Reader { return &Reader{path: path} }

// Last returns the last n lines there are now, without their ends. What is written
// afterwards is left to Follow.
func (r *Reader) Last(n int) ([][]byte, error) {
	lines, err := r.readMore()
	for i := 1; i <= older && len(lines) < n && err == nil; i++ {
		var text []byte
		_, text, err = readNumbered(r.path, i)
		if errors.Is(err, os.ErrNotExist) {
			return lines, nil
		}
		before, _ := splitLines(text)
		lines = append(before, lines...)
	}
	return lines[max(0, len(lines)-n):], err
}

// Follow calls line for every line that is written from now on, until ctx ends,
// which is no error, or until line returns one.
func (r *Reader) Follow(ctx context.Context, line func([]byte) error) error {
	for {
		lines, err := r.readMore()
		if err != nil {
			return err
		}
		for _, l := range lines {
			if err := line(l); err != nil {
				return err
			}
		}
		if due.Sleep(ctx, poll) != nil {
			return nil
		}
	}
}

// readMore returns the lines that have come to an end since the last call.
func (r *Reader) readMore() ([][]byte, error) {
	file, err := os.Open(r.path)
	if errors.Is(err, os.ErrNotExist) || isBusy(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	now, err := file.Stat()
	if err != nil {
		return nil, err
	}
	var text []byte
	if r.file != nil && !os.SameFile(r.file, now) {
		if text, err = r.takeRemainder(now); err != nil {
			return nil, nil // the next call reads it: nothing was taken yet
		}
		r.offset = 0
	}
	if now.Size() < r.offset {
		r.offset = 0 // another process emptied it
	}
	fresh, err := io.ReadAll(io.NewSectionReader(file, r.offset, 1<<62))
	if err != nil {
		return nil, err
	}
	r.file, r.offset = now, r.offset+int64(len(fresh))
	lines, rest := splitLines(bytes.Join([][]byte{r.partial, text, fresh}, nil))
	r.partial = rest
	return lines, nil
}

// takeRemainder is what was written into the last file before it was set aside, and into those between
// it and the one that is read now. Files may be set aside meanwhile: they go to higher numbers, so that
// one may be met twice on the way up, and none is missed; those below the one that is read now are newer.
// An error says that the writer has one at this moment.
func (r *Reader) takeRemainder(now os.FileInfo) ([]byte, error) {
	var later [][]byte // the newest first
	var met []os.FileInfo
	for n := 1; n <= older; n++ {
		info, text, err := readNumbered(r.path, n)
		if isBusy(err) {
			return nil, err
		}
		if err != nil || slices.ContainsFunc(met, func(one os.FileInfo) bool { return os.SameFile(one, info) }) {
			continue // one that is gone has nothing to tell
		}
		if os.SameFile(info, now) {
			later = nil
			continue
		}
		if !os.SameFile(info, r.file) {
			met, later = append(met, info), append(later, text)
			continue
		}
		if int64(len(text)) < r.offset {
			return nil, nil
		}
		slices.Reverse(later)
		return bytes.Join(append([][]byte{text[r.offset:]}, later...), nil), nil
	}
	return nil, nil
}

func readNumbered(path string, n int) (info os.FileInfo, text []byte, err error) {
	file, err := os.Open(numberedPath(path, n))
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	if info, err = file.Stat(); err == nil {
		text, err = io.ReadAll(file)
	}
	return info, text, err
}

// splitLines takes text apart into lines without their ends, and what follows the last.
func splitLines(text []byte) (lines [][]byte, rest []byte) {
	for {
		line, after, ok := bytes.Cut(text, []byte("\n"))
		if !ok {
			return lines, text
		}
		lines, text = append(lines, line), after
	}
}
