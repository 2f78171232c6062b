package recall

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"runtime/debug"
	"strings"

	"vaultdispatcher/engine/recall/notedisk"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/recall/vectors"
)

// hugeNote is the size of a note from which its memory is given back at once.
const hugeNote = 2 << 20

// unreadable is a note that exists and cannot be read.
type unreadable struct {
	rel string
	err error
}

func (u *unreadable) Error() string { return u.rel + " cannot be read: " + u.err.Error() }
func (u *unreadable) Unwrap() error { return u.err }

// batch writes notes in one transaction.
type batch struct {
	ix    *Index
	tx    *sql.Tx
	stmts map[string]*sql.Stmt

	notes, chunks int // change of the totals

	added   map[string][]vectors.Key // texts of the chunks written, by note; only with an embedder
	removed []vectors.Key            // texts of the chunks that went; the same
}

// storeNote updates the rows of one note to its contents.
func (b *batch) storeNote(ctx context.Context, n notedisk.Note) error {
	if n.Err != nil {
		return &unreadable{n.Rel, n.Err}
	}
	old, hash, err := b.findRow(ctx, n.Rel)
	if err != nil {
		return err
	}
	if !n.IsPresent {
		return b.removeNote(ctx, old)
	}
	sum := contentHash(n.Source)
	if old.id != 0 && bytes.Equal(hash, sum) {
		return b.execOnce(ctx, "UPDATE notes SET size=?, mtime=? WHERE id=?", n.Stamp.Size, n.Stamp.MTime, old.id)
	}
	if err := b.removeNote(ctx, old); err != nil {
		return err
	}
	if len(n.Source) > hugeNote {
		defer debug.FreeOSMemory() // not kept until the collector gets to it
	}
	return b.insertNote(ctx, n.Rel, stamp{old.id, n.Stamp}, sum, page.Parse(n.Rel, n.Source))
}

func contentHash(src []byte) []byte {
	sum := sha256.Sum256(src)
	return sum[:16]
}

func (b *batch) findRow(ctx context.Context, rel string) (s stamp, hash []byte, err error) {
	stmt, err := b.prepareOnce(ctx, "SELECT id, size, mtime, hash FROM notes WHERE rel=?")
	if err != nil {
		return s, nil, err
	}
	err = stmt.QueryRowContext(ctx, rel).Scan(&s.id, &s.Size, &s.MTime, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return s, hash, err
}

func (b *batch) removeNote(ctx context.Context, old stamp) error {
	if old.id == 0 {
		return nil
	}
	var n int
	stmt, err := b.prepareOnce(ctx, "SELECT count(*) FROM chunks WHERE note=?")
	if err != nil {
		return err
	}
	if err := stmt.QueryRowContext(ctx, old.id).Scan(&n); err != nil {
		return err
	}
	b.notes, b.chunks = b.notes-1, b.chunks-n
	if err := b.recordRemoved(ctx, old.id); err != nil {
		return err
	}
	for _, q := range []string{
		"DELETE FROM fts WHERE rowid IN (SELECT id FROM chunks WHERE note=?)",
		"DELETE FROM chunks WHERE note=?",
		"DELETE FROM names WHERE note=?",
		"DELETE FROM aliases WHERE note=?",
		"DELETE FROM links WHERE note=?",
		"DELETE FROM notes WHERE id=?",
	} {
		if err := b.execOnce(ctx, q, old.id); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) insertNote(ctx context.Context, rel string, s stamp, sum []byte, p *page.Page) error {
	var id any // a note that was there keeps its number
	if s.id != 0 {
		id = s.id
	}
	stmt, err := b.prepareOnce(ctx, "INSERT INTO notes(id, rel, base, size, mtime, hash, out) VALUES(?,?,?,?,?,?,?)")
	if err != nil {
		return err
	}
	res, err := stmt.ExecContext(ctx, id, rel, baseName(rel), s.Size, s.MTime, sum, len(p.References))
	if err != nil {
		return err
	}
	if s.id, err = res.LastInsertId(); err != nil {
		return err
	}
	for _, name := range p.Names {
		if err := b.execOnce(ctx, "INSERT OR IGNORE INTO names(name, note) VALUES(?,?)", terms.IndexedName(name), s.id); err != nil {
			return err
		}
	}
	if err := b.insertLinks(ctx, s.id, rel, p); err != nil {
		return err
	}
	for ord, c := range p.Chunks {
		hash := p.ContentHash(c)
		if err := b.insertChunk(ctx, s.id, ord, hash, p, c); err != nil {
			return err
		}
		if b.added != nil {
			b.added[rel] = append(b.added[rel], vectors.KeyOf(hash))
		}
	}
	b.notes, b.chunks = b.notes+1, b.chunks+len(p.Chunks)
	return nil
}

// insertLinks writes the names under which links find a note, and its own links.
func (b *batch) insertLinks(ctx context.Context, id int64, rel string, p *page.Page) error {
	aliases := p.Names[1:]
	if outlined := strings.ReplaceAll(p.Names[0], "___", "/"); outlined != p.Names[0] {
		aliases = append([]string{outlined}, aliases...) // outliners write a/b as a___b.md
	}
	for _, name := range aliases {
		if name = page.LinkPath(name); name == "" || name == baseName(rel) {
			continue
		}
		if err := b.execOnce(ctx, "INSERT OR IGNORE INTO aliases(name, note) VALUES(?,?)", name, id); err != nil {
			return err
		}
	}
	for _, r := range p.References {
		if err := b.execOnce(ctx, "INSERT OR IGNORE INTO links(note, path, anchor, key) VALUES(?,?,?,?)", id, r.Path, r.Anchor, r.Key); err != nil {
			return err
		}
	}
	return nil
}

// recordRemoved records the texts of a note's chunks for the vectors.
func (b *batch) recordRemoved(ctx context.Context, id int64) error {
	if b.ix.vectors == nil {
		return nil
	}
	stmt, err := b.prepareOnce(ctx, "SELECT hash FROM chunks WHERE note=?")
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(ctx, id)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var hash []byte
		if err := rows.Scan(&hash); err != nil {
			return err
		}
		b.removed = append(b.removed, vectors.KeyOf(hash))
	}
	return rows.Err()
}

func (b *batch) insertChunk(ctx context.Context, noteID int64, ord int, hash []byte, p *page.Page, c page.Chunk) error {
	stmt, err := b.prepareOnce(ctx, "SELECT coalesce(max(id), 0) FROM chunks")
	if err != nil {
		return err
	}
	var last int64
	if err := stmt.QueryRowContext(ctx).Scan(&last); err != nil {
		return err
	}
	f := p.IndexFields(c)
	id := nextChunkNumber(last, f.Body.Words)
	if err := b.execOnce(ctx, "INSERT INTO chunks(id, note, ord, hash) VALUES(?,?,?,?)", id, noteID, ord, hash); err != nil {
		return err
	}
	return b.execOnce(ctx, "INSERT INTO fts(rowid, title, heading, body, inflected) VALUES(?,?,?,?,?)",
		id, f.Title, f.Heading, string(f.Body.Plain), string(f.Body.Inflected))
}

func (b *batch) prepareOnce(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt := b.stmts[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := b.tx.PrepareContext(ctx, query) // closed with the transaction
	if err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	b.stmts[query] = stmt
	return stmt, nil
}

func (b *batch) execOnce(ctx context.Context, query string, args ...any) error {
	stmt, err := b.prepareOnce(ctx, query)
	if err != nil {
		return err
	}
	_, err = stmt.ExecContext(ctx, args...)
	return err
}

// baseName is the name by which links find a note; it is lower case.
func baseName(rel string) string {
	return strings.ToLower(strings.TrimSuffix(path.Base(rel), path.Ext(rel)))
}
