package wording

import "testing"

// A swap of neighbours is one mistake of a typist, as a letter more, less or another is.
func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		most int
		want int
	}{
		{"", "", 3, 0}, {"miner", "miner", 3, 0}, {"miner", "minr", 3, 1}, {"minr", "miner", 3, 1}, {"mimer", "miner", 3, 1}, {"mienr", "miner", 3, 1},
		{"ärtze", "ärzte", 3, 1}, {"ärzte", "arzte", 3, 1}, {"abcd", "badc", 3, 2}, {"ca", "abc", 9, 3}, {"editor", "miner", 9, 4}, {"editor", "miner", 2, 2}, {"", "abc", 9, 3},
	} {
		if got := EditDistance(c.a, c.b, c.most); got != c.want {
			t.Errorf("%q and %q differ in %d letters, want %d", c.a, c.b, got, c.want)
		}
	}
}

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
		{"miner", []string{"Mines", "Miner"}, "Miner"},
		{"Minr", []string{"Miner", "miner"}, "Miner"},
		{"a", []string{"*"}, ""},
	} {
		if got := Nearest(c.name, c.roles); got != c.meant {
			t.Errorf("Nearest(%q, %q) = %q, want %q", c.name, c.roles, got, c.meant)
		}
	}
}
