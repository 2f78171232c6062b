package recall

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/engine/recall/vectors"
)

func TestFindByMeaning(t *testing.T) {
	dir := garage(t)
	ix := thinking(t, filepath.Join(t.TempDir(), "index.db"), dir, &thinker{dim: 64})
	r := find(t, ix, "when will the car be back")
	if len(r.Passages) == 0 || r.Passages[0].Note != "Garage.md" || !r.Hybrid || r.Trouble != "" {
		t.Fatalf("not found by its meaning: %+v", r)
	}
	if p := r.Passages[0]; p.Matched != 0 || p.Similarity < 0.5 || !strings.Contains(p.Text, "automobile") || p.Link != "[[Garage]]" && p.Link != "[[Garage#Garage|Garage]]" {
		t.Errorf("the passage is %+v", p)
	}
	words, err := ix.Find(t.Context(), "when will the car be back", SearchOptions{WordsOnly: true})
	if err != nil || len(words.Passages) != 0 || words.Hybrid {
		t.Errorf("words alone find %+v, %v", words, err)
	}
	e, _ := ix.Embedding()
	if e.Dim != 64 || e.Vectors != 4 || e.Pending != 0 || e.Stale != 0 || e.LastError != "" {
		t.Errorf("state %+v", e)
	}
}

// An index without an embedder has nothing for one; one that gets it later is as one that had it.
func TestEmbedderComesLater(t *testing.T) {
	dir, file := garage(t), filepath.Join(t.TempDir(), "index.db")
	ix := reopen(t, file, dir)
	syncIndex(t, ix, dir)
	isMade := func(ix *Index) (is bool) {
		if err := ix.reads.QueryRow("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'chunks_hash')").Scan(&is); err != nil {
			t.Fatal(err)
		}
		return is
	}
	if isMade(ix) {
		t.Error("an index without an embedder has keys of texts")
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	ix = thinking(t, file, dir, &thinker{dim: 64})
	if r := find(t, ix, "when will the car be back"); len(r.Passages) == 0 || r.Passages[0].Note != "Garage.md" || !isMade(ix) {
		t.Errorf("not found by its meaning: %+v", r)
	}
}

// What has nothing to do with a query is not found by meaning, although some
// text always is the nearest one.
func TestNearestMayBeFar(t *testing.T) {
	dir := garage(t)
	ix := thinking(t, filepath.Join(t.TempDir(), "index.db"), dir, &thinker{dim: 64})
	if r := find(t, ix, "weasel"); len(r.Passages) != 0 || !r.Hybrid || r.Trouble != "" {
		t.Errorf("found %+v", r)
	}
}

// TestSureMatchStaysFirst: a note that has the words is not displaced by one
// that has the meaning.
func TestSureMatchStaysFirst(t *testing.T) {
	dir := garage(t)
	writeNote(t, dir, "Song.md", "A song about a car.\n")
	for i := range 5 {
		writeNote(t, dir, fmt.Sprintf("V%d.md", i), fmt.Sprintf("Automobile truck %d: a vehicle, and one more truck.\n", i))
	}
	ix := thinking(t, filepath.Join(t.TempDir(), "index.db"), dir, &thinker{dim: 64})
	r := find(t, ix, "song about a car")
	if len(r.Passages) < 2 || r.Passages[0].Note != "Song.md" || !r.Hybrid {
		t.Errorf("found %s", notesOf(r.Passages))
	}
	if r := find(t, ix, "Health"); len(r.Passages) == 0 || r.Passages[0].Note != "Health.md" {
		t.Errorf("a note by its name: %s", notesOf(r.Passages))
	}
}

func TestSearchGoesOnByWords(t *testing.T) {
	dir := garage(t)
	e := &thinker{dim: 64}
	e.err = &embed.Failure{Reason: "nothing answers", Remedy: "start it"}
	ix, err := Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), dir, Options{Meaning: &Meaning{Embedder: e, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	if r := find(t, ix, "plums"); r.Trouble != vectors.ErrNotEmbedded.Error() {
		t.Errorf("before anything was embedded: %q", r.Trouble)
	}
	syncIndex(t, ix, dir)
	if err := ix.vectors.CatchUp(t.Context()); err == nil {
		t.Fatal("a failing embedder is no error")
	}
	r := find(t, ix, "plums")
	if len(r.Passages) != 1 || r.Hybrid || r.Trouble != "nothing answers; start it" {
		t.Errorf("search without vectors: %+v", r)
	}
	if s, _ := ix.Embedding(); s.Pending != 4 || s.Vectors != 0 {
		t.Errorf("state %+v", s)
	}
	e.set(func(e *thinker) { e.err = nil })
	catchUp(t, ix)
	e.set(func(e *thinker) { e.err = &embed.Failure{Reason: "nothing answers", Remedy: "start it"} })
	for range 2 { // the second one does not ask
		if r := find(t, ix, "plums"); len(r.Passages) != 1 || r.Hybrid || r.Trouble != "nothing answers; start it" {
			t.Errorf("search with an embedder that went away: %+v", r)
		}
		e.set(func(e *thinker) { e.err = errors.New("asked again") })
	}
	if s, _ := ix.Embedding(); s.LastError != "nothing answers; start it" {
		t.Errorf("state %+v", s)
	}
}

// TestOnlyNewTextsAreEmbedded follows edits, renames, deletions and restarts.
func TestOnlyNewTextsAreEmbedded(t *testing.T) {
	dir, path := garage(t), filepath.Join(t.TempDir(), "index.db")
	e := &thinker{dim: 64}
	ix := thinking(t, path, dir, e)
	if n := len(e.taken()); n != 4 {
		t.Fatalf("%d texts were embedded, want 4", n)
	}
	expect := func(what string, stale int, texts ...string) {
		t.Helper()
		catchUp(t, ix)
		if got := strings.Join(e.taken(), "|"); got != strings.Join(texts, "|") {
			t.Errorf("%s embedded %q, want %q", what, got, texts)
		}
		if s, _ := ix.Embedding(); s.Stale != stale || s.Pending != 0 {
			t.Errorf("%s: %+v, want %d stale", what, s, stale)
		}
	}
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
		change(t, ix, from)
		change(t, ix, to)
	}
	move("Garden.md", "Yard.md")
	expect("a rename", 0)
	writeNote(t, dir, "Yard.md", "# Garden\n\nThe plums ripen in October.\n\n## Tools\n\nA spade and a rake hang in the shed.\n")
	change(t, ix, "Yard.md")
	expect("an edit", 1, "The plums ripen in October.")
	writeNote(t, dir, "Copy.md", "# Health\n\nThe clinic opens at eight.\n")
	change(t, ix, "Copy.md")
	expect("a copy", 1)
	move("Garage.md", "x.txt")
	expect("a deletion", 2)
	if r := find(t, ix, "car"); len(r.Passages) > 0 && r.Passages[0].Note == "Garage.md" {
		t.Error("what was deleted is found")
	}
	move("x.txt", "Garage.md")
	expect("its return", 1)
	if r := find(t, ix, "car"); len(r.Passages) == 0 || r.Passages[0].Note != "Garage.md" {
		t.Error("what came back is not found")
	}
	writeNote(t, dir, "Odd.md", "An unspeakable thing.\n")
	change(t, ix, "Odd.md")
	expect("a text that no vector can be had of", 1, "An unspeakable thing.")

	ix.Close()
	ix = thinking(t, path, dir, e)
	expect("a restart", 1)
	if r := find(t, ix, "car"); len(r.Passages) == 0 || r.Passages[0].Note != "Garage.md" || !r.Hybrid {
		t.Error("nothing is found by its meaning after a restart")
	}
}

// TestVectorsMadeAgain opens files that cannot be used any more.
func TestVectorsMadeAgain(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, file string, e *thinker)
	}{
		{"another model", func(_ *testing.T, _ string, e *thinker) { e.print = "2" }},
		{"another length under the same name", func(_ *testing.T, _ string, e *thinker) { e.dim = 48 }},
		{"rubbish", func(t *testing.T, file string, _ *thinker) { overwrite(t, file, "rubbish", 0) }},
		{"gone", func(t *testing.T, file string, _ *thinker) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, path := garage(t), filepath.Join(t.TempDir(), "index.db")
			e := &thinker{dim: 64}
			ix := thinking(t, path, dir, e)
			ix.Close()
			e.taken()
			c.damage(t, filepath.Join(filepath.Dir(path), "vectors.db"), e)
			writeNote(t, dir, "New.md", "The truck is new.\n")
			ix, err := Open(t.Context(), path, dir, Options{Meaning: &Meaning{Embedder: e, Weight: 1, Batch: 3}})
			if err != nil {
				t.Fatal(err)
			}
			defer ix.Close()
			syncIndex(t, ix, dir)
			if err := ix.vectors.CatchUp(t.Context()); err != nil { // another length is noticed with the first vectors
				if !errors.Is(err, vectors.ErrOtherLength) {
					t.Fatal(err)
				}
				catchUp(t, ix)
			}
			if s, _ := ix.Embedding(); s.Vectors != 5 || s.Dim != e.dim || s.Pending != 0 {
				t.Errorf("state %+v", s)
			}
			if r := find(t, ix, "car"); len(r.Passages) == 0 || !r.Hybrid {
				t.Errorf("found %+v", r)
			}
		})
	}
}

// TestEmbed runs the goroutine itself: it waits for the index, works, follows a
// save, rests, and ends with its context.
func TestEmbed(t *testing.T) {
	t.Parallel()
	dir := garage(t)
	e := &thinker{dim: 64}
	e.err = &embed.Failure{Reason: "down", Remedy: "wait", Pause: time.Nanosecond}
	ix, err := Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), dir, Options{Meaning: &Meaning{Embedder: e, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- ix.Embed(ctx) }()
	state := func(ok func(vectors.State) bool) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; {
			s, _ := ix.Embedding()
			if ok(s) {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("the state stays %+v", s)
			}
			<-time.After(5 * time.Millisecond)
		}
	}
	syncIndex(t, ix, dir)
	state(func(s vectors.State) bool { return s.LastError == "down; wait" && s.Pending == 4 })
	e.set(func(e *thinker) { e.err = nil })
	state(func(s vectors.State) bool { return s.LastError == "" && s.Vectors == 4 && s.Pending == 0 })
	writeNote(t, dir, "New.md", "The truck is new.\n")
	change(t, ix, "New.md")
	state(func(s vectors.State) bool { return s.Vectors == 5 && s.Pending == 0 })
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Embed ends with %v", err)
	}
}

// A question without a word is one all the same where meanings are compared.
func TestMeaningWithoutWords(t *testing.T) {
	dir := garage(t)
	ix := thinking(t, filepath.Join(t.TempDir(), "index.db"), dir, &thinker{dim: 64})
	speaking := thinking(t, filepath.Join(t.TempDir(), "index.db"), dir, &thinker{dim: 64, means: "car"})
	for _, query := range []string{"", "?", "??? !", "🚗"} {
		if r := find(t, ix, query); r.Trouble != "" {
			t.Errorf("%q: %+v", query, r)
		}
		if r := find(t, speaking, query); len(r.Passages) == 0 || r.Passages[0].Note != "Garage.md" {
			t.Errorf("%q, which means car: %+v", query, r)
		}
	}
}

// What no embedder is told of is found by its words, and so is what is asked there.
func TestSilentNotesAreNotEmbedded(t *testing.T) {
	e := &thinker{dim: 64}
	dir := t.TempDir()
	for name, text := range map[string]string{"Journal/a.md": "The automobile was secretly ruined.\n", "b.md": "A truck went by.\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	silent := func(rel string) bool { return strings.HasPrefix(rel, "Journal/") }
	ix, err := Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), dir, Options{Meaning: &Meaning{Embedder: e, Weight: 1}, Silent: silent})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- ix.Embed(ctx) }()
	if err := ix.Sync(ctx, []string{"Journal/a.md", "b.md"}, nil); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; <-time.After(time.Millisecond) {
		if s, _ := ix.Embedding(); s.Vectors == 1 && s.Pending == 0 {
			break
		}
		if time.Now().After(end) {
			s, _ := ix.Embedding()
			t.Fatalf("%+v", s)
		}
	}
	if err := ix.Update(ctx, "Journal/a.md"); err != nil {
		t.Fatal(err)
	}
	for asking, hybrid := range map[string]bool{"Journal/a.md": false, "b.md": true, "": true} {
		r, err := ix.Find(ctx, "which vehicle was ruined?", SearchOptions{Exclude: Lines{Note: asking, Start: 900, End: 901}})
		if err != nil || r.Hybrid != hybrid || len(r.Passages) == 0 || r.Passages[0].Note != "Journal/a.md" {
			t.Errorf("asked in %q: %+v, %v", asking, r, err)
		}
	}
	stop()
	<-ended
	if len(e.texts) != 1 || strings.Contains(e.texts[0], "secretly") {
		t.Errorf("the embedder was told %q", e.texts)
	}
}
