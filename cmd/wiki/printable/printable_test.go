package printable

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

type named string

func TestFprintf(t *testing.T) {
	for _, test := range []struct {
		format string
		arg    any
		want   string
	}{
		{"%s", "Café ☕ 日本.md", "Café ☕ 日本.md"},
		{"%s", "family 👨‍👩‍👧.md", "family 👨‍👩‍👧.md"},
		{"%s", "a\x1b]52;c;aGk=\x07.md", `a\x1b]52;c;aGk=\a.md`},
		{"%v", named("a\nb\tc\rd"), `a\nb\tc\rd`},
		{"%s", errors.New("open \u202etxt.exe: no"), `open \u202etxt.exe: no`},
		{"%s", "\xff\xfe", `\xff\xfe`},
		{"%s", "\u009b31m \u2028 \u2066 \ufeff \U000e0041", `\u009b31m \u2028 \u2066 \ufeff \U000e0041`},
		{"%s", Text("one\n\ttwo\r\nthree\rfour\x1b[2J"), "one\n\ttwo\r\nthree\\rfour\\x1b[2J"},
		{"%v", []string{"a\x1b[0m"}, `[a\x1b[0m]`},
		{"%d", 5, "5"},
		{"%.1f", 0.25, "0.2"},
		{"%-6s|", "a", "a     |"},
		{"%v", time.Second, "1s"},
		{"%v", nil, "<nil>"},
		{"%s", `C:\Users\new`, `C:\Users\new`},
	} {
		if got := Sprintf(test.format, test.arg); got != test.want {
			t.Errorf("%q of %q: %q, want %q", test.format, test.arg, got, test.want)
		}
		var b strings.Builder
		if Fprintf(&b, test.format, test.arg); b.String() != test.want {
			t.Errorf("Fprintf: %q", b.String())
		}
	}
	var b strings.Builder
	if Fprintln(&b, "a\nb", 2); b.String() != "a\\nb 2\n" {
		t.Errorf("Fprintln: %q", b.String())
	}
}

// Whatever the bytes are, nothing comes out that a terminal obeys, and JSON says the same.
func FuzzName(f *testing.F) {
	f.Add("a\x1b]0;x\x07\n\u202e\U000e0041\u0085")
	f.Fuzz(func(t *testing.T, text string) {
		name := Sprintf("%s", text)
		if !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) || strings.ContainsAny(name, "\u202e\u2066\u2028") {
			t.Errorf("%q is printed as %q", text, name)
		}
		encoded, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var want, got string
		tamed := JSON(encoded)
		if json.Unmarshal(encoded, &want) != nil || json.Unmarshal(tamed, &got) != nil || got != want {
			t.Errorf("%q became %q by %s", want, got, tamed)
		}
		if strings.ContainsFunc(string(tamed), isObeyed) {
			t.Errorf("%s", tamed)
		}
	})
}
