package recall

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/recall/linkgraph"
	"vaultdispatcher/engine/testdata/testseed"
)

// graphOf is the link graph as the index has it, both ways of each link checked
// against each other.
func graphOf(t *testing.T, ix *Index) string {
	t.Helper()
	out, in := make(map[string]bool), make(map[string]bool)
	var ids []int64
	rows, err := ix.reads.Query("SELECT id FROM notes")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	edges, err := ix.edgesOf(context.Background(), ids...)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		for _, e := range edges[id] {
			text := e.Source.Rel + " -> " + e.Target.Rel
			if e.Source.ID == id {
				out[text] = true
			} else {
				in[text] = true
			}
		}
	}
	if !maps.Equal(out, in) {
		t.Errorf("links by their source %v, by their target %v", out, in)
	}
	if among := linksBetween(t, ix); !maps.Equal(out, among) {
		t.Errorf("links by their source %v, among all notes %v", out, among)
	}
	return strings.Join(slices.Sorted(maps.Keys(out)), "\n")
}

// linksBetween are the links among all notes, looked up at once.
func linksBetween(t *testing.T, ix *Index) map[string]bool {
	t.Helper()
	rows, err := ix.reads.Query("SELECT id, rel FROM notes")
	if err != nil {
		t.Fatal(err)
	}
	var hits []hit
	for rows.Next() {
		var h hit
		if err := rows.Scan(&h.note, &h.rel); err != nil {
			t.Fatal(err)
		}
		hits = append(hits, h)
	}
	edges, err := (searcher{ix: ix}).edgesBetween(context.Background(), hits)
	if err != nil {
		t.Fatal(err)
	}
	among := make(map[string]bool)
	for _, e := range edges {
		among[e.Source.Rel+" -> "+e.Target.Rel] = true
	}
	return among
}

// The graph kept note by note is, after any number of saves, renames and
// deletions, the one that an index made afresh has.
func TestGraphIsKeptIncrementally(t *testing.T) {
	t.Parallel()
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 7))
	dir := t.TempDir()
	name := func() string { return pick(r, "", "a/", "a/b/", "c/") + pick(r, "One", "Two", "Three", "x.y") + ".md" }
	text := func() string {
		var b strings.Builder
		if r.IntN(3) == 0 {
			b.WriteString("---\naliases: [" + pick(r, "One", "Uno", "Due") + "]\n---\n")
		}
		for range r.IntN(5) {
			b.WriteString(pick(r, "[[One]]", "[[a/Two|t]]", "[u](Three.md)", "[v](../One.md#h)", "[[Uno]]", "![[Due#x]]", "[[x.y]]", "[[b/One]]", "words") + "\n")
		}
		return b.String()
	}
	ix := open(t, dir)
	for range 150 {
		rel, other := name(), name()
		switch r.IntN(4) {
		case 0:
			os.Remove(filepath.Join(dir, rel))
		case 1:
			if os.MkdirAll(filepath.Dir(filepath.Join(dir, other)), 0o755) == nil {
				os.Rename(filepath.Join(dir, rel), filepath.Join(dir, other))
			}
			change(t, ix, other)
		default:
			writeNote(t, dir, rel, text())
		}
		change(t, ix, rel)
		checkKeptEdges(t, ix)
	}
	same := func() string {
		kept, fresh := graphOf(t, ix), graphOf(t, open(t, dir))
		if kept != fresh {
			t.Errorf("kept:\n%s\nmade afresh:\n%s", kept, fresh)
		}
		return kept
	}
	same() // now and then no link is left
	writeNote(t, dir, "One.md", "[[a/Two|t]]\n")
	writeNote(t, dir, "a/Two.md", text())
	change(t, ix, "One.md")
	change(t, ix, "a/Two.md")
	if same() == "" {
		t.Error("no links at all")
	}
}

// checkKeptEdges has the links of all notes kept, and compares those that were kept before with what the tables say now,
// their weights too.
func checkKeptEdges(t *testing.T, ix *Index) {
	t.Helper()
	ids, err := readAll(t.Context(), ix, itself[int64], "SELECT id FROM notes")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := ix.edgesOf(t.Context(), ids...)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids { // each alone
		now, err := linkgraph.New(ix.reads).EdgesOf(t.Context(), id)
		if err != nil || !slices.Equal(kept[id], now[id]) {
			t.Fatalf("kept %v, now %v, %v", kept, now, err)
		}
	}
}

// What very many notes link to takes no link of the notes that are asked for beside it.
func TestHubBesideOthers(t *testing.T) {
	notes := map[string]string{"Hub.md": "---\naliases: [Middle]\n---\n[[Leaf]] [[Away]]\n", "Leaf.md": "[[Hub]] [[Away]]\n", "Away.md": "[[Middle]]\n"}
	for i := range 300 {
		notes[fmt.Sprintf("n%d.md", i)] = "[[" + []string{"Hub", "Middle"}[i%2] + "]]\n"
	}
	ix, _ := vault(t, notes)
	ids, err := readAll(t.Context(), ix, itself[int64], "SELECT id FROM notes WHERE rel IN ('Hub.md', 'Leaf.md', 'Away.md') ORDER BY rel")
	if err != nil {
		t.Fatal(err)
	}
	edges, err := ix.edgesOf(t.Context(), ids...)
	if away, hub, leaf := len(edges[ids[0]]), len(edges[ids[1]]), len(edges[ids[2]]); err != nil || away != 3 || hub != 202 || leaf != 3 {
		t.Errorf("%d, %d and %d links, %v", away, hub, leaf, err)
	}
	checkKeptEdges(t, ix)
}

func TestLinksBreakNearTies(t *testing.T) {
	notes := map[string]string{"hub.md": "# Hub\nSee [[a2]]. The walrus pond.\n"}
	for i := range 30 {
		notes[fmt.Sprintf("other%d.md", i)] = "something else"
	}
	for i := range 5 {
		notes[fmt.Sprintf("a%d.md", i)] = fmt.Sprintf("the walrus eats fish number%d\n", i)
	}
	ix, dir := vault(t, notes)
	if found := search(t, ix, "walrus fish"); found[0].Note != "a2.md" {
		t.Errorf("with links: %s", notesOf(found))
	}
	without, err := Open(context.Background(), filepath.Join(t.TempDir(), "i.db"), dir, Options{NoGraph: true})
	if err != nil {
		t.Fatal(err)
	}
	defer without.Close()
	syncIndex(t, without, dir)
	found := search(t, without, "walrus fish")
	if len(found) < 5 || found[0].Score != found[1].Score {
		t.Errorf("without links: %+v", found)
	}
}

func TestRelated(t *testing.T) {
	ix, dir := vault(t, map[string]string{
		"Asking.md":        "# Asking\nThe walrus budget, see [[Plan]].\n\n## Elsewhere\nThe walrus budget of last year.\n",
		"Plan.md":          "# Plan\nWalrus plans for the budget.\n",
		"Answering.md":     "We wrote the walrus budget after [[Asking]].\n",
		"Far.md":           "Another walrus.\n",
		"Neighbour.md":     "Nothing of that word, only herring. [[Far]] [[Plan#Nowhere]]\n",
		"Section.md":       "# Section\n## One\nNo.\n## Two\nThe herring is here.\n",
		"Points to two.md": "A walrus budget [[Section#Two]].\n",
		"x/Unrelated.md":   "Nothing at all.\n",
	})
	got := make(map[string]Related)
	list, err := ix.Related(context.Background(), "Asking.md", "what of the walrus budget", RelatedOptions{Limit: 20, Exclude: Lines{"Asking.md", 1, 3}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		got[r.Note] = r
	}
	for note, why := range map[string]string{"Plan.md": ByLink, "Answering.md": ByBacklink, "Far.md": ByMatch, "Neighbour.md": ByMatch, "Points to two.md": ByMatch} {
		if got[note].Reason != why {
			t.Errorf("%s: %+v, want %s", note, got[note], why)
		}
	}
	if r := got["Asking.md"]; r.Heading != "Elsewhere" {
		t.Errorf("of the asking note: %+v", r)
	}
	if r := got["Section.md"]; r.Heading != "Two" || r.Text != "The herring is here." {
		t.Errorf("a link to a heading: %+v", r)
	}
	if r, there := got["x/Unrelated.md"]; there {
		t.Errorf("unrelated: %+v", r)
	}
	few, err := ix.Related(context.Background(), "Asking.md", "walrus budget", RelatedOptions{Words: 12})
	words := 0
	for _, r := range few {
		words += len(strings.Fields(r.Text))
	}
	if err != nil || len(few) == 0 || words > 12 {
		t.Errorf("%d words in %+v %v", words, few, err)
	}
	if none, err := ix.Related(context.Background(), "New.md", "", RelatedOptions{}); err != nil || len(none) != 0 {
		t.Errorf("of nothing: %+v %v", none, err)
	}
	os.Remove(filepath.Join(dir, "Plan.md"))
	if list, err = ix.Related(context.Background(), "Asking.md", "walrus budget", RelatedOptions{}); err != nil || slices.ContainsFunc(list, func(r Related) bool { return r.Note == "Plan.md" }) {
		t.Errorf("a note that is gone: %+v %v", list, err)
	}
}
