package copies

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
)

func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("Windows tells the number of links only of an open file")
		return
	}
	dir := t.TempDir()
	find := func(rel string) (os.FileInfo, error) { return os.Lstat(filepath.Join(dir, rel)) }
	var links Links
	first := func(rel string) string {
		t.Helper()
		info, err := find(rel)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := links.First(rel, info, find)
		return name
	}
	if err := os.WriteFile(filepath.Join(dir, "a.md"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "alone.md"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ rel, want string }{{"alone.md", ""}, {"b.md", ""}, {"a.md", "b.md"}, {"b.md", ""}, {"a.md", "b.md"}} {
		if got := first(step.rel); got != step.want {
			t.Errorf("%s is %q, want %q", step.rel, got, step.want)
		}
	}
	if err := os.Link(filepath.Join(dir, "a.md"), filepath.Join(dir, "c.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	if got := first("c.md"); got != "" {
		t.Errorf("c.md is %q, which is gone", got)
	}
	if got := first("a.md"); got != "c.md" {
		t.Errorf("a.md is %q", got)
	}
}

// A known copy is none of its own while its note is looked for under another name, however slowly the saves of a rename are seen.
func TestCopyOfANoteThatIsLookedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, root := t.Context(), t.TempDir()
		j, err := journal.On(database.Open(ctx, filepath.Join(t.TempDir(), "journal.db")))
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		const src = "text\n\n> @agent-Miner ask\n"
		path := func(rel string) string { return filepath.Join(root, rel) }
		became := ""
		m := &Memory{Journal: j, Root: root, Became: func(rel string) string {
			if rel == "a.md" {
				return became
			}
			return ""
		},
			Read: func(rel string) ([]byte, error) { return os.ReadFile(path(rel)) },
			Stat: func(rel string) (os.FileInfo, error) { return os.Stat(path(rel)) }}
		for _, rel := range []string{"a.md", "a 2.md"} {
			if err := os.WriteFile(path(rel), []byte(src), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		isCopy := func(what string, want bool) {
			t.Helper()
			found, err := m.Find(ctx, "a 2.md", []byte(src))
			if err != nil || (found.Original != "") != want {
				t.Errorf("%s: %+v, %v", what, found, err)
			}
		}
		isCopy("beside its note", true)
		if err := os.Rename(path("a.md"), path("b.md")); err != nil {
			t.Fatal(err)
		}
		isCopy("while its note is looked for", true)
		time.Sleep(lookedFor - time.Second)
		isCopy("a moment later", true)
		became = "b.md"
		time.Sleep(time.Minute)
		isCopy("when its note is found", true)
		became = ""
		time.Sleep(20 * time.Minute)
		isCopy("when nobody knows of the rename any more", true)
		if err := os.Remove(path("b.md")); err != nil {
			t.Fatal(err)
		}
		isCopy("when that is gone too", true)
		time.Sleep(lookedFor)
		isCopy("when that has not come back", false)
		isCopy("from then on", false)
		if found, err := m.Find(ctx, "a 2.md", []byte(src+"more\n")); err != nil || found.Original != "" {
			t.Errorf("changed it is %+v, %v", found, err)
		}
	})
}

// A thousand notes with a second name elsewhere are no thousand comparisons for each, and those that have lost it are forgotten.
func TestManyLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // it tells of no links
	}
	dir, other := t.TempDir(), t.TempDir()
	var links Links
	finds := 0
	find := func(rel string) (os.FileInfo, error) { finds++; return os.Stat(filepath.Join(dir, rel)) }
	look := func(i int) {
		t.Helper()
		name := fmt.Sprint(i, ".md")
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if first, ok := links.First(name, info, find); ok {
			t.Errorf("%s is %s", name, first)
		}
	}
	const notes = 50
	for i := range notes {
		path := filepath.Join(dir, fmt.Sprint(i, ".md"))
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Link(path, filepath.Join(other, fmt.Sprint(i)))); err != nil {
			t.Fatal(err)
		}
		look(i)
	}
	if len(links.names) != notes || finds != 0 {
		t.Errorf("%d files are known, %d were looked for", len(links.names), finds)
	}
	for i := range notes {
		if err := os.Remove(filepath.Join(other, fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
		look(i)
	}
	if len(links.names) != 0 {
		t.Errorf("%d files are remembered that have one name", len(links.names))
	}
}
