package past

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/note"
)

// What a journal of the last schema knew of a note is known: which words below a question are a person's own, which question came
// with its note, and that a note had another name.
func TestKnowsWhatTheLastSchemaKnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	tables, err := os.ReadFile("../journal/schema/testdata/18.sql")
	if err != nil {
		t.Fatal(err)
	}
	own := fnv.New64a()
	own.Write([]byte("my own words"))
	theirs := sha256.Sum256([]byte("@agent-Miner theirs"))
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(fmt.Sprintf(`%s; PRAGMA user_version = 18;
		INSERT INTO standing (vault, file, lines) VALUES ('/vault', 'mine.md', x'%016x');
		INSERT INTO arrivals (vault, file, seen, kind, reason, lines, came) VALUES ('/vault', 'clip.md', 1, 'untrusted', '', x'%x', x'%x');`,
		tables, own.Sum64()|1, theirs[:8], theirs[:8]))
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	j, err := journal.On(database.Open(t.Context(), path))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	m := New(Options{Journal: j, Root: "/vault", Untrusted: []string{"clip*"}, IsGone: func(string) bool { return true }, Return: time.Minute})
	if doc, err := look(t, m, "mine.md", []byte("> @agent-Miner ask\n> my own words\n")); err != nil || strings.Contains(doc.Markers[0].Text, "own") {
		t.Errorf("asked is %q, %v", doc.Markers[0].Text, err)
	}
	for _, c := range []struct {
		rel, src string
		isNew    bool
		want     string
	}{
		{"moved.md", "> @agent-Miner theirs\n", true, "true"},
		{"clip.md", "> @agent-Miner theirs\n\n> @agent-Miner mine\n", false, "true false"},
	} {
		l, err := m.Read(t.Context(), c.rel, note.NewPage([]byte(c.src)), nil)
		if err != nil {
			t.Fatal(err)
		}
		came, err := l.Arrive(t.Context(), Seen{Time: time.Now(), New: c.isNew})
		var got []string
		for _, q := range l.Doc.Markers {
			got = append(got, fmt.Sprint(came.Holds(q.Text)))
		}
		if strings.Join(got, " ") != c.want || err != nil {
			t.Errorf("in %s wait %v, want %v; %v", c.rel, got, c.want, err)
		}
	}
}
