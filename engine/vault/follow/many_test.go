package follow

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

// Very many notes that have something in common get other names at once. What is of one of them alone is followed.
func TestFollowsWhatIsOfOneOfMany(t *testing.T) {
	const n = 2 * mostAlike
	for name, text := range map[string]func(i int) string{
		"a question on top":     func(i int) string { return fmt.Sprintf("> @agent-Miner what?\n\nof %d\n", i) },
		"a question at the end": func(i int) string { return fmt.Sprintf("of %d\n\n> @agent-Miner what?\n", i) },
		"two, one for all": func(i int) string {
			return fmt.Sprintf("# Today\n\n> @agent-Miner what?\n\n# Else\n\n> @agent-Miner why %d?\n", i)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			for i := range n {
				w.ask(fmt.Sprintf("%d.md", i), text(i))
			}
			for i := range n {
				delete(w.notes, fmt.Sprintf("%d.md", i))
				w.Went(fmt.Sprintf("%d.md", i))
				w.put(fmt.Sprintf("day %d.md", i), text(i))
			}
			for i := range n {
				got := w.look(t, fmt.Sprintf("day %d.md", i))
				if own := fmt.Sprintf("%d.md ", i); len(got) == 0 || slices.ContainsFunc(got, func(id string) bool { return !strings.HasPrefix(id, own) }) {
					t.Fatalf("in the note that was %d.md are %q", i, got)
				}
			}
		})
	}
}

// Very many notes become one.
func TestFollowsManyIntoOne(t *testing.T) {
	w := newWorld()
	var all strings.Builder
	const n = 2 * mostAlike
	for i := range n {
		text := fmt.Sprintf("of %d\n\n> @agent-Miner what of %d?\n\n", i, i)
		w.ask(fmt.Sprintf("%d.md", i), text)
		all.WriteString(text)
	}
	for i := range n {
		delete(w.notes, fmt.Sprintf("%d.md", i))
		w.Went(fmt.Sprintf("%d.md", i))
	}
	w.put("all.md", all.String())
	if got := w.look(t, "all.md"); len(got) != n {
		t.Errorf("%d of %d were followed", len(got), n)
	}
}

// Where what few notes have is compared, a question goes nowhere that it would not go where all is compared, and what is of one
// note alone goes along.
func TestFollowsFewAsIfAllWereCompared(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	moved, rounds := 0, 1500
	if testing.Short() {
		rounds = 150
	}
	for round := range rounds {
		w, all := newWorld(), newWorld()
		w.mostAlike = 1 + r.IntN(3)
		text := func(i int) string {
			var b strings.Builder
			for range 1 + r.IntN(3) {
				fmt.Fprintf(&b, "%s\n\n> @agent-Miner %s\n\n", pick("", "one", "two", fmt.Sprint("of ", i)), pick("what?", "why?", fmt.Sprint("where is ", i)))
			}
			return b.String()
		}
		came := make(map[string]string)
		for i := range 2 + r.IntN(6) {
			from, to, src := fmt.Sprint("old/", i), fmt.Sprint("new/", pick("", "other "), i), text(i)
			w.ask(from, src)
			all.ask(from, src)
			if r.IntN(5) == 0 {
				src = text(i)
			}
			if r.IntN(5) > 0 {
				came[to] = src
			}
		}
		for _, v := range []*world{w, all} {
			for rel := range maps.Clone(v.notes) {
				delete(v.notes, rel)
				v.Went(rel)
			}
			for rel, src := range came {
				v.put(rel, src)
			}
		}
		for _, rel := range slices.Sorted(maps.Keys(came)) {
			got, want := w.look(t, rel), all.match(t, rel)
			for _, id := range got {
				if moved++; !slices.Contains(want, id) {
					t.Fatalf("seed %d, round %d: in %s are %q, but %q\n%v\n%v", seed, round, rel, got, want, w.notes, w.claims)
				}
			}
			for _, c := range all.claims[rel] {
				if strings.Contains(c.Marker.Text, "where is") && !slices.Contains(got, c.Dispatch) {
					t.Fatalf("seed %d, round %d: in %s are %q, but %q\n%v\n%v", seed, round, rel, got, want, w.notes, w.claims)
				}
			}
		}
	}
	if moved < rounds/3 {
		t.Errorf("only %d questions were followed", moved)
	}
}

// A folder that is not watched is told of one note after the other, each renamed just before.
func TestSweepsForItsOwnNameWhereMuchIsAlike(t *testing.T) {
	w := newWorld()
	w.watched = false
	const ask, n = "> @agent-Miner what?\n", 2 * mostAlike
	for i := range n {
		w.ask(fmt.Sprintf("old/%d.md", i), ask)
	}
	for i := range n {
		delete(w.notes, fmt.Sprintf("old/%d.md", i))
		rel := fmt.Sprintf("new/%d.md", i)
		w.put(rel, ask)
		if got := w.look(t, rel); len(got) != 1 {
			t.Fatalf("in %s are %q", rel, got)
		}
	}
}

// Where a folder is renamed a look asks for the note that had its name, however many others have the same question.
func TestLooksForItsOwnNameFirst(t *testing.T) {
	w := newWorld()
	const ask = "> @agent-Miner what?\n"
	for i := range mostAlike {
		w.ask(fmt.Sprintf("old/%d.md", i), ask)
	}
	for i := range mostAlike {
		delete(w.notes, fmt.Sprintf("old/%d.md", i))
		w.Went(fmt.Sprintf("old/%d.md", i))
		w.put(fmt.Sprintf("new/%d.md", i), ask)
	}
	for i := range mostAlike {
		rel := fmt.Sprintf("new/%d.md", i)
		if got := w.look(t, rel); len(got) != 1 {
			t.Fatalf("in %s are %q", rel, got)
		}
	}
	if w.looks > 5*mostAlike {
		t.Errorf("%d looks have asked the disk %d times", mostAlike, w.looks)
	}
}
