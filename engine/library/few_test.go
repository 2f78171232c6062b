package library_test

import (
	"fmt"
	"testing"

	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/recall/cachefile"
)

// TestCallsReadWhatTheyFind: a search, a note by its name and what links to it cost the same in a vault of any size: none
// reads the list of all notes.
func TestCallsReadWhatTheyFind(t *testing.T) {
	rowsOf := func(notes int) int64 {
		vault := map[string]string{"Target.md": "a zebra", "Source.md": "see [[Target]]"}
		for n := range notes {
			vault[fmt.Sprintf("plain/Note %d.md", n)] = "nothing of it"
		}
		l, _ := newLibraryOf(t, vault, nil)
		before := cachefile.RowsRead.Load()
		for tool, arguments := range map[string]string{"search": `{"query":"zebra"}`, "read_note": `{"note":"target"}`, "backlinks": `{"note":"[[Target]]"}`} {
			if told := ask(t, l, mcp.Scope{}, tool, arguments); told[0] == '!' {
				t.Errorf("%s: %s", tool, told)
			}
		}
		return cachefile.RowsRead.Load() - before
	}
	few, many := rowsOf(10), rowsOf(300)
	if many > few+20 {
		t.Errorf("%d rows are read in a vault of 12 notes, and %d in one of 302", few, many)
	}
}
