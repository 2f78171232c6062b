package library_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/library"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/testdata/silentdisk"
)

// While no disk responds a library answers in time, tells of no note and says why.
func TestLibraryOnASilentDisk(t *testing.T) {
	l, root := newLibrary(t)
	library.HurryLooks(t)
	silentdisk.Hang(t)
	const silent = "The disk of the vault v does not respond; "
	for tool, test := range map[string]struct{ arguments, want string }{
		"search":     {`{"query":"disk"}`, `{"results":[],"notice":"` + silent + `what is there is left out."}`},
		"list_notes": {`{}`, `{"results":[],"notice":"` + silent + `what is there is left out."}`},
		"recent":     {`{}`, `{"results":[],"notice":"` + silent + `what is there is left out."}`},
		"related":    {`{"note":"Plan"}`, "!" + silent + "try again when it does."},
		"read_note":  {`{"note":"Backups"}`, "!" + silent + "try again when it does."},
		"backlinks":  {`{"note":"Backups"}`, "!" + silent + "try again when it does."},
	} {
		if told := ask(t, l, mcp.Scope{}, tool, test.arguments); told != test.want {
			t.Errorf("%s: %s", tool, told)
		}
	}
	skip, gaveUp := l.Withheld(t.Context(), root)
	if gaveUp() || !skip("Backups.md") || !gaveUp() || !skip("Disks.md") {
		t.Error("a note that cannot be judged is not withheld, or nothing says so")
	}
}

// A vault that is not open is named to whoever misses something, and to nobody who may not know of it.
func TestLibraryNamesVaultsThatAreShut(t *testing.T) {
	l, root := newLibrary(t)
	open := l.Shelves()[0]
	const told = "The vault w is not open yet; "
	shelves := []library.Shelf{open, {Name: "w", Root: "/w", Shut: "is not open yet"}}
	l.Shelves = func() []library.Shelf { return shelves }
	for tool, arguments := range map[string]string{
		"search": `{"query":"disk"}`, "list_notes": `{"folder":"Nowhere"}`, "recent": `{}`, "read_note": `{"note":"Nowhere"}`,
	} {
		if text := ask(t, l, mcp.Scope{}, tool, arguments); !strings.Contains(text, told+"what is there is left out.") {
			t.Errorf("%s: %s", tool, text)
		}
		if text := ask(t, l, mcp.Scope{Vault: root}, tool, arguments); strings.Contains(text, "vault w") {
			t.Errorf("%s tells of another vault: %s", tool, text)
		}
	}
	shelves[0].Guard = func(_ context.Context, do func() error) error { _ = do(); return fs.ErrPermission }
	if text := ask(t, l, mcp.Scope{}, "search", `{"query":"disk"}`); !strings.Contains(text, "The vault v cannot be searched now.") || !strings.Contains(text, told) {
		t.Errorf("beside one that fails: %s", text)
	}
	if text := ask(t, l, mcp.Scope{}, "search", `{"query":"disk","vault":"w"}`); text != "!"+told+"try again in a moment." {
		t.Errorf("the vault alone: %s", text)
	}
}

// A vault whose disk does not respond is not read beside no engine either.
func TestOpenOnASilentDisk(t *testing.T) {
	root, cache := t.TempDir(), t.TempDir()
	ix, err := recall.Open(t.Context(), filepath.Join(cache, "index.db"), root, recall.Options{})
	if err == nil {
		err = ix.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	cfg := config.Default()
	cfg.Vaults = []config.Vault{{Name: "v", Path: root}}
	silentdisk.Hang(t)
	_, end, err := library.Open(t.Context(), cfg, t.TempDir(), func(string) (string, error) { return cache, nil })
	end()
	if err == nil || err.Error() != "the disk of "+root+" does not respond" {
		t.Errorf("it was opened, or refused otherwise: %v", err)
	}
}

// A note that cannot be judged is withheld, and one that is gone is not.
func TestWithheld(t *testing.T) {
	l, root := newLibrary(t)
	skip, silent := l.Withheld(t.Context(), root)
	if skip("Backups.md") || skip("Gone.md") || !skip("Private/Diary.md") || !skip("Web/Clip.md") || silent() {
		t.Errorf("%v, %v, %v, %v", skip("Backups.md"), skip("Gone.md"), skip("Private/Diary.md"), skip("Web/Clip.md"))
	}
	long := strings.Repeat("a", 10_000) + ".md" // no file system has such a name, and some say that nothing has it
	if _, err := os.Lstat(filepath.Join(root, long)); !errors.Is(err, fs.ErrNotExist) && !skip(long) {
		t.Errorf("a note that cannot be looked at is not withheld: %v", err)
	}
}
