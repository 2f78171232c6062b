//go:build recalleval

package recallbench

import (
	"context"
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/models"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/testdata/testseed"
)

var (
	provider = flag.String("provider", "none", "TestOwnNotes searches by meaning too, by this `provider` of embeddings")
	model    = flag.String("model", "", "the `model` of that provider")
	server   = flag.String("url", "", "the `address` of its server")
)

// TestOwnNotes asks a vault about itself, by words, with links and by meaning: for a note by its title without one of
// its words, and by a heading that no other note has.
func TestOwnNotes(t *testing.T) {
	c := realVaults(t)
	dir := t.TempDir()
	c.write(t, dir)
	questions := c.titlesAndHeadings(rand.New(rand.NewPCG(testseed.Take(t), 0)), 100)
	_, words := ours(t, "words", dir, c, recall.Options{NoGraph: true})
	_, links := ours(t, "words and links", dir, c, recall.Options{})
	rankers := []ranker{words, links}
	if *provider != "none" {
		rankers = append(rankers, byMeaning(t, dir, c))
	}
	scores := table(t, "title or heading to note", questions, rankers...)
	aim(t, "recall@5 of titles and headings", scores["words and links"].recall5, 0.9, 0.8)
}

// titlesAndHeadings makes at most n questions of titles and as many of headings.
func (c *corpus) titlesAndHeadings(r *rand.Rand, n int) []question {
	under := make(map[string][]string) // the notes that have a heading
	var titles, headings []question
	for _, rel := range c.order {
		p := page.Parse(rel, []byte(c.notes[rel]))
		if all := strings.Fields(p.Title); len(terms.SearchWords(p.Title)) >= 3 {
			drop := r.IntN(len(all))
			titles = append(titles, question{want: map[string]bool{rel: true}, text: strings.Join(slices.Delete(all, drop, drop+1), " ")})
		}
		for _, chunk := range p.Chunks {
			if len(chunk.Path) == 0 {
				continue
			}
			h := page.PlainHeading(chunk.Path[len(chunk.Path)-1])
			if len(terms.SearchWords(h)) >= 2 && !page.RepeatsTitle(p.Title, h) && !slices.Contains(under[h], rel) {
				under[h] = append(under[h], rel)
			}
		}
	}
	for h, notes := range under {
		if len(notes) == 1 {
			headings = append(headings, question{want: map[string]bool{notes[0]: true}, text: h})
		}
	}
	slices.SortFunc(headings, func(a, b question) int { return strings.Compare(a.text, b.text) })
	var out []question
	for _, list := range [][]question{titles, headings} {
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		out = append(out, list[:min(n, len(list))]...)
	}
	return out
}

// byMeaning ranks by words, links and meaning, once every passage has its vector.
func byMeaning(t *testing.T, dir string, c *corpus) ranker {
	t.Helper()
	embedder, err := models.New(models.Options{Provider: *provider, Model: *model, URL: *server, Batch: 32, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	m := &recall.Meaning{Embedder: embedder, Weight: 1, Batch: 32}
	changed := make(chan struct{}, 1)
	ix, r := ours(t, "words, links and meaning", dir, c, recall.Options{Meaning: m, Changed: func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = ix.Embed(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	for {
		state, _ := ix.Embedding()
		if state.Vectors > 0 && state.Pending == 0 {
			return r
		}
		<-changed
	}
}
