package library_test

import (
	"encoding/json"
	"strings"
	"testing"

	"vaultdispatcher/engine/mcp"
)

// What a result is cited by, a client may give back as a note, also without the brackets of a link.
func TestCitedIsRead(t *testing.T) {
	odd := []string{"a.md", "C# notes.md", "Sub/x [y].md", "it's a note (z).md", "50%25 of #1.md", "caret^.md", "ä[b.md", "Sub/a%%b.md", "a](b.md", "Sub/100%.md"}
	vault := make(map[string]string)
	for _, rel := range odd {
		vault[rel] = "# Top\n\nfirst\n\n## What # is [and] (so) | 50%\n\nkumquat of " + rel + "\n"
	}
	l, _ := newLibraryOf(t, vault, nil)
	var found struct{ Results []struct{ Cite, Note string } }
	if err := json.Unmarshal([]byte(ask(t, l, mcp.Scope{}, "search", `{"query":"kumquat","limit":50}`)), &found); err != nil {
		t.Fatal(err)
	}
	if len(found.Results) != len(odd) {
		t.Fatalf("%d results, want %d", len(found.Results), len(odd))
	}
	for _, r := range found.Results {
		for _, name := range []string{r.Cite, strings.TrimSuffix(strings.TrimPrefix(r.Cite, "[["), "]]")} {
			for _, tool := range []string{"read_note", "backlinks"} {
				arguments, _ := json.Marshal(map[string]string{"note": name})
				got := ask(t, l, mcp.Scope{}, tool, string(arguments))
				if strings.HasPrefix(got, "!") || tool == "read_note" && (!strings.Contains(got, `"from":5`) || !strings.Contains(got, "kumquat of")) {
					t.Errorf("%s %s: %s", tool, name, got)
				}
			}
		}
	}
}

// A link leads to no place but a note that may be seen.
func TestHostileLinks(t *testing.T) {
	l, root := newLibrary(t)
	for _, name := range []string{"[x](../Backups.md)", "[x](file:///etc/passwd)", "[x](https://e.x/Backups.md)", "[x](//h/Backups.md)", "[x](" + root + "/Backups.md)", "[x](%2e%2e/Backups.md)",
		"[x](Private/Diary.md#a)", "Private/Diary#a", "Diary#a", "[x](%zz)", "#Decision", "[](", "[x]()", "[[#Decision]]", "](", "[[]]"} {
		arguments, _ := json.Marshal(map[string]string{"note": name})
		if got := ask(t, l, mcp.Scope{}, "read_note", string(arguments)); !strings.HasPrefix(got, "!There is no such note") && !strings.HasPrefix(got, "!Name a note") {
			t.Errorf("%q: %s", name, got)
		}
	}
}
