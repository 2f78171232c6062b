package schema

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// A new file has the tables of this version, and so has one of the last version, which 18 scripts had made, one upon the other.
func TestMigrate(t *testing.T) {
	t.Parallel()
	grown, err := os.ReadFile("testdata/18.sql")
	if err != nil {
		t.Fatal(err)
	}
	before22 := strings.Replace(strings.Replace(script, schedules, "", 1), swaps, `
CREATE TABLE swaps (temp TEXT PRIMARY KEY, dispatch INTEGER NOT NULL REFERENCES dispatches (seq), path TEXT NOT NULL, base BLOB NOT NULL, new BLOB NOT NULL, text BLOB NOT NULL DEFAULT x'') STRICT;
CREATE INDEX swaps_dispatch ON swaps (dispatch);
CREATE TABLE comments (temp TEXT PRIMARY KEY, path TEXT NOT NULL, base BLOB NOT NULL, new BLOB NOT NULL, text BLOB NOT NULL) STRICT`, 1)
	for name, script := range map[string]string{"new": "", "grown": fmt.Sprintf("%s; PRAGMA user_version = 18", grown),
		"19": fmt.Sprintf("%s; ALTER TABLE given ADD COLUMN said INTEGER NOT NULL DEFAULT 0; PRAGMA user_version = 19", grown),
		"22": before22 + ";" + schedules + "; PRAGMA user_version = 22",
		"21": before22 + "; PRAGMA user_version = 21",
		"20": strings.Replace(before22, ",\n\tnone         INTEGER NOT NULL DEFAULT 0", "", 1) + "; PRAGMA user_version = 20"} {
		db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "j.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(script); err != nil {
			t.Fatal(err)
		}
		for again := range 2 {
			if isNew, err := Migrate(t.Context(), db); isNew != (name == "new" && again == 0) || err != nil {
				t.Errorf("%s: new: %v, %v", name, isNew, err)
			}
			if version, err := ReadVersion(t.Context(), db); err != nil || version != Version {
				t.Errorf("%s: schema %d, %v", name, version, err)
			}
			if err := Check(t.Context(), db); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
