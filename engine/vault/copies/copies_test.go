package copies

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
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
