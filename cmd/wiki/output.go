package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/term"

	"vaultdispatcher/cmd/wiki/printable"
)

// errReaderGone says that whoever read our output has left, as head does when it
// has its lines. It is a failure nobody needs to be told of.
var errReaderGone = errors.New("the output was closed")

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

// readerGone says whether a write failed because the pipe's other end is closed.
// Windows has two words of its own for it.
func readerGone(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, syscall.EPIPE) ||
		runtime.GOOS == "windows" && (errors.Is(err, brokenPipe) || errors.Is(err, noData))
}

// show prints v as JSON when that was asked for, else as text.
func (a *app) show(v any, text func(w io.Writer)) error {
	if !a.json {
		text(a.stdout)
		return a.stdout.err
	}
	var encoded bytes.Buffer
	enc := json.NewEncoder(&encoded)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := a.stdout.Write(printable.JSON(encoded.Bytes()))
	return err
}

// showFound prints what was found out, unless it could not be.
func showFound[T any](a *app, found T, err error, text func(io.Writer, T)) error {
	if err != nil {
		return err
	}
	return a.show(found, func(w io.Writer) { text(w, found) })
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
