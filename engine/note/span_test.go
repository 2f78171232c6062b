package note

import "testing"

// What a person may have written below a question on its own account is asked and stays.
func TestLinesThatBeginApart(t *testing.T) {
	for line, stays := range map[string]bool{
		"about backups?":              false,
		"Backups of last year":        false,
		"Ann Lee said so: is it true": false,
		"at 10:30 on Monday":          false,
		"~~gone~~ and what remains":   false,
		"~20 of them, or more":        false,
		"**bold** and the rest":       false,
		"[[Plan]] and the rest":       false,
		"\"all of it\"":               true,
		"— Ann":                       true,
		"~ Ann, 2020":                 true,
		"Ann: said so":                true,
		"Ann Lee: said so":            true,
		"Dr. Ann Lee: said so":        true,
		"Árpád Őri：igen":              true,
		"安：はい":                        true,
		"昨年のバックアップについて：どこに": false,
		"source:: mine": true,
		"- item":        true,
		"[x] done":      true,
	} {
		src := "> @agent-Miner what about\n> " + line + "\n"
		m := Parse([]byte(src)).Markers[0]
		if got := m.Ends == m.Line; got != stays {
			t.Errorf("%q: stays %v, want %v", line, got, stays)
		}
	}
}
