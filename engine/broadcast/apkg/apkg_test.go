package apkg

import (
	"archive/zip"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// open unpacks a package and opens its collection.
func open(t *testing.T, file []byte) *sql.DB {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string][]byte)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		texts[f.Name], err = io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	if string(texts["media"]) != "{}" || len(texts) != 2 {
		t.Errorf("the package has %d files, media is %q", len(texts), texts["media"])
	}
	path := filepath.Join(t.TempDir(), "collection.anki2")
	if err := os.WriteFile(path, texts["collection.anki2"], 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// readNotes are the fields of the notes by their GUIDs, read as an importer does: with their cards and deck.
func readNotes(t *testing.T, db *sql.DB) map[string]string {
	t.Helper()
	rows, err := db.Query(`SELECT n.guid, n.flds, d.value ->> 'name' FROM cards c JOIN notes n ON n.id = c.nid, col,
		json_each(col.decks) d, json_each(col.models) m WHERE d.key = c.did AND m.key = n.mid AND c.ord = 0 ORDER BY c.due`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	notes := make(map[string]string)
	for rows.Next() {
		var guid, fields, deck string
		if err := rows.Scan(&guid, &fields, &deck); err != nil {
			t.Fatal(err)
		}
		notes[guid] = deck + ": " + strings.ReplaceAll(fields, "\x1f", " | ")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return notes
}

var day = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func pack(t *testing.T, d Deck) []byte {
	t.Helper()
	file, err := Pack(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestPack(t *testing.T) {
	cards := []Card{{"What is 1 < 2?", "<b>true</b> & so", "Sums", "Maths/Sums.md"}, {"Crema", "the foam", "Espresso", "Espresso.md"}, {"Crema", "another", "Milk", "Milk.md"}}
	file := pack(t, Deck{Name: `My "deck"`, Cards: cards, Date: day})
	db := open(t, file)
	var fine, conf, models, decks, options string
	var version int
	if err := db.QueryRow(`PRAGMA integrity_check`).Scan(&fine); err != nil || fine != "ok" {
		t.Errorf("the database is %s, %v", fine, err)
	}
	if err := db.QueryRow(`SELECT ver, conf, models, decks, dconf FROM col`).Scan(&version, &conf, &models, &decks, &options); err != nil || version != 11 {
		t.Errorf("version %d, %v", version, err)
	}
	for _, text := range []string{conf, models, decks, options} {
		if !json.Valid([]byte(text)) {
			t.Errorf("%s is no JSON", text)
		}
	}
	first := readNotes(t, db)
	fields := strings.Join(valuesOf(first), "\n")
	if len(first) != 3 || !strings.Contains(fields, `My "deck": What is 1 &lt; 2? | &lt;b&gt;true&lt;/b&gt; &amp; so | Sums`) {
		t.Errorf("the notes are %v", first)
	}
	if !bytes.Equal(file, pack(t, Deck{Name: `My "deck"`, Cards: cards, Date: day})) {
		t.Error("the same deck is another file")
	}

	// Made again with another answer and one card more, the notes are the same ones.
	cards[1].Back = "the foam on top"
	again := readNotes(t, open(t, pack(t, Deck{Name: "Renamed", Cards: append(cards[1:], Card{"New", "one", "New", "New.md"}), Date: day.AddDate(0, 0, 9)})))
	imported := make(map[string]bool)
	for guid := range first {
		imported[guid] = true
	}
	for guid := range again {
		imported[guid] = true
	}
	if len(again) != 3 || len(imported) != 4 {
		t.Errorf("%d notes after two imports of %v and %v", len(imported), first, again)
	}
	if reflect.DeepEqual(first, again) {
		t.Error("the second is the first")
	}
}

func valuesOf(m map[string]string) (list []string) {
	for _, v := range m {
		list = append(list, v)
	}
	return list
}
