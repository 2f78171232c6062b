package recall

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"path"
	"runtime/debug"
	"strings"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/recall/indexed"
	"vaultdispatcher/engine/recall/linkgraph"
	"vaultdispatcher/engine/recall/notedisk"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/recall/postings"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/recall/vectors"
	"vaultdispatcher/engine/syserr"
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
	ix   *Index
	tx   *sql.Tx
	part *postings.Part

	arrival time.Time // of notes that are not known yet

	handled       int // notes of the list
	notes, chunks int // change of the totals
	isSync        bool
	isRelinked    bool     // links, or what they may mean, have changed in a Sync
	relinked      []string // names whose links may have changed in a Sync

	added   map[string][]vectors.Key // texts of the chunks written, by note; only with an embedder
	removed []vectors.Key            // texts of the chunks that went; the same
}

// storeNotes writes notes and the part that their words are in. A Sync passes over notes that cannot be read.
func (b *batch) storeNotes(ctx context.Context, tx *sql.Tx, list []notedisk.Note) (err error) {
	b.tx = tx
	if b.part, err = postings.NewPart(ctx, tx); err != nil {
		return err
	}
	size := 0
	for i := range list {
		if b.isSync && (i >= loadNotes || size >= loadNotes*noteBytes) && b.ix.hurry.Load() > 0 {
			break
		}
		size += len(list[i].Source)
		err := b.storeNote(ctx, list[i])
		b.handled++
		list[i].Source = nil // it may be large
		if bad, ok := errors.AsType[*unreadable](err); ok && b.isSync {
			b.ix.log.Warn("note cannot be indexed", "note", bad.rel, "error", bad.err)
			b.ix.setState(func(s *State) { s.LastError = syserr.Plain(bad) })
		} else if err != nil {
			return err
		}
	}
	return b.part.Store(ctx, tx)
}

// storeNote updates the rows of one note to its contents. Of a note that is known only what has
// changed is written: most saves ask a question or answer one, which changes no text of the index.
func (b *batch) storeNote(ctx context.Context, n notedisk.Note) error {
	if n.Err != nil {
		return &unreadable{n.Rel, n.Err}
	}
	old, err := b.findRow(ctx, n.Rel)
	if err != nil {
		return err
	}
	if !n.IsPresent {
		return b.removeNote(ctx, old)
	}
	sum := indexed.Hash(n.Source)
	if old.id != 0 && bytes.Equal(old.hash, sum) {
		return b.exec(ctx, "UPDATE notes SET mark=?, mtime=? WHERE id=?", n.Mark, n.MTime, old.id)
	}
	if len(n.Source) > hugeNote {
		defer debug.FreeOSMemory() // not kept until the collector gets to it
	}
	read := note.NewPage(n.Source)
	if old.id == 0 && !b.arrival.IsZero() && len(read.Doc().Markers) > 0 {
		old.arrival = b.arrival.UnixMilli()
	}
	return b.writeNote(ctx, n, old, sum, page.Read(n.Rel, read))
}

func (b *batch) findRow(ctx context.Context, rel string) (s row, err error) {
	err = b.tx.QueryRowContext(ctx, "SELECT id, came, hash, about FROM notes WHERE rel=?", rel).Scan(&s.id, &s.arrival, &s.hash, &s.linkHash)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return s, err
}

func (b *batch) removeNote(ctx context.Context, old row) error {
	if old.id == 0 {
		return nil
	}
	b.notes--
	if err := b.writeChunks(ctx, old.id, true, "", &page.Page{}); err != nil {
		return err
	}
	if err := b.removeNames(ctx, old.id); err != nil {
		return err
	}
	return b.exec(ctx, "DELETE FROM notes WHERE id=?", old.id)
}

// noteNames remembers the names of a note that is written. A Sync makes all forgotten instead.
func (b *batch) noteNames(ctx context.Context, id int64) error {
	if b.isSync {
		b.isRelinked = true
		return nil
	}
	names, err := linkgraph.NamesOf(ctx, b.tx, id)
	b.relinked = append(b.relinked, names[id]...)
	return err
}

// removeNames removes what links find a note by, and its own links.
func (b *batch) removeNames(ctx context.Context, id int64) error {
	if err := b.noteNames(ctx, id); err != nil {
		return err
	}
	for _, table := range []string{"names", "aliases", "links"} {
		if err := b.exec(ctx, "DELETE FROM "+table+" WHERE note=?", id); err != nil {
			return err
		}
	}
	return nil
}

// writeNote writes a note that is new or has other bytes than before.
func (b *batch) writeNote(ctx context.Context, n notedisk.Note, old row, sum []byte, p *page.Page) error {
	names := indexed.AppendTexts(binary.AppendUvarint(nil, uint64(len(p.Names))), p.Names...)
	for _, r := range p.References {
		names = indexed.AppendTexts(names, r.Path, r.Anchor, r.Key)
	}
	about := indexed.Hash(names)
	isKnown := old.id != 0
	if isKnown {
		err := b.exec(ctx, "UPDATE notes SET mark=?, mtime=?, hash=?, about=?, out=? WHERE id=?", n.Mark, n.MTime, sum, about, len(p.References), old.id)
		if err == nil && !bytes.Equal(old.linkHash, about) {
			err = b.removeNames(ctx, old.id)
		}
		if err != nil {
			return err
		}
	} else { // an upsert would have SQLite open a journal for the statement alone
		b.notes++
		made, err := b.tx.ExecContext(ctx, "INSERT INTO notes(rel, base, mark, mtime, hash, about, out, came) VALUES(?,?,?,?,?,?,?,?)",
			n.Rel, baseName(n.Rel), n.Mark, n.MTime, sum, about, len(p.References), old.arrival)
		if err != nil {
			return err
		}
		if old.id, err = made.LastInsertId(); err != nil {
			return err
		}
	}
	if !isKnown || !bytes.Equal(old.linkHash, about) {
		if err := b.insertNames(ctx, old.id, n.Rel, p); err != nil {
			return err
		}
		if err := b.noteNames(ctx, old.id); err != nil {
			return err
		}
	}
	return b.writeChunks(ctx, old.id, isKnown, n.Rel, p)
}

// insertNames writes the names under which questions and links find a note, and its own links.
func (b *batch) insertNames(ctx context.Context, id int64, rel string, p *page.Page) (err error) {
	insert := func(into string, args ...any) {
		if err == nil {
			err = b.exec(ctx, "INSERT OR IGNORE INTO "+into, args...)
		}
	}
	for _, name := range p.Names {
		insert("names(name, note) VALUES(?,?)", terms.IndexedName(name), id)
	}
	aliases := p.Names[1:]
	if outlined := strings.ReplaceAll(p.Names[0], "___", "/"); outlined != p.Names[0] {
		aliases = append([]string{outlined}, aliases...) // outliners write a/b as a___b.md
	}
	for _, name := range aliases {
		if name = page.LinkPath(name); name != "" && name != baseName(rel) {
			insert("aliases(name, note) VALUES(?,?)", name, id)
		}
	}
	for _, r := range p.References {
		insert("links(note, path, anchor, key) VALUES(?,?,?,?)", id, r.Path, r.Anchor, r.Key)
	}
	return err
}

// exec writes rows.
func (b *batch) exec(ctx context.Context, query string, args ...any) error {
	_, err := b.tx.ExecContext(ctx, query, args...)
	return err
}

// baseName is the name by which links find a note; it is lower case.
func baseName(rel string) string {
	return strings.ToLower(strings.TrimSuffix(path.Base(rel), path.Ext(rel)))
}
