package installer

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// A text goes where it surely arrives, else where it may, and what is said of it is true.
func TestCopy(t *testing.T) {
	const text = `'/a b/wiki' notify {{event_file_path:absolute}}`
	for name, test := range map[string]struct {
		system error // nil = it takes it
		none   bool  // there is no system's clipboard
		screen bool
		want   string
		sent   bool
	}{
		"the system":           {screen: true, want: OnClipboard},
		"it refuses":           {system: errors.New("no display"), screen: true, want: ToTerminal, sent: true},
		"the terminal alone":   {none: true, screen: true, want: ToTerminal, sent: true},
		"it refuses, no other": {system: errors.New("no display")},
		"neither":              {none: true},
	} {
		var got string
		var screen bytes.Buffer
		c := clipboards{system: func(s string) error { got = s; return test.system }}
		if test.none {
			c.system = nil
		}
		if test.screen {
			c.screen = &screen
		}
		where, err := c.copyText(text)
		if where != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%s: put on %q, %v", name, where, err)
		}
		if !test.none && got != text {
			t.Errorf("%s: the system got %q", name, got)
		}
		if test.system != nil && err != nil && !errors.Is(err, test.system) {
			t.Errorf("%s: %v does not say why", name, err)
		}
		if sent := screen.String() == terminalCopy(text); sent != test.sent || !test.sent && screen.Len() > 0 {
			t.Errorf("%s: the terminal got %q", name, screen.String())
		}
	}
	if s := terminalCopy(text); strings.ContainsAny(s[1:len(s)-1], "\x1b\a ") {
		t.Errorf("%q holds what ends it early", s)
	}
}
