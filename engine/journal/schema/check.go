package schema

import (
	"context"
	"database/sql"
	"strings"
	"sync"
)

// Wanted returns what a new journal consists of, as [Read] does. Callers change nothing in it.
var Wanted = sync.OnceValues(func() (map[string]string, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	if _, err := Migrate(context.Background(), db); err != nil {
		return nil, err
	}
	return Read(context.Background(), db)
})

// Check finds damage in the definitions of tables and indices: what SQLite can parse
// may still refuse every step, or find nothing.
func Check(ctx context.Context, db *sql.DB) error {
	want, err := Wanted()
	if err != nil {
		return err
	}
	got, err := Read(ctx, db)
	if err != nil {
		return err
	}
	for name, text := range want {
		if withoutSpaces(got[name]) != withoutSpaces(text) {
			return &Damaged{Problem: "the definition of " + name + " is not that of a journal"}
		}
	}
	return nil
}

// withoutSpaces returns a definition without white space, to compare it as SQLite reads it: a column that was added
// later has no line of its own (https://www.sqlite.org/lang_altertable.html).
func withoutSpaces(text string) string {
	return strings.NewReplacer(" ", "", "\t", "", "\n", "").Replace(text)
}
