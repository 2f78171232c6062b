package yamltext

import (
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

func parse(t *testing.T, text string) *yaml.Node {
	t.Helper()
	root, err := Parse([]byte(text), "keys")
	if err != nil {
		t.Fatalf("%q: line %d: %s", text, err.Line, err.Text)
	}
	return root
}

// The YAML library alone would take the first two.
func TestDecodeIsStrict(t *testing.T) {
	for text, field := range map[string]any{
		"k: 80.5": new(int), "k: yes": new(bool), `k: "1"`: new(int), "k: [1]": new(string),
		"k: 5": new(time.Duration), "k: a": new([]string), "k: [a]": new(map[string]string),
	} {
		if err := Decode(Entries(parse(t, text))[0].Value, field); err == nil {
			t.Errorf("%s became a %T", text, field)
		}
	}
}

func TestDecodeKeepsLetters(t *testing.T) {
	var text string
	if err := Decode(Entries(parse(t, "model: 4.10"))[0].Value, &text); err != nil || text != "4.10" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestPutKeepsPlaceSpellingAndComment(t *testing.T) {
	root := parse(t, "A: 1 # one\nb: 2\n")
	Put(root, "a", NewText("x"))
	Put(root, "c", NewText("7"))
	text, err := Encode(&yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{root}})
	if want := "A: x # one\nb: 2\nc: \"7\"\n"; err != nil || string(text) != want {
		t.Errorf("got\n%s%v, want\n%s", text, err, want)
	}
}

// A block that loses its last key keeps the comment on its line, and the text can be read again.
func TestRemoveLastKey(t *testing.T) {
	for text, want := range map[string]string{
		"wiki: # mine\n  a: 1\n":             "wiki: {} # mine\n",
		"wiki: # mine\n  a: 1 # one\nb: 2\n": "wiki: {} # mine\nb: 2\n",
		"wiki: # mine\n  a: 1\n  b: 2\n":     "wiki: # mine\n  b: 2\n",
		"wiki:\n  a: 1\n":                    "wiki: {}\n",
	} {
		root := parse(t, text)
		_, block := Find(root, "wiki")
		Remove(block, "a")
		got, err := Encode(&yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{root}})
		if err != nil || string(got) != want {
			t.Errorf("%q: got\n%s%v, want\n%s", text, got, err, want)
		}
		if _, bad := Parse(got, "keys"); bad != nil {
			t.Errorf("%q: %v", got, bad)
		}
	}
}

// What ShowValue writes, NewValue reads as the same.
func TestShownValueIsReadAgain(t *testing.T) {
	for _, test := range []struct {
		value any
		want  string
	}{
		{"plain", "plain"},
		{"", ""},
		{"a b: c", "a b: c"},
		{" spaced ", `" spaced "`},
		{"null", `"null"`},
		{"[a", `"[a"`},
		{"two\nlines", `"two\nlines"`},
		{90 * time.Minute, "1h30m"},
		{10 * time.Minute, "10m"},
		{2500 * time.Millisecond, "2.5s"},
		{24 * time.Hour, "24h"},
		{time.Hour + 5*time.Second, "1h5s"},
		{time.Duration(0), "0"},
		{1.5, "1.5"},
		{[]string{"a", "*.md", "~"}, `[a, "*.md", "~"]`},
		{map[string]string{"B": "1", "A": "x: y"}, `{A: "x: y", B: "1"}`},
		{[]any{"~/Notes", Pairs{{"path", "~/b"}, {"paused", true}}}, "[~/Notes, {path: ~/b, paused: true}]"},
	} {
		shown := ShowValue(test.value)
		if shown != test.want {
			t.Errorf("%v is shown as %s, not %s", test.value, shown, test.want)
		}
		if text, ok := test.value.(string); ok {
			var read string
			if n, err := NewValue(shown); err != nil || DecodeText(n, &read) != nil || read != text {
				t.Errorf("%q is shown as %s and read as %q", text, shown, read)
			}
		}
		if length, ok := test.value.(time.Duration); ok {
			read := time.Duration(-1)
			if n, err := NewValue(shown); err != nil || decodeDuration(n, &read) != nil || read != length {
				t.Errorf("%v is shown as %s and read as %v", length, shown, read)
			}
		}
	}
	for _, bad := range []string{"[a", "[*.md]", `{a: b`, `"open`} {
		if _, err := NewValue(bad); err == nil {
			t.Errorf("%s is a value", bad)
		}
	}
}
