package past

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/note"
)

// What stood below a question before it was asked is a person's own. It still is in a note that
// comes under another name in time.
func TestOwnWordsOfARenamedNote(t *testing.T) {
	const own, asked = "> my own words\n", "> @agent-Miner ask\n> my own words\n"
	for _, tt := range []struct {
		after time.Duration
		lines int // of the question
	}{{0, 1}, {2 * time.Minute, 2}} {
		synctest.Test(t, func(t *testing.T) {
			j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
			if err != nil {
				t.Fatal(err)
			}
			defer j.Close()
			q := New(Options{Journal: j, Root: "/vault", IsGone: func(string) bool { return true }, Return: time.Minute})
			read := func(rel, src string) note.Doc {
				t.Helper()
				doc, err := look(t, q, rel, []byte(src))
				if err != nil {
					t.Fatal(err)
				}
				return doc
			}
			depart := func(rel string) {
				t.Helper()
				if err := q.Depart(t.Context(), rel); err != nil {
					t.Fatal(err)
				}
			}
			read("a.md", own)
			if n := strings.Count(read("a.md", asked).Markers[0].Text, "\n"); n != 0 {
				t.Errorf("own words are asked with %d lines of others", n)
			}
			depart("a.md")
			time.Sleep(tt.after)
			depart("another.md")
			if n := 1 + strings.Count(strings.TrimSpace(read("b.md", asked).Markers[0].Text), "\n"); n != tt.lines {
				t.Errorf("after %v the question has %d lines, want %d", tt.after, n, tt.lines)
			}
		})
	}
}
