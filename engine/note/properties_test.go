package note

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/vault/testdata/growth"
)

func TestReadYAML(t *testing.T) {
	for _, c := range []struct {
		text, key string
		line      int
		values    []string
		isMap     bool
	}{
		{"tags: [a, 'b c']", "tags", 1, []string{"a", "b c"}, false},
		{"x: 1\nTags :\n- a\n- \"b\"\n", "tags", 2, []string{"a", "b"}, false},
		{"{x: 1, tags: a}", "TAGS", 1, []string{"a"}, false},
		{"tags: {a: b}", "tags", 1, []string{"a", "b"}, true},
		{"tags: [{a: b}, c]", "tags", 1, []string{"a", "b", "c"}, true},
		{"tags: [~, null, a, '']", "tags", 1, []string{"a", ""}, false},
		{"tags: !!str 2026-01-01", "tags", 1, []string{"2026-01-01"}, false},
		{"tags: {{date}}", "tags", 1, []string{"date"}, true}, // as templates write it
	} {
		list, ok := readYAML([]byte(c.text))
		found := list.All(c.key)
		if !ok || len(found) != 1 {
			t.Errorf("%q: %v, %v", c.text, list, ok)
			continue
		}
		p := found[0]
		if only, single := p.Only(); p.Line != c.line || !slices.Equal(p.Values, c.values) || p.IsMap != c.isMap || single != (len(c.values) == 1 && !c.isMap) || single && only != c.values[0] {
			t.Errorf("%q: %+v", c.text, p)
		}
	}
	for _, text := range []string{"", "\n \n", "# only a comment", "~"} {
		if list, ok := readYAML([]byte(text)); !ok || len(list) > 0 {
			t.Errorf("%q: %v, %v", text, list, ok)
		}
	}
}

// What is none, or could make much of little, is not read.
func TestYAMLRefused(t *testing.T) {
	for _, text := range []string{
		"a: b: c", "a", "- a", "[a]", "a: \"", "a: *b", "a: &b c\nd: *b", "<<: *a", "a: 1\n--- # two\nb: 1", "\ta: b", "a: \x00", "a: \xff",
		"%YAML 9.9\na: b", "a: @b", "a: `b`", "a: %b", strings.Repeat("a: b\n", mostProperties/5+1),
		"a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]",
	} {
		if list, ok := readYAML([]byte(text)); ok {
			t.Errorf("%.40q: %v", text, list)
		}
	}
}

// However the bytes are nested, reading them takes about as long as for any others of their number.
func TestYAMLTakesNoTime(t *testing.T) {
	for _, unit := range []string{"[", "{", "{a: ", "[{", "- ", "? ", "a: [", "!!str ", "&a ", "\"", "'", "#\n", "a:\n ", "a: b\n", "{a: b}, ", "| ", "a: |\n", "\\", "- - ", ": ", "*a "} {
		growth.Evenly(t, fmt.Sprintf("%q", unit), mostProperties, func(size int) {
			text := []byte("a: " + strings.Repeat(unit, (size-3)/len(unit)))
			readYAML(text)
			readYAML(text[3:])
		})
	}
}
