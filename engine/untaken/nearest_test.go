package untaken

import "testing"

// A misspelt role is recognised, whichever other roles come before or after it; between two that are
// as near, none is.
func TestNearest(t *testing.T) {
	for _, c := range []struct {
		name  string
		roles []string
		meant string
	}{
		{"Minr", []string{"Miner"}, "Miner"},
		{"Minr", []string{"Miner", "Slow"}, "Miner"},
		{"Minr", []string{"Slow", "Miner"}, "Miner"},
		{"Edtior", []string{"Editor", "Miner", "Slow", "Ärzte"}, "Editor"},
		{"Ärtze", []string{"Editor", "Ärzte", "Slow"}, "Ärzte"},
		{"Minr", []string{"Miner", "Mint"}, ""},
		{"Orange", []string{"Editor", "Miner"}, ""},
	} {
		if got := nearest(c.name, c.roles); got != c.meant {
			t.Errorf("nearest(%q, %q) = %q, want %q", c.name, c.roles, got, c.meant)
		}
	}
}
