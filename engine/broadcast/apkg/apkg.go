// Package apkg writes decks of cards as Anki reads them: a zip of a database with Anki's schema 11, and
// no media.
//
//	file, err := apkg.Pack(ctx, apkg.Deck{Name: "Coffee", Cards: cards, Made: now})
//
// # Promises
//
// A card keeps its GUID as long as its front and its note have the same names, so that importing a deck again
// renews its notes and keeps what was learnt (https://docs.ankiweb.net/importing/packaged-decks.html).
// The same deck made in the same second is the same file. Fields are text: what would be HTML is escaped. No file is
// written; the database is made in memory.
package apkg

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"database/sql"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// Deck is what is written.
type Deck struct {
	Name  string
	Cards []Card
	Date  time.Time // cards of an older deck give way to those of a newer one
}

// Card is one side and the other.
type Card struct {
	Front, Back string
	Source      string // the title of the note that it was made from
	Note        string // the path of that note
}

// schema has the tables of Anki's schema 11, as
// https://github.com/ankitects/anki/blob/main/rslib/src/storage/schema11.sql has them.
//
//go:embed schema11.sql
var schema string

// mostTime bounds the ids, which are times in milliseconds to Anki.
const (
	firstTime = 1_400_000_000_000
	mostTime  = 200_000_000_000
)

// noteType is the id of our kind of notes; it must never change.
const noteType = 1_716_003_117_411

// Pack returns the file of a deck.
func Pack(ctx context.Context, d Deck) ([]byte, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("make a collection: %w", err)
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("make a collection: %w", err)
	}
	defer conn.Close()
	if err := d.fillCollection(ctx, conn); err != nil {
		return nil, fmt.Errorf("fill a collection: %w", err)
	}
	var collection []byte
	err = conn.Raw(func(driver any) (err error) {
		s, ok := driver.(interface{ Serialize() ([]byte, error) })
		if !ok {
			return errors.New("the driver cannot write a database in memory")
		}
		collection, err = s.Serialize()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("write a collection: %w", err)
	}
	return zipUp(collection)
}

// zipUp returns a package of a collection without media.
func zipUp(collection []byte) ([]byte, error) {
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	for _, part := range []struct {
		name string
		text []byte
	}{{"collection.anki2", collection}, {"media", []byte("{}")}} {
		w, err := z.Create(part.name)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", part.name, err)
		}
		if _, err := w.Write(part.text); err != nil {
			return nil, fmt.Errorf("write %s: %w", part.name, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("end the package: %w", err)
	}
	return file.Bytes(), nil
}

// fillCollection writes the tables of a collection that has one deck.
func (d Deck) fillCollection(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, schema); err != nil {
		return err
	}
	seconds, deck := d.Date.Unix(), newTime("deck", d.Name)
	if _, err := conn.ExecContext(ctx, `INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')`,
		seconds, seconds*1000, seconds*1000, encodeJSON(settings), encodeJSON(d.describeNotes(deck)), encodeJSON(d.describeDecks(deck)), encodeJSON(options)); err != nil {
		return err
	}
	taken := make(map[int64]bool)
	for i, c := range d.Cards {
		guid := hashParts(c.Note, c.Front)
		id := newTime("note", c.Note, c.Front)
		for taken[id] {
			id++
		}
		taken[id] = true
		front := html.EscapeString(c.Front)
		fields := strings.Join([]string{front, html.EscapeString(c.Back), html.EscapeString(c.Source)}, "\x1f")
		if _, err := conn.ExecContext(ctx, `INSERT INTO notes VALUES (?, ?, ?, ?, -1, '', ?, ?, ?, 0, '')`,
			id, hex.EncodeToString(guid[:8]), noteType, seconds, fields, front, checkSum(c.Front)); err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, `INSERT INTO cards VALUES (?, ?, ?, 0, ?, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')`,
			id, id, deck, seconds, i+1); err != nil {
			return err
		}
	}
	return nil
}

func hashParts(parts ...string) [32]byte { return sha256.Sum256([]byte(strings.Join(parts, "\x00"))) }

// newTime is an id that is always the same for the same parts.
func newTime(parts ...string) int64 {
	sum := hashParts(parts...)
	return firstTime + int64(binary.BigEndian.Uint64(sum[:])%mostTime)
}

// checkSum is by what Anki finds notes with the same first field.
func checkSum(front string) int64 {
	sum := sha1.Sum([]byte(front))
	return int64(binary.BigEndian.Uint32(sum[:4]))
}

func encodeJSON(value any) string {
	text, _ := json.Marshal(value) // maps of plain values
	return string(text)
}
