package propertytext

import (
	"slices"
	"testing"
)

// A property says what its lines say, without quotation marks and comments.
func TestValues(t *testing.T) {
	for lines, want := range map[string][]string{
		"year: 1982":                                         {"1982"},
		"loc: [Kyoto, \"Nara, Japan\"] # old":                {"Kyoto", "Nara, Japan"},
		"genre:\n  - \"[[Sci-fi]]\"\n  - # no value\n  - C#": {"[[Sci-fi]]", "C#"},
		"plot: >-\n  Two lines # and\n  one text":            {"Two lines # and one text"},
		"link: [[Kyoto]]":                                    {"[[Kyoto]]"}, "empty:": nil,
	} {
		if got, isMap := Values(lines); !slices.Equal(got, want) || isMap {
			t.Errorf("%q says %q (a map: %v), want %q", lines, got, isMap, want)
		}
	}
	for _, lines := range []string{"a: {b: c}", "a:\n  b: c", "a:\n  - b: c", "a: [{b: c}]"} {
		if got, isMap := Values(lines); !isMap || got != nil {
			t.Errorf("%q says %q, and has keys of its own", lines, got)
		}
	}
}
