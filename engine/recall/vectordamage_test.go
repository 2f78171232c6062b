package recall

import (
	"path/filepath"
	"strings"
	"testing"
)

// A file of vectors that is damaged while it is in use is made again, without a
// restart, and everything is embedded anew.
func TestVectorsDamagedInUse(t *testing.T) {
	for name, damage := range map[string]func(path string){
		"a table is gone": func(path string) { execute(t, path, "DROP TABLE vectors") },
		"pages are overwritten": func(path string) {
			execute(t, path, "PRAGMA wal_checkpoint(TRUNCATE)")
			overwrite(t, path, strings.Repeat("no database is this", 700), 100)
		},
	} {
		dir, path := garage(t), filepath.Join(t.TempDir(), "index.db")
		ix := thinking(t, path, dir, &thinker{dim: 64})
		before, _ := ix.Embedding()
		damage(filepath.Join(filepath.Dir(path), "vectors.db"))
		writeNote(t, dir, "Boat.md", "The boat lies in the harbour.\n")
		change(t, ix, "Boat.md")
		for n := 0; ix.vectors.CatchUp(t.Context()) != nil && n < 3; n++ {
		}
		after, _ := ix.Embedding()
		if after.Vectors != before.Vectors+1 || after.Pending != 0 {
			t.Errorf("%s: before %+v, after %+v: %v", name, before, after, ix.vectors.CatchUp(t.Context()))
		}
		if r := find(t, ix, "vehicle"); !r.Hybrid || len(r.Passages) == 0 || r.Passages[0].Note != "Garage.md" {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
