package notes

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestWalk(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{
		"a.md", "Sub/b.MD", "Private/c.md", ".obsidian/d.md", "node_modules/e.md", "Sub/.trash/f.md", "text.txt", "note.sync-conflict-20240101-120000-ABCDEFG.md",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("text\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	err := Walk(root, []string{"Private/**"}, func(rel string, info fs.FileInfo) { got = append(got, rel) })
	if want := []string{"Sub/b.MD", "a.md"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if err := Walk(filepath.Join(root, "gone"), nil, nil); err == nil {
		t.Error("a folder that is not there has notes")
	}
}

// Folders and items of an app are those beside something of its own: Logseq's old versions, the bin of QOwnNotes, what
// Joplin synchronises.
func TestKeptPlaces(t *testing.T) {
	for _, tt := range []struct {
		beside string // what there is besides
		rel    string
		keeps  bool
	}{
		{"pages/", "logseq/bak/pages/Plan/2024.Desktop.md", true},
		{"journals/", "logseq/version-files/incoming/pages/Plan.md", true},
		{"x/pages/", "x/logseq/bak/pages/Plan.md", true},
		{"pages/", "logseq/notes.md", false},
		{"", "logseq/bak/Plan.md", false},
		{"pages.md", "logseq/bak/Plan.md", false},
		{"notes.sqlite/", "trash/1.md", true},
		{"x/notes.sqlite/", "x/trash/1.md", true},
		{"notes.sqlite/", "x/trash/1.md", false},
		{"", "trash/1.md", false},
		{".resource/", "0123456789abcdef0123456789abcdef.md", true},
		{"sync/.resource/", "sync/0123456789abcdef0123456789abcdef.md", true},
		{".resource/", "Plan.md", false},
		{"", "0123456789abcdef0123456789abcdef.md", false},
		{"pages/", "x/logseq/bak/Plan.md", false},
		{"x/pages/", "logseq/bak/Plan.md", false},
		{"pages/", "bak/Plan.md", false},
	} {
		root := t.TempDir()
		for _, name := range []string{tt.rel, tt.beside} {
			path := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if filepath.Ext(name) == ".md" {
				if err := os.WriteFile(path, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			} else if err := os.MkdirAll(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		walked := false
		if err := Walk(root, nil, func(rel string, _ fs.FileInfo) { walked = walked || rel == tt.rel }); err != nil {
			t.Fatal(err)
		}
		if keeps := WhyNotIn(root, tt.rel, nil) != ""; keeps != tt.keeps || walked == tt.keeps {
			t.Errorf("%s with %q: told %v, walked %v", tt.rel, tt.beside, keeps, walked)
		}
	}
}

func TestBins(t *testing.T) {
	for rel, want := range map[string]bool{
		"#recycle/a.md": false, "x/#Recycle/y/a.md": false, "@Recycle/a.md": false, "$RECYCLE.BIN/S-1-5-21/a.md": false, "#snapshot/a.md": false,
		"@Recently-Snapshot/a.md": false, "~snapshot/a.md": false, "_gsdata_/_saved_/a.md": false, "Backups.backupdb/Mac/a.md": false, "@eaDir/a.md": false,
		"recycle/a.md": true, "#recycled/a.md": true, "snapshot/a.md": true, "#recycle.md": true, "Recycle bin/a.md": true, "bak/a.md": true,
		"_v_recycle_bin/20190601/a.md": false, "x/vx_recycle_bin/a.md": false, "@Trash/a.md": false, "trash/a.md": true,
		"logseq/bak/a.md": true, "logseq/version-files/base/a.md": true, // there the disk has to say
	} {
		if why := WhyNot(rel, nil); (why == "") != want {
			t.Errorf("%q: %q", rel, why)
		}
	}
}

// What a person asks for by name is asked though a program gave that name; what is no note for another reason stays none.
func TestWhyNotAsked(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "graph", "pages"), 0o700); err != nil {
		t.Fatal(err)
	}
	for rel, asked := range map[string]bool{
		"a.md":                              true,
		"a.dup.md":                          true,
		"a-h-safeBackup-0001.md":            true,
		"a (conflicted copy 2024-01-01).md": true,
		"a.sync-conflict-20240101-120000-ABCDEFG.md":         true,
		"sub/a (PC 的冲突副本 2023-10-29).markdown":               true,
		"a~20240101-120000.md":                               true,
		"a.conflict-20240101T120000Z.md":                     false,
		"#recycle/a-h-safeBackup-0001.md":                    false,
		".trash/a (conflicted copy 2024-01-01).md":           false,
		"Private/a (conflicted copy 2024-01-01).md":          false,
		"graph/logseq/bak/a (conflicted copy 2024-01-01).md": false,
		"other/logseq/bak/a (conflicted copy 2024-01-01).md": true,
		"a (conflicted copy 2024-01-01).txt":                 false,
		"~$a (conflicted copy 2024-01-01).md":                false,
		"node_modules/a (conflicted copy 2024-01-01).md":     false,
		"x.sync-conflict-20240101-120000-ABCDEFG.md.tmp":     false,
	} {
		if why := WhyNotAsked(root, rel, []string{"Private/**"}); (why == "") != asked {
			t.Errorf("%s: %q", rel, why)
		}
	}
}

// Why a file is no note is said with what can be done.
func TestWhyNot(t *testing.T) {
	for rel, want := range map[string]string{
		"a.md":                              "",
		"#recycle/a.md":                     "the folder #recycle is the bin of a Synology share, and nothing in it is a note; move the note out of it",
		"x/a.dup.md":                        "",
		"a-h-safeBackup-0001.md":            "the name is one that onedrive for Linux gives to a second version of a note, so nothing is asked in it; take what is new over into the note, give the file a name of its own, or have it asked with wiki scan",
		"a.conflict-20240101T1.md":          "the name is one that the dispatcher gives to a second version of a note, so nothing is asked in it; take what is new over into the note, or give the file a name of its own",
		"a.txt":                             "only .md and .markdown files count, and no editors' temporary files or anything in a folder that begins with a dot; give it another name or place",
		"a (conflicted copy 2024-01-01).md": "the name is one that Obsidian Sync, Dropbox or Nextcloud gives to a second version of a note, so nothing is asked in it; take what is new over into the note, give the file a name of its own, or have it asked with wiki scan",
	} {
		if got := WhyNot(rel, nil); got != want {
			t.Errorf("%s: %q", rel, got)
		}
	}
}
