package eval

import (
	"context"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/recall/vectors"
	"vaultdispatcher/engine/testdata/silentdisk"
)

// library writes notes with titles, headings and links that can be asked for.
func library(t *testing.T) string {
	dir := t.TempDir()
	animals := strings.Fields("heron walrus badger lynx otter marten ibis stoat puffin bison tapir gecko")
	places := strings.Fields("harbour quarry orchard viaduct chapel")
	for i, a := range animals {
		next := animals[(i+1)%len(animals)]
		for j, p := range places {
			text := fmt.Sprintf(
				"# Seen\n\nOn day %d the %s rested by the %s wall until noon and then flew away, see [[Sighting of a %s near the %s]] for another one.\n\n"+
					"## Measurements taken of %s %d\n\nLength %d inches.\n", i*5+j, a, p, next, p, a, j, i+j)
			name := fmt.Sprintf("Sighting of a %s near the %s.md", a, p)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// wordEmbedder makes vectors that are near where texts share words.
type wordEmbedder struct {
	name     string
	embedded atomic.Int64 // texts
	refuses  error        // what a query gets
}

func (e *wordEmbedder) Fingerprint() string { return "words " + e.name }

func (e *wordEmbedder) Documents(ctx context.Context, docs []embed.Doc) ([][]float32, error) {
	e.embedded.Add(int64(len(docs)))
	vectors := make([][]float32, len(docs))
	for i, d := range docs {
		vectors[i], _ = e.Query(ctx, d.Title+" "+d.Text)
	}
	return vectors, nil
}

func (e *wordEmbedder) Query(_ context.Context, text string) ([]float32, error) {
	if e.refuses != nil {
		return nil, e.refuses
	}
	vector := make([]float32, 64)
	for _, word := range terms.SearchWords(strings.ToLower(text)) {
		h := fnv.New32a()
		h.Write([]byte(word))
		vector[h.Sum32()%64]++
	}
	return vector, nil
}

// fillIndex indexes and embeds a vault, as an engine does, and closes the index.
func fillIndex(t *testing.T, path, dir string, e embed.Embedder) {
	t.Helper()
	ix, err := recall.Open(t.Context(), path, dir, recall.Options{Meaning: &recall.Meaning{Embedder: e, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var rels []string
	for _, entry := range entries {
		rels = append(rels, entry.Name())
	}
	if err := ix.Sync(t.Context(), rels, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = ix.Embed(ctx)
	}()
	for deadline := time.Now().Add(time.Minute); ; {
		s, _ := ix.Embedding()
		if s.Vectors > 0 && s.Pending == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("not embedded: %+v", s)
		}
		<-time.After(5 * time.Millisecond)
	}
	cancel()
	<-ended
}

func TestEvaluate(t *testing.T) {
	const asked = 8
	dir, path := library(t), filepath.Join(t.TempDir(), "index.db")
	e := &wordEmbedder{}
	fillIndex(t, path, dir, e)
	e.embedded.Store(0)
	measure := func(m *recall.Meaning) Result {
		t.Helper()
		ix, err := recall.Open(t.Context(), path, dir, recall.Options{Meaning: m})
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		result, err := Run(t.Context(), ix, Options{Queries: asked, Time: time.Hour, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	first := measure(&recall.Meaning{Embedder: e, Weight: 1})
	if q := first.Queries; q.Titles != asked || q.Headings != asked || q.Links != asked || first.Notes != 60 {
		t.Errorf("asked %+v of %d notes", q, first.Notes)
	}
	if len(first.Rankings) != 3 || first.Embedding != "" {
		t.Fatalf("measured %+v", first)
	}
	for i, name := range []string{RankWords, RankGraph, RankHybrid} {
		r := first.Rankings[i]
		if r.Ranking != name || r.Recall < 0.5 || r.Recall > 1 || r.MRR <= 0 || r.MRR > 1 {
			t.Errorf("ranking %+v", r)
		}
	}
	if n := e.embedded.Load(); n != 0 {
		t.Errorf("an evaluation embedded %d notes", n)
	}
	again := measure(&recall.Meaning{Embedder: e, Weight: 1})
	for i := range first.Rankings {
		if a, b := first.Rankings[i], again.Rankings[i]; a.Recall != b.Recall || a.MRR != b.MRR {
			t.Errorf("the same seed measured %+v and %+v", a, b)
		}
	}
	other := measure(&recall.Meaning{Embedder: &wordEmbedder{name: "other"}, Weight: 1})
	if len(other.Rankings) != 2 || other.Embedding != vectors.ErrNoVectors.Error() {
		t.Errorf("vectors of another model: %+v", other)
	}
	if kept := measure(&recall.Meaning{Embedder: e, Weight: 1}); len(kept.Rankings) != 3 {
		t.Error("an evaluation with another model has thrown the vectors away")
	}
	locked := &wordEmbedder{refuses: &fs.PathError{Op: "open", Path: "/models/a.bin", Err: syscall.EACCES}}
	if refused := measure(&recall.Meaning{Embedder: locked, Weight: 1}); refused.Embedding != "this user may not use /models/a.bin" {
		t.Errorf("of a model that cannot be read: %q", refused.Embedding)
	}
	if none := measure(nil); len(none.Rankings) != 2 || none.Embedding == "" {
		t.Errorf("without a model: %+v", none)
	}
}

func TestBestRanking(t *testing.T) {
	of := func(queries int, figures ...float64) Result {
		e := Result{Queries: QueryCounts{Titles: queries}}
		for i, f := range figures {
			e.Rankings = append(e.Rankings, Trial{Ranking: []string{RankWords, RankGraph, RankHybrid}[i], Recall: f, MRR: f})
		}
		return e
	}
	for _, c := range []struct {
		e    Result
		want string
	}{
		{of(100, 0.5, 0.6, 0.7), RankHybrid},
		{of(100, 0.5, 0.6, 0.4), RankGraph},
		{of(100, 0.5, 0.501, 0.503), RankWords},
		{of(100, 0.5, 0.6), RankGraph},
		{of(19, 0.1, 0.9), ""},
		{of(100), ""},
	} {
		if got := c.e.Best(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.e.Rankings, got, c.want)
		}
	}
}

// A vault whose disk does not respond is not measured, and keeps nobody waiting.
func TestEvaluateOnASilentDisk(t *testing.T) {
	dir, cache := library(t), t.TempDir()
	fillIndex(t, filepath.Join(cache, "index.db"), dir, &wordEmbedder{})
	silentdisk.Hang(t)
	_, err := Evaluate(t.Context(), config.Default(), config.Vault{Name: "v", Path: dir}, cache, nil, Options{Queries: 1})
	if err == nil || err.Error() != "the disk of "+dir+" does not respond" {
		t.Errorf("it was measured, or refused otherwise: %v", err)
	}
}
