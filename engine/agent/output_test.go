package agent

import (
	"strings"
	"testing"
)

func TestLastLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                                  "",
		"\n\r\n \x1b[0m\n":                  "",
		"one\ntwo\n\n":                      "two",
		"one\x1b[31m two\x1b[0m":            "one two",
		"\tindented \u202e\n":               "indented",
		strings.Repeat("x", 200):            strings.Repeat("x", 200),
		strings.Repeat("é", 201):            strings.Repeat("é", 199) + "…",
		strings.Repeat("y", 3*maxTail):      strings.Repeat("y", 199) + "…",
		"z\n" + strings.Repeat("\n", 9<<10): "",
	} {
		if got := lastLine([]byte(in)); got != want {
			t.Errorf("lastLine(%.40q) = %q, want %q", in, got, want)
		}
		var w tail
		for _, b := range []byte(in) {
			if n, err := w.Write([]byte{b}); n != 1 || err != nil {
				t.Fatal(n, err)
			}
		}
		if len(w.data) > maxTail {
			t.Errorf("the tail keeps %d bytes", len(w.data))
		}
		if got := lastLine(w.bytes()); got != want {
			t.Errorf("tail of %.40q = %q, want %q", in, got, want)
		}
	}
}

// TestHeard: lines are heard whole whatever pieces they come in, what is taken is not kept and
// does not count, and a line without an end is neither heard nor endless.
func TestHeard(t *testing.T) {
	for size := 1; size < 20; size++ {
		full, lines := false, ""
		kept := &capped{limit: 12, full: func() { full = true }}
		w := &heard{buffer: kept, hear: func(line []byte) bool {
			lines += "<" + string(line) + ">"
			return line[0] == 't'
		}}
		for rest := "taken\nkept\ntaken\n\nlast"; rest != ""; {
			n := min(size, len(rest))
			if wrote, err := w.Write([]byte(rest[:n])); wrote != n || err != nil {
				t.Fatal(wrote, err)
			}
			rest = rest[n:]
		}
		w.end()
		if string(kept.bytes()) != "kept\n\nlast" || lines != "<taken\n><kept\n><taken\n><\n>" || full {
			t.Errorf("pieces of %d: kept %q, heard %q, full %v", size, kept.bytes(), lines, full)
		}
		if _, err := w.Write([]byte("taken\n")); err != nil || strings.Count(lines, "taken") != 2 {
			t.Errorf("heard after the end: %q, %v", lines, err)
		}
	}
	full := false
	kept := &capped{limit: 12, full: func() { full = true }}
	w := &heard{buffer: kept, hear: func([]byte) bool { return true }}
	for range 20 {
		_, _ = w.Write([]byte("x"))
	}
	if !full || !kept.isOver() {
		t.Error("a line without an end is kept")
	}
}
