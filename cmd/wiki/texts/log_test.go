package texts

import (
	"strings"
	"testing"
)

func TestReadable(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"time":"2026-01-02T03:04:05Z","level":"INFO","msg":"watching","vault":"a b","n":3}`, ` INFO  watching n=3 vault="a b"`},
		{`{"time":"2026-01-02T03:04:05Z","level":"ERROR","msg":"odd","text":"\u001b[31mred","empty":"","group":{"a":1}}`, ` ERROR odd empty="" group={"a":1} text="\x1b[31mred"`},
		{"cut \x1b[2J off", "cut �[2J off"},
		{`{"time":7,"level":"INFO"}`, `{"time":7,"level":"INFO"}`},
	} {
		if got := ReadableLog([]byte(c.line)); !strings.HasSuffix(got, c.want) || strings.ContainsRune(got, '\x1b') {
			t.Errorf("%s is shown as %q", c.line, got)
		}
	}
}

// A person at a terminal reads a line as a sentence.
func TestToldLog(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"time":"2026-01-02T03:04:05Z","level":"INFO","msg":"a question is not taken up","line":14,"note":"In/day.md","reason":"nobody answers it","role":"Editor"}`, ` INFO  a question is not taken up: nobody answers it (Editor in In/day.md, line 14)`},
		{`{"time":"2026-01-02T03:04:05Z","level":"INFO","msg":"watching","vault":"a b","n":3}`, ` INFO  watching (n 3, vault a b)`},
		{`{"time":"2026-01-02T03:04:05Z","level":"WARN","msg":"odd"}`, ` WARN  odd`},
		{"cut \x1b[2J off", "cut �[2J off"},
	} {
		if got := ToldLog([]byte(c.line)); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s is told as %q", c.line, got)
		}
	}
}

// A page words a line by its parts.
func TestFactsOfALine(t *testing.T) {
	line := LogLine([]byte(`{"time":"2026-01-02T03:04:05Z","level":"INFO","msg":"a question waits","note":"A b.md","line":3,"odd":"\u001b[2J"}`))
	if line.Said != "a question waits" || line.Facts["note"] != "A b.md" || line.Facts["line"] != "3" || line.Facts["odd"] != "�[2J" {
		t.Errorf("%+v", line)
	}
}
