package gather

import (
	"fmt"
	"strings"
	"testing"
)

// What the properties of a source say is the same in any spelling of YAML.
func TestReadProperties(t *testing.T) {
	for head, want := range map[string]string{
		"status: open\nDate: 2026-03-01":                "status=open Date=2026-03-01 2026-03-01",
		"{status: open, \"Date\" : [2026-03-01]}":       "status=open Date=2026-03-01 2026-03-01",
		"'status' : 'open'\n\"Date\": !!str 2026-03-01": "status=open Date=2026-03-01 2026-03-01",
		"status: open # or not\nDate:\n- 2026-03-01":    "status=open Date=2026-03-01 2026-03-01",
		"who:\n- Ada\n- Bob\nat: {x: y}\nnone:":         "who=Ada, Bob ",
		"text: |\n  one\n  two":                         "text=one two ",
		"a<b: c\n\"#\": d\n: e":                         "",
		"x: &b 1\ny: *b\nz: 2":                          "z=2 ", // no YAML that is read: line by line
		"x: y: z\nwhen : 2026-03-01\nwhen: 2026-03-02":  "x=y: z when=2026-03-02 2026-03-02",
		"long: " + strings.Repeat("x", 300):             "",
	} {
		list, got := readProperties([]byte("---\n"+head+"\n---\ntext\n")), ""
		for _, p := range list {
			got += fmt.Sprintf("%s=%s ", p.Key, p.Value)
		}
		if got += dateOf("n.md", list); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
}
