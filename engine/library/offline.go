package library

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/cachefile"
	"vaultdispatcher/engine/sharing"
)

// ErrNoIndex says that no vault of a configuration has an index yet.
var ErrNoIndex = errors.New("no vault has an index yet")

// Open returns a library for a process beside which no engine runs: the indexes as the last
// engine left them, only read. What was asked is not known then. A vault whose disk does not respond is left out, and
// the answers say so; where no other has an index, that is the error.
func Open(ctx context.Context, cfg config.Config, state string, cache func(root string) (string, error)) (*Library, func(), error) {
	var shelves, shut []Shelf
	end := func() {
		for _, s := range shelves {
			_ = s.Index.Close() // it was only read
		}
	}
	found, err := findIndexes(cfg.Vaults, cache, files.FollowLinks)
	if err != nil {
		return nil, end, err
	}
	var silent error
	rules := sharing.NewRules(cfg, func(string) bool { return false })
	for _, v := range found {
		root, responds := v.await()
		if !responds {
			silent = fmt.Errorf("the disk of %s does not respond", v.Path)
			shut = append(shut, Shelf{Name: v.Name, Root: v.Path, Shut: "is on a disk that does not respond"})
			continue
		}
		ix, err := recall.Open(ctx, v.file, root, recall.Options{Peek: true, Silent: rules.IsNotEmbedded})
		if errors.Is(err, recall.ErrUnusable) {
			continue
		}
		if err != nil {
			return nil, end, err
		}
		shelves = append(shelves, Shelf{Name: v.Name, Root: root, Index: ix})
	}
	if len(shelves) == 0 {
		return nil, end, cmp.Or(silent, ErrNoIndex)
	}
	held := func(ctx context.Context, root string) (map[string]bool, error) {
		return readHeld(ctx, filepath.Join(state, "journal.db"), root)
	}
	return New(Options{Config: cfg, Rules: rules, Shelves: func() []Shelf { return slices.Concat(shelves, shut) }, HeldNotes: held}), end, nil
}

// indexed is a vault that has an index in a file.
type indexed struct {
	config.Vault
	file  string
	await func() (root string, responds bool) // waits until it is known which folder it is, or that its disk does not respond
}

// findIndexes finds the vaults that have an index. Their disks are asked side by side, so that several which do not respond
// cost the time of one.
func findIndexes(vaults []config.Vault, cache func(root string) (string, error), look func(path string) (root string)) (found []indexed, err error) {
	for _, v := range vaults {
		folder, err := cache(v.Path)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(folder, "index.db")
		if _, err := os.Stat(file); err != nil {
			continue
		}
		var root string
		responds, done := false, make(chan struct{})
		go func() {
			defer close(done)
			root, responds = patience.Await(func() string { return look(v.Path) })
		}()
		found = append(found, indexed{v, file, func() (string, bool) { <-done; return root, responds }})
	}
	return found, nil
}

// readHeld reads from the journal which notes have a question that waits for a person. The file
// is only read; one that cannot be is an error, for then it is not known.
func readHeld(ctx context.Context, file, root string) (map[string]bool, error) {
	held := make(map[string]bool)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return held, nil
	}
	db, err := cachefile.Open(file, "&mode=ro&_pragma=query_only(1)", 1)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, "SELECT DISTINCT file FROM dispatches WHERE status = ? AND hold NOT IN (?, ?, ?, 'proposal') AND vault = ?", journal.Held, journal.ForLimit, journal.ForBudget, journal.ForSchedule, root)
	if err != nil {
		return nil, err
	}
	return held, eachFile(rows, held)
}

func eachFile(rows *sql.Rows, held map[string]bool) error {
	defer rows.Close()
	for rows.Next() {
		var rel string
		if err := rows.Scan(&rel); err != nil {
			return err
		}
		held[rel] = true
	}
	return rows.Err()
}
