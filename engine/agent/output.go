package agent

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/printed"
	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/wording"
)

// capped keeps what a program prints up to a limit. Beyond it everything is
// taken and dropped, so the program never blocks, and what was kept is given
// back to the collector.
type capped struct {
	limit int64
	full  func() // called once, when the limit is passed

	mu     sync.Mutex // guards the fields below: a child that was left behind may still write
	data   []byte
	passed bool
}

func (w *capped) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.passed:
	case int64(len(w.data)+len(p)) > w.limit:
		w.passed, w.data = true, nil
		w.full()
	default:
		w.data = append(w.data, p...)
	}
	return len(p), nil
}

func (w *capped) isOver() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.passed
}

func (w *capped) bytes() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.data
}

// heard gives each line of a program's output to its listener, and keeps the lines that the listener does not take.
type heard struct {
	buffer *capped

	mu   sync.Mutex // guards the fields below, as in capped
	hear func(line []byte) bool
	line []byte // that has no end yet
}

func (w *heard) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for rest := p; len(rest) > 0; {
		at := bytes.IndexByte(rest, '\n') + 1
		if w.hear == nil || at == 0 && int64(len(w.line)+len(rest)) > w.buffer.limit {
			w.keep(rest)
			break
		}
		if at == 0 {
			w.line = append(w.line, rest...)
			break
		}
		if w.line, rest = append(w.line, rest[:at]...), rest[at:]; w.hear(w.line) {
			w.line = w.line[:0]
		}
		w.keep(nil)
	}
	return len(p), nil
}

// keep keeps the line, and what follows it. It is for callers that hold mu.
func (w *heard) keep(more []byte) {
	for _, part := range [][]byte{w.line, more} {
		_, _ = w.buffer.Write(part) // cannot fail
	}
	w.line = w.line[:0]
}

// end keeps a last line without an end, and removes the listener.
func (w *heard) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hear = nil
	w.keep(nil)
}

// maxTail is how much of standard error is kept: its last line is wanted.
const maxTail = 8 << 10

// tail keeps the end of the text that is written to it, and gives each line to its listener.
type tail struct {
	mu   sync.Mutex // guards the fields below, as in capped
	data []byte
	hear func(line []byte) // nil = no listener
	line []byte            // that has no end yet, as far as it is kept
}

func (w *tail) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.data = append(w.data, p[max(0, len(p)-maxTail):]...)
	if len(w.data) > maxTail {
		w.data = append(w.data[:0], w.data[len(w.data)-maxTail:]...)
	}
	for rest := p; w.hear != nil && len(rest) > 0; {
		line, more, whole := bytes.Cut(rest, []byte("\n"))
		w.line = append(w.line, line[:min(len(line), maxTail-len(w.line))]...)
		if rest = more; whole {
			w.hear(w.line)
			w.line = w.line[:0]
		}
	}
	return len(p), nil
}

// end ends the hearing.
func (w *tail) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hear = nil
}

// bytes returns a copy: a child that was left behind may still write.
func (w *tail) bytes() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.data)
}

// maxDetail is the number of characters of a [Failure.Detail].
const maxDetail = 200

// Detail is the last line of a program's words that says something, fit for
// [Failure.Detail].
func Detail(text string) string { return lastLine([]byte(text)) }

// lastLine returns the last line that says something, fit to be shown. The trace below an error says nothing to a person.
func lastLine(out []byte) string {
	said := printed.Plain(string(out[max(0, len(out)-maxTail):]))
	lines := strings.FieldsFunc(cmp.Or(endings.CutTraces(said), said), func(r rune) bool { return r == '\n' })
	for i := len(lines) - 1; i >= 0; i-- {
		if !replies.Blank(lines[i]) {
			return wording.Shorten(cleanLine(lines[i]), maxDetail)
		}
	}
	return ""
}
