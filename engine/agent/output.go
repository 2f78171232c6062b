package agent

import (
	"bytes"
	"slices"
	"strings"
	"sync"

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
	kept   []byte
	passed bool
}

func (w *capped) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.passed:
	case int64(len(w.kept)+len(p)) > w.limit:
		w.passed, w.kept = true, nil
		w.full()
	default:
		w.kept = append(w.kept, p...)
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
	return w.kept
}

// heard hands each line of what a program prints to whoever hears it, and keeps those
// that are not taken.
type heard struct {
	kept *capped

	mu   sync.Mutex // guards the fields below, as in capped
	hear func(line []byte) bool
	line []byte // that has no end yet
}

func (w *heard) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for rest := p; len(rest) > 0; {
		at := bytes.IndexByte(rest, '\n') + 1
		if w.hear == nil || at == 0 && int64(len(w.line)+len(rest)) > w.kept.limit {
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
		_, _ = w.kept.Write(part) // cannot fail
	}
	w.line = w.line[:0]
}

// end keeps a last line without an end. Nobody hears what comes then.
func (w *heard) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hear = nil
	w.keep(nil)
}

// maxTail is how much of standard error is kept: its last line is wanted.
const maxTail = 8 << 10

// tail keeps the end of what is written to it, and hands its lines to whoever hears them.
type tail struct {
	mu   sync.Mutex // guards the fields below, as in capped
	kept []byte
	hear func(line []byte) // nil = nobody
	line []byte            // that has no end yet, as far as it is kept
}

func (w *tail) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.kept = append(w.kept, p[max(0, len(p)-maxTail):]...)
	if len(w.kept) > maxTail {
		w.kept = append(w.kept[:0], w.kept[len(w.kept)-maxTail:]...)
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
	return slices.Clone(w.kept)
}

// maxDetail is the number of characters of a [Failure.Detail].
const maxDetail = 200

// Detail is the last line of a program's words that says something, fit for
// [Failure.Detail].
func Detail(text string) string { return lastLine([]byte(text)) }

// CleanOutput returns a program's words as a terminal would show them: without
// escape sequences and control characters, in valid UTF-8.
func CleanOutput(text string) string { return stripANSI(text) }

// lastLine returns the last line that says something, fit to be shown.
func lastLine(out []byte) string {
	out = out[max(0, len(out)-maxTail):]
	lines := strings.FieldsFunc(stripANSI(string(out)), func(r rune) bool { return r == '\n' })
	for i := len(lines) - 1; i >= 0; i-- {
		if !replies.Blank(lines[i]) {
			return wording.Shorten(cleanLine(lines[i]), maxDetail)
		}
	}
	return ""
}

// stripANSI returns what a terminal would show as text: without escape
// sequences, their eight-bit forms and control characters, in valid UTF-8. The
// text of a hyperlink stays. A sequence without an end takes only its beginning
// with it, so a stray escape character cannot swallow an answer. Line ends
// become "\n", a lone carriage return among them.
func stripANSI(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	var out strings.Builder
	for len(text) > 0 {
		at := strings.IndexFunc(text, isControl)
		if at < 0 {
			out.WriteString(text)
			break
		}
		out.WriteString(text[:at])
		text = text[at:]
		if text[0] == '\r' {
			out.WriteByte('\n')
		}
		text = text[sequenceLength(text):]
	}
	return out.String()
}

func isControl(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' || r >= 0x7f && r < 0xa0
}

// sequenceLength returns the length of the control sequence that text begins with.
func sequenceLength(text string) int {
	const esc, c1 = 0x1b, 0xc2 // of a C1 control the second byte is the control itself
	kind, size := byte(0), 1
	switch {
	case text[0] == esc && len(text) > 1:
		kind, size = text[1], 2
	case text[0] == c1:
		kind, size = text[1]-0x40, 2
	default:
		return 1
	}
	body := text[size:]
	switch {
	case kind == '[':
		return size + controlSequence(body)
	case strings.IndexByte("]PX^_", kind) >= 0:
		return size + controlString(body)
	case text[0] == c1:
		return size
	case kind >= 0x20 && kind < 0x30: // a charset or the like: intermediates and one final
		n := 0
		for n < len(body) && body[n] >= 0x20 && body[n] < 0x30 {
			n++
		}
		if n < len(body) && body[n] >= 0x30 && body[n] < 0x7f {
			return size + n + 1
		}
		return 1
	case kind >= 0x30 && kind < 0x7f:
		return size
	}
	return 1
}

// controlSequence returns the length of the parameters and the final character.
func controlSequence(body string) int {
	n := 0
	for n < len(body) && body[n] >= 0x20 && body[n] < 0x40 {
		n++
	}
	if n < len(body) && body[n] >= 0x40 && body[n] < 0x7f {
		return n + 1
	}
	return 0
}

// controlString returns the length of a string up to and with its terminator,
// which has to stand on the same line.
func controlString(body string) int {
	line, _, _ := strings.Cut(body, "\n")
	end := 0
	for _, terminator := range []string{"\a", "\x1b\\", "\u009c"} {
		if at := strings.Index(line, terminator); at >= 0 && (end == 0 || at+len(terminator) < end) {
			end = at + len(terminator)
		}
	}
	return end
}
