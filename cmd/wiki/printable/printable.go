// Package printable prints for a terminal what others have named and written.
//
//	printable.Fprintf(w, "%s  %s\n", d.ID, d.File)           // names stay on their line
//	printable.Fprintf(w, "%s\n", printable.Text(a.Answer)) // a text keeps its lines
//
// A note's name may hold line ends, and sequences that colour, move the cursor or write to the
// clipboard (OSC 52, https://invisible-island.net/xterm/ctlseqs/ctlseqs.html), and marks that
// turn the direction of what follows (https://trojansource.codes).
//
// # Promises
//
// No argument puts a character on the terminal that it obeys: each is shown as Go writes it, such as \x1b or \u202e.
// Only a [Text] has line ends and tabs. Harmless characters are printed byte for byte.
package printable

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is an argument of several lines.
type Text string

// Fprintf is [fmt.Fprintf] with arguments that a terminal does not obey. The format belongs to this program and is
// not changed.
func Fprintf(w io.Writer, format string, args ...any) {
	for i := range args {
		args[i] = tameArgument(args[i])
	}
	fmt.Fprintf(w, format, args...)
}

// Sprintf is Fprintf into a string, which can be printed as a [Text].
func Sprintf(format string, args ...any) string {
	for i := range args {
		args[i] = tameArgument(args[i])
	}
	return fmt.Sprintf(format, args...)
}

// Fprintln prints arguments with spaces between them and a line end after them.
func Fprintln(w io.Writer, args ...any) {
	for i := range args {
		args[i] = tameArgument(args[i])
	}
	fmt.Fprintln(w, args...)
}

// tameArgument makes a string of everything that could hold one.
func tameArgument(v any) any {
	switch v := v.(type) {
	case nil:
		return v
	case Text:
		return escape(string(v), true)
	case string:
		return escape(v, false)
	case error, fmt.Stringer:
		return escape(fmt.Sprint(v), false)
	}
	switch reflect.TypeOf(v).Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return v
	}
	return escape(fmt.Sprint(v), false)
}

// escape writes what a terminal obeys as Go does in a quoted string.
func escape(text string, keepLines bool) string {
	if isHarmless(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch part := text[i : i+size]; {
		case keepLines && (part == "\n" || part == "\t" || strings.HasPrefix(text[i:], "\r\n")):
			b.WriteString(part)
		case r == utf8.RuneError && size == 1, isObeyed(r):
			quoted := strconv.QuoteToASCII(part)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteString(part)
		}
		i += size
	}
	return b.String()
}

func isHarmless(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, isObeyed)
}

// isObeyed says whether r steers a terminal or is not to be seen. The two joiners only shape
// the letters and pictures beside them.
func isObeyed(r rune) bool {
	const nonJoiner, joiner = 0x200c, 0x200d
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) && r != nonJoiner && r != joiner
}

// Colours of text on a terminal.
const (
	Red    = 31
	Green  = 32
	Yellow = 33
)

// Paint returns text in a colour where w says that it shows colours. It escapes nothing.
func Paint(w io.Writer, colour int, text string) string {
	if p, ok := w.(interface{ HasColour() bool }); !ok || !p.HasColour() {
		return text
	}
	line := strings.TrimSuffix(text, "\n")
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m%s", colour, line, text[len(line):])
}

// Columns is how many cells a line has where w is a terminal that says so; else 0.
func Columns(w io.Writer) int {
	if t, ok := w.(interface{ Columns() int }); ok {
		return t.Columns()
	}
	return 0
}

// KeepLines has a terminal show lines as they are, which a person copies, until the end is called.
func KeepLines(w io.Writer) (end func()) {
	o, ok := w.(interface{ KeepLines(on bool) })
	if !ok {
		return func() {}
	}
	o.KeepLines(true)
	return func() { o.KeepLines(false) }
}

// JSON escapes in encoded JSON what a terminal obeys and encoders leave as it is.
func JSON(encoded []byte) []byte {
	var b strings.Builder
	for _, r := range string(encoded) {
		switch {
		case r == '\n' || !isObeyed(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := (r-0x10000)>>10+0xd800, (r-0x10000)&0x3ff+0xdc00
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return []byte(b.String())
}
