package logfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"time"
)

// poll is how often a log is looked at that is followed.
const poll = 300 * time.Millisecond

// Reader reads the lines of a log, those that are still to come as well.
type Reader struct {
	path    string
	file    os.FileInfo // the file that was read last
	offset  int64       // what was read of it
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
		text, err = os.ReadFile(numberedPath(r.path, i))
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
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(poll):
		}
	}
}

// readMore returns the lines that have come to an end since the last call.
func (r *Reader) readMore() ([][]byte, error) {
	file, err := os.Open(r.path)
	if errors.Is(err, os.ErrNotExist) {
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
		text = r.takeRemainder()
		r.offset = 0
	}
	if now.Size() < r.offset {
		r.offset = 0 // emptied by somebody
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

// takeRemainder is what was written into the last file before it was set aside.
func (r *Reader) takeRemainder() []byte {
	for n := 1; n <= older; n++ {
		info, err := os.Stat(numberedPath(r.path, n))
		if err != nil || !os.SameFile(info, r.file) {
			continue
		}
		text, err := os.ReadFile(numberedPath(r.path, n))
		if err != nil || int64(len(text)) < r.offset {
			return nil
		}
		return text[r.offset:]
	}
	return nil
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
