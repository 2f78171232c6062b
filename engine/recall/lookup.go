package recall

import (
	"context"
	"encoding/json"
	"path"
	"strings"

	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/recall/indexed"
	"vaultdispatcher/engine/recall/page"
)

// Notes returns the paths of all notes in the index, sorted.
func (ix *Index) Notes(ctx context.Context) ([]string, error) {
	return readAll(ctx, ix, itself[string], "SELECT rel FROM notes ORDER BY rel")
}

// Knows reports whether a note is one of the last Sync or was updated since; of all before the first Sync has ended.
func (ix *Index) Knows(rel string) bool {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return !ix.state.Complete || ix.names[rel]
}

// Saved is a note in the index, and when it was saved.
type Saved struct {
	Rel  string
	Time int64 // nanoseconds of Unix time
}

// SavedNotes returns all notes in the index, sorted by path.
func (ix *Index) SavedNotes(ctx context.Context) ([]Saved, error) {
	return readAll(ctx, ix, func(s *Saved) []any { return []any{&s.Rel, &s.Time} }, "SELECT rel, abs(mtime) FROM notes ORDER BY rel")
}

// NotesNamed returns the notes in the index with the file name of one of names, in letters of either case and without its
// extension; of each name, only what is behind the last slash counts.
func (ix *Index) NotesNamed(ctx context.Context, names ...string) ([]string, error) {
	var bases []string
	for _, name := range names {
		bases = append(bases, strings.ToLower(path.Base(filename.TrimExtension(name))))
	}
	list, err := json.Marshal(bases)
	if err != nil {
		return nil, err
	}
	return readAll(ctx, ix, itself[string], "SELECT rel FROM notes WHERE base IN (SELECT value FROM json_each(?)) ORDER BY rel", string(list))
}

// Known returns what the index knows of its notes.
func (ix *Index) Known(ctx context.Context) (*indexed.Notes, error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	return indexed.Read(ctx, ix.reads, ix.State().Notes)
}

// readAll returns the rows of a query, each read into the fields of a T.
func readAll[T any](ctx context.Context, ix *Index, fields func(*T) []any, query string, args ...any) ([]T, error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	rows, err := ix.reads.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		var row T
		if err := rows.Scan(fields(&row)...); err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, rows.Err()
}

// itself is the one field of a row.
func itself[T any](value *T) []any { return []any{value} }

// ReadPage reads a note of the vault and takes it apart.
func (ix *Index) ReadPage(ctx context.Context, rel string) (*page.Page, error) {
	dir, err := ix.disk.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	src, err := dir.ReadNote(ctx, rel)
	if err != nil {
		return nil, err
	}
	return page.Parse(rel, src), nil
}

// noteIDs returns the row of a note, or none where it is not indexed.
func (ix *Index) noteIDs(ctx context.Context, note string) ([]int64, error) {
	return readAll(ctx, ix, itself[int64], "SELECT id FROM notes WHERE rel = ?", note)
}
