package recall

import (
	"context"
	"strings"

	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/recall/terms"
)

// Notes returns the paths of all notes in the index, sorted.
func (ix *Index) Notes(ctx context.Context) ([]string, error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	rows, err := ix.reads.QueryContext(ctx, "SELECT rel FROM notes ORDER BY rel")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var rels []string
	for rows.Next() {
		var rel string
		if err := rows.Scan(&rel); err != nil {
			return nil, err
		}
		rels = append(rels, rel)
	}
	return rels, rows.Err()
}

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

// CountUnderHeading returns how many notes have all words of a heading in their
// headings.
func (ix *Index) CountUnderHeading(ctx context.Context, heading string) (n int, err error) {
	words := strings.Fields(terms.IndexedName(heading))
	if len(words) == 0 {
		return 0, nil
	}
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	err = ix.reads.QueryRowContext(ctx, `SELECT count(DISTINCT c.note) FROM fts JOIN chunks c ON c.id = fts.rowid WHERE fts MATCH ?`,
		`heading : ("`+strings.Join(words, `" AND "`)+`")`).Scan(&n)
	return n, err
}

// NoteNamed returns the note that a link by file name leads to, "" where no note
// or several have that name.
func (ix *Index) NoteNamed(ctx context.Context, name string) (string, error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	var n int
	var rel *string
	err := ix.reads.QueryRowContext(ctx, "SELECT count(*), min(rel) FROM notes WHERE base = ?", baseName(strings.TrimSpace(name)+".md")).Scan(&n, &rel)
	if err != nil || n != 1 {
		return "", err
	}
	return *rel, nil
}

// noteIDs returns the row of a note, or none where it is not indexed.
func (ix *Index) noteIDs(ctx context.Context, note string) ([]int64, error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	rows, err := ix.reads.QueryContext(ctx, "SELECT id FROM notes WHERE rel = ?", note)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
