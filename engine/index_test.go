package engine

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/testdata/testmain"
)

// An index that could not be filled at start, for want of room say, is filled as
// soon as that is possible, and status tells of it until then.
func TestIndexIsFilledLater(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it waits for pauses of the engine")
	dir := t.TempDir()
	first := startEngine(t, dir, nil)
	root := first.vaults[0].Root
	for !first.vaults[0].Catalog.State().Complete {
		first.pause()
	}
	first.stop()
	cache := filepath.Join(dir, "cache", "index.db")
	execute(t, cache, "CREATE TRIGGER full BEFORE INSERT ON notes BEGIN SELECT RAISE(FAIL, 'no room'); END")
	r := &running{t: t, vault: root}
	r.save("Lantern.md", "One lantern.\n")

	r = startEngine(t, dir, nil)
	for r.lastError() == "" {
		r.pause()
	}
	if told := r.lastError(); !strings.Contains(told, "no room") {
		t.Errorf("status tells %q", told)
	}
	execute(t, cache, "DROP TRIGGER full")
	for len(r.found("lantern")) == 0 {
		r.pause()
	}
	if told := r.lastError(); told != "" {
		t.Errorf("status still tells %q", told)
	}
}

func (r *running) lastError() string {
	r.t.Helper()
	s, err := r.Status(r.t.Context(), false)
	if err != nil {
		r.t.Fatal(err)
	}
	return s.Index.LastError
}

func (r *running) found(query string) []recall.Passage {
	r.t.Helper()
	found, err := r.vaults[0].AwaitDisk().Index().Search(r.t.Context(), query, recall.SearchOptions{})
	if err != nil {
		r.t.Fatal(err)
	}
	return found
}

func execute(t *testing.T, file, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", file+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(query); err != nil {
		t.Fatal(err)
	}
}
