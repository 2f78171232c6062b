package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/term"
)

// Output is standard output. It remembers the first write that failed and writes
// nothing after it, so the many small writes of a command need no checks of
// their own. On a terminal its lines end between words. One goroutine writes to it.
type Output struct {
	W     io.Writer
	err   error
	lines lines
	keeps bool // lines stay as they are
}

// KeepLines switches whether lines stay as they are: what is for programs, or to be copied.
func (o *Output) KeepLines(on bool) { o.keeps = on }

// Err returns why nothing more can be printed; nil = it can.
func (o *Output) Err() error { return o.err }

// Write implements [io.Writer].
func (o *Output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	text := p
	if columns := o.Columns(); columns >= leastColumns && !o.keeps {
		text = []byte(o.lines.breakText(string(p), columns))
	}
	_, err := o.W.Write(text)
	switch {
	case err == nil:
		return len(p), nil
	case hasReaderLeft(err):
		o.err = ErrReaderGone
	default:
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = path.Err
		}
		o.err = fmt.Errorf("cannot write the output: %w", err)
	}
	return 0, o.err
}

// ErrReaderGone means that the reader of the output has left, as head does when it has its lines. This failure needs
// no message.
var ErrReaderGone = errors.New("the output was closed")

// hasReaderLeft reports whether a write failed because the pipe's other end is closed.
// Windows has two words of its own for it.
func hasReaderLeft(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, syscall.EPIPE) ||
		runtime.GOOS == "windows" && (errors.Is(err, brokenPipe) || errors.Is(err, noData))
}

// IsTerminal reports whether w is a terminal that may be drawn on.
func IsTerminal(w io.Writer) bool {
	if out, ok := w.(*Output); ok {
		w = out.W
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// Columns is how many cells a line of the terminal has; 0 = the output is none, or nobody prints.
func (o *Output) Columns() int {
	if o == nil {
		return 0
	}
	f, ok := o.W.(*os.File)
	if !ok || !IsTerminal(o) {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// HasColour reports whether the output is a terminal that shows colours, and NO_COLOR does not forbid them
// (https://no-color.org). Of the consoles of Windows this is surely only Windows Terminal, which says so:
// https://terminfo.dev/device/env-wt-session
func (o *Output) HasColour() bool {
	return IsTerminal(o) && os.Getenv("NO_COLOR") == "" && (runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "")
}
