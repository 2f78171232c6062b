package schema

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"
)

// A file of any version becomes what a new one is.
func TestMigrate(t *testing.T) {
	t.Parallel()
	for _, from := range []int{0, 1, len(Scripts) - 1, len(Scripts)} {
		t.Run(fmt.Sprint(from), func(t *testing.T) {
			db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "j.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			for version, script := range Scripts[:from] {
				if _, err := db.Exec(fmt.Sprintf("%s; PRAGMA user_version = %d", script, version+1)); err != nil {
					t.Fatal(err)
				}
			}
			if isNew, err := Migrate(t.Context(), db); isNew != (from == 0) || err != nil {
				t.Errorf("new: %v, %v", isNew, err)
			}
			if version, err := ReadVersion(t.Context(), db); err != nil || version != len(Scripts) {
				t.Errorf("schema %d, %v", version, err)
			}
			if err := Check(t.Context(), db); err != nil {
				t.Error(err)
			}
		})
	}
}
