package recall

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"testing"

	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/engine/recall/terms"
)

// thinker is an embedder that knows a few words of the same meaning. Its vectors
// are deterministic.
type thinker struct {
	dim   int
	print string
	means string // what every query means; "" = what it says

	mu    sync.Mutex // guards the fields below
	texts []string   // embedded so far
	err   error      // returned instead of vectors
}

var synonyms = map[string]string{
	"car": "vehicle", "automobile": "vehicle", "truck": "vehicle", "broken": "damage", "ruined": "damage",
	"physician": "medicine", "doctor": "medicine", "clinic": "medicine",
}

func (e *thinker) Fingerprint() string { return fmt.Sprint("thinker ", e.print) }

func (e *thinker) Documents(_ context.Context, docs []embed.Doc) ([][]float32, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return nil, e.err
	}
	var out [][]float32
	for _, d := range docs {
		e.texts = append(e.texts, d.Text)
		if strings.Contains(d.Text, "unspeakable") {
			out = append(out, nil)
			continue
		}
		out = append(out, e.vector(d.Title+"\n"+d.Text))
	}
	return out, nil
}

func (e *thinker) Query(_ context.Context, text string) ([]float32, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return nil, e.err
	}
	return e.vector(cmp.Or(e.means, text)), nil
}

func (e *thinker) vector(text string) []float32 {
	v := make([]float32, e.dim)
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !terms.HasWords(string(r)) }) {
		weight := float32(0.2)
		if m := synonyms[w]; m != "" {
			w, weight = m, 3
		}
		h := fnv.New32a()
		h.Write([]byte(w))
		v[h.Sum32()%uint32(e.dim)] += weight
	}
	return v
}

func (e *thinker) set(change func(*thinker)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change(e)
}

// taken returns the texts embedded since the last call.
func (e *thinker) taken() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	texts := e.texts
	e.texts = nil
	return texts
}

// thinking opens the index of a vault whose notes are all embedded.
func thinking(t *testing.T, path, dir string, e *thinker) *Index {
	t.Helper()
	ix, err := Open(t.Context(), path, dir, Options{Meaning: &Meaning{Embedder: e, Weight: 1, Batch: 3}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	syncIndex(t, ix, dir)
	catchUp(t, ix)
	return ix
}

// catchUp lets the index embed what there is.
func catchUp(t *testing.T, ix *Index) {
	t.Helper()
	if err := ix.vectors.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func find(t *testing.T, ix *Index, query string) Result {
	t.Helper()
	r, err := ix.Find(t.Context(), query, SearchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func garage(t *testing.T) string {
	dir := t.TempDir()
	writeNote(t, dir, "Garage.md", "# Garage\n\nThe automobile stands in the workshop of Pell and Sons.\n")
	writeNote(t, dir, "Garden.md", "# Garden\n\nThe plums ripen in September.\n\n## Tools\n\nA spade and a rake hang in the shed.\n")
	writeNote(t, dir, "Health.md", "# Health\n\nThe clinic opens at eight.\n")
	return dir
}
