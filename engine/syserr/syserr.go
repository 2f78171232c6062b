// Package syserr says in words for a person what the system or SQLite said in its own.
//
//	syserr.Plain(err) // "write the note: another program has /notes/a.md in use"
//	syserr.Raw(err)   // what the log gets: the same error in the system's words
//
// People see [Plain] of an error; logs get [Raw]. The words of this program around the cause are in both.
package syserr

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"strings"
	"syscall"
)

// Plain is the text of an error with what the system or SQLite said in words for a person. It is
// empty for none.
func Plain(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	visit(err, func(e error) bool {
		said := sentenceOf(e)
		if said != "" && e.Error() != "" {
			text = strings.ReplaceAll(text, e.Error(), said)
		}
		return said == ""
	})
	return text
}

// Raw is the text of an error, and in brackets what the system or SQLite said where that text leaves it out.
func Raw(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	visit(err, func(e error) bool {
		if sentenceOf(e) == "" {
			return true
		}
		if !strings.Contains(text, e.Error()) {
			text += " (" + e.Error() + ")"
		}
		return false
	})
	return text
}

// IsWorded reports whether Plain leaves out something that belongs into a log.
func IsWorded(err error) bool { return Plain(err) != Raw(err) }

// ForPeople is a slog.HandlerOptions.ReplaceAttr for a log that people read on a console.
func ForPeople(_ []string, a slog.Attr) slog.Attr { return replace(a, Plain) }

// ForLog is one for a log file.
func ForLog(_ []string, a slog.Attr) slog.Attr { return replace(a, Raw) }

func replace(a slog.Attr, say func(error) string) slog.Attr {
	if err, ok := a.Value.Any().(error); ok && err != nil {
		a.Value = slog.StringValue(say(err))
	}
	return a
}

// visit calls see for an error and, where that returns true, for what it wraps.
func visit(err error, see func(error) bool) {
	if _, ofConnection := err.(*net.OpError); ofConnection || err == nil || !see(err) {
		return
	}
	switch w := err.(type) {
	case interface{ Unwrap() error }:
		visit(w.Unwrap(), see)
	case interface{ Unwrap() []error }:
		for _, e := range w.Unwrap() {
			visit(e, see)
		}
	}
}

// sentenceOf says what an error of the system or of SQLite means, and nothing of any other.
func sentenceOf(err error) string {
	switch e := err.(type) {
	case *fs.PathError:
		return explain(e.Err, e.Path)
	case *os.LinkError:
		return explain(e.Err, e.New)
	case *os.SyscallError:
		return explain(e.Err, "")
	case syscall.Errno:
		return explain(e, "")
	case interface{ Code() int }:
		if fmt.Sprintf("%T", err) == "*sqlite.Error" { // only some rooms know the driver
			return explainSQLite(e.Code(), err.Error())
		}
	}
	return ""
}

// explain words a cause about a file, or about nothing in particular. What has no words here is
// the system's refusal where it is about a file, and is left as it is elsewhere: of connections
// others tell.
func explain(cause error, path string) string {
	words := wordsOf(cause)
	switch {
	case path == "":
		return strings.ReplaceAll(strings.ReplaceAll(words, " of %s", ""), "%s", "it")
	case words == "":
		words = "the system refuses what was to be done with %s"
	}
	return strings.ReplaceAll(words, "%s", path)
}

func wordsOf(cause error) string {
	switch {
	case errors.Is(cause, fs.ErrNotExist):
		return "%s is not there"
	case errors.Is(cause, fs.ErrExist):
		return "%s is there already"
	case errors.Is(cause, fs.ErrPermission):
		return "this user may not use %s"
	}
	var number syscall.Errno
	if errors.As(cause, &number) {
		return words[number]
	}
	return ""
}

const (
	inUse   = "another program has %s in use"
	full    = "there is no room left on the disk of %s"
	guarded = "the disk of %s is read-only"
	failing = "the disk of %s does not work as it should"
	away    = "the disk of %s does not answer"
)

// explainSQLite words a result code: https://www.sqlite.org/rescode.html
func explainSQLite(code int, text string) string {
	const ofTrigger = 1811 // a trigger's message has its author's words
	switch code & 0xff {
	case 5, 6: // BUSY, LOCKED
		return "another program holds the database locked"
	case 7: // NOMEM
		return "there is not enough memory"
	case 8: // READONLY
		return "the database may not be written"
	case 9: // INTERRUPT
		return "it was broken off"
	case 10: // IOERR
		return "the disk of the database does not work as it should"
	case 11, 26: // CORRUPT, NOTADB
		return "the database is damaged"
	case 13: // FULL
		return "there is no room left on the disk of the database"
	case 14: // CANTOPEN
		return "the database cannot be opened"
	}
	const refused = "the database does not take it"
	if code == ofTrigger {
		text, _, _ = strings.Cut(strings.TrimPrefix(text, "constraint failed: "), " (")
		return refused + ": " + text
	}
	return refused
}
