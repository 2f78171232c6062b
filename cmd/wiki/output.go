package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/term"
)

// output is standard output. It remembers the first write that failed and writes
// nothing after it, so the many small writes of a command need no checks of
// their own. One goroutine writes to it.
type output struct {
	w   io.Writer
	err error
}

// Write implements [io.Writer].
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	switch {
	case err == nil:
		return n, nil
	case readerGone(err):
		o.err = errReaderGone
	default:
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = path.Err
		}
		o.err = fmt.Errorf("cannot write the output: %w", err)
	}
	return n, o.err
}

// isTerminal reports whether w is a terminal that may be drawn on.
func isTerminal(w io.Writer) bool {
	if out, ok := w.(*output); ok {
		w = out.w
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// hasColour reports whether w is a terminal that likes colour.
func hasColour(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }
