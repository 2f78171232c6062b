package filename

import (
	"strings"
	"testing"
)

func TestIsNote(t *testing.T) {
	for rel, want := range map[string]bool{
		"a.md": true, "a/b c/Ö.MD": true, "a.b.Md": true, "conflicted copy.md": true, "a~b.md": true, "x.conflict-resolution.md": true,
		"node_modules.md": true, "my (draft).md": true, "a.markdown": true, "b/A.Markdown": true, ".markdown": false, "markdown": false, "a.mdown": false,
		"a.conflict-20240101T120000Z.markdown": false,
		"":                                     false, ".md": false, "a.txt": false, "amd": false, "a.md/": false, "/a.md": false, "a//b.md": false,
		".obsidian/a.md": false, "a/.trash/b.md": false, "../a.md": false, ".#a.md": false, "~$a.md": false, "a.md~": false,
		"node_modules/x/README.md": false, "a/node_modules/b.md": false,
		"a.sync-conflict-20240101-120000-ABCDEFG.md":        false,
		"a (Conflicted copy Laptop 202401011200).md":        false,
		"a (Bob's conflicted copy 2024-01-01).md":           false,
		"a (conflicted copy 2024-01-01 120000).md":          false,
		"a.conflict-20240101T120000Z.md":                    false,
		"a_conflict-20240101-120000.md":                     false,
		"a_conflict-of-interest.md":                         true,
		"#a.md#":                                            false,
		"a.md.tmp":                                          false,
		".syncthing.a.md.tmp":                               false,
		"4913":                                              false,
		".a.md.icloud":                                      false,
		strings.Repeat("deep/", 30) + "a.md":                true,
		strings.Repeat("deep/", 30) + ".hidden/a.md":        false,
		"a.md.conflict-2024-01-01.md":                       false,
		"folder.sync-conflict-20240101-120000-ABCDEFG/a.md": true,
	} {
		if IsNote(rel) != want {
			t.Errorf("IsNote(%q) is %v", rel, !want)
		}
	}
}
