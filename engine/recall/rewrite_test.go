package recall

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/recall/postings"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/testdata/testseed"
)

// rowsWritten is how many rows the index has written since it was opened.
func rowsWritten(t *testing.T, ix *Index) (n int) {
	t.Helper()
	if err := ix.writer.QueryRow("SELECT total_changes()").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// postingsOf is what the index has of every note: its chunks in their order, each with its words, its
// names and its links. Numbers of rows have no part in it.
func postingsOf(t *testing.T, ix *Index) string {
	t.Helper()
	rows, err := ix.reads.Query(`SELECT n.rel || ' out ' || n.out || ' ' || hex(n.hash) || ' chunks '
		|| (SELECT group_concat(c.ord || ' ' || hex(c.hash) || ' ' || hex(c.words) || ' ' || c.id % 256, ', ' ORDER BY c.ord) FROM chunks c WHERE c.note = n.id) || ' names '
		|| coalesce((SELECT group_concat(name, ', ' ORDER BY name) FROM names WHERE note = n.id), '') || ' aliases '
		|| coalesce((SELECT group_concat(name, ', ' ORDER BY name) FROM aliases WHERE note = n.id), '') || ' links '
		|| coalesce((SELECT group_concat(path || '#' || anchor, ', ' ORDER BY path, anchor) FROM links WHERE note = n.id), '')
		FROM notes n ORDER BY n.rel`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var b strings.Builder
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// occurrences is where the postings have a word: note, chunk, column, count.
func occurrences(t *testing.T, ix *Index, word string) (list []string) {
	t.Helper()
	found, gone, err := searcher{ix, terms.Parse(word)}.readTerms(t.Context())
	if err != nil || len(found) != 1 {
		t.Fatalf("%d terms, %v", len(found), err)
	}
	for _, l := range found[0].lists {
		l.Each(func(c postings.Chunk, in postings.Column, times int) {
			if gone[c] {
				return
			}
			var at string
			if err := ix.reads.QueryRow("SELECT n.rel || ':' || c.ord FROM chunks c JOIN notes n ON n.id = c.note WHERE c.id = ?", c).Scan(&at); err != nil {
				t.Fatal(err)
			}
			list = append(list, fmt.Sprint(at, " ", in, " ", times))
		})
	}
	slices.Sort(list)
	return list
}

// A question and its answer change no text of the index, and a changed section changes its own alone.
func TestOnlyChangedTextIsWritten(t *testing.T) {
	dir := t.TempDir()
	section := func(i int) string { return fmt.Sprintf("## Part %d\n%s\n\n", i, strings.Join(wordsOf(i), " ")) }
	var body string
	for i := range 20 {
		body += section(i)
	}
	writeNote(t, dir, "a.md", "# A\n[[b]]\n\n"+body)
	ix := open(t, dir)
	before := rowsWritten(t, ix)
	for i, text := range []string{
		"# A\n[[b]]\n\n> @agent-Miner what is new?\n\n" + body,
		"# A\n[[b]]\n\n<!-- agent-response -->\nthe walrus, [[c]]\n<!-- /agent-response -->\n\n" + body,
	} {
		writeNote(t, dir, "a.md", text)
		change(t, ix, "a.md")
		if n := rowsWritten(t, ix) - before; n != i+1 {
			t.Errorf("%d saves that change no text write %d rows", i+1, n)
		}
	}
	before = rowsWritten(t, ix)
	writeNote(t, dir, "a.md", "# A\n[[b]]\n\n"+strings.Replace(body, section(7), "## Part 7\nthe otter sleeps\n\n", 1))
	change(t, ix, "a.md")
	if n := rowsWritten(t, ix) - before; n > 8 {
		t.Errorf("one changed section of 20 writes %d rows", n)
	}
	if got := search(t, ix, "otter"); len(got) != 1 || got[0].Heading != "Part 7" {
		t.Errorf("found %+v", got)
	}
}

// An index that followed any number of saves has the same text, names and links as one that is made
// afresh: sections move, are renamed, doubled and taken out, titles, properties
// and links change, and a heading becomes text.
func TestIndexIsKeptIncrementally(t *testing.T) {
	t.Parallel()
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 9))
	words := []string{"walrus", "otter", "harbour", "lantern", "meadow", "copper"}
	text := func() string {
		var b strings.Builder
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "---\ntitle: %s\ntags: [%s]\naliases: [%s]\nowner: %s\n---\n", pick(r, words...), pick(r, words...), pick(r, words...), pick(r, words...))
		}
		for range r.IntN(6) {
			b.WriteString(pick(r, "## "+pick(r, words...)+"\n", pick(r, words...)+"\n", "> @agent-Miner "+pick(r, words...)+"?\n\n",
				"<!-- agent-response -->\n"+pick(r, words...)+"\n<!-- /agent-response -->\n", "[["+pick(r, words...)+"]]\n",
				"| head |\n|---|\n| "+pick(r, words...)+" |\n\n", "\n- "+pick(r, words...)+"\n"))
		}
		return b.String()
	}
	dir := t.TempDir()
	ix := open(t, dir)
	for range 200 {
		rel := pick(r, "One", "Two", "a/Three", "walrus") + ".md"
		if r.IntN(10) == 0 {
			os.Remove(filepath.Join(dir, rel))
		} else {
			writeNote(t, dir, rel, text())
		}
		change(t, ix, rel)
	}
	fresh := open(t, dir)
	if kept, made := postingsOf(t, ix), postingsOf(t, fresh); kept != made {
		t.Errorf("kept:\n%s\nmade afresh:\n%s", kept, made)
	}
	for _, word := range words {
		if kept, made := occurrences(t, ix, word), occurrences(t, fresh, word); !slices.Equal(kept, made) {
			t.Errorf("%s: kept is in %q, made afresh in %q", word, kept, made)
		}
	}
	if kept, made := ix.State(), fresh.State(); kept.Chunks != made.Chunks || kept.Notes != made.Notes {
		t.Errorf("kept %+v, made afresh %+v", kept, made)
	}
}
