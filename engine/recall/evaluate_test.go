package recall

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// library writes notes with titles, headings and links that can be asked for.
func library(t *testing.T) string {
	dir := t.TempDir()
	animals := strings.Fields("heron walrus badger lynx otter marten ibis stoat puffin bison tapir gecko")
	places := strings.Fields("harbour quarry orchard viaduct chapel")
	for i, a := range animals {
		next := animals[(i+1)%len(animals)]
		for j, p := range places {
			writeNote(t, dir, fmt.Sprintf("Sighting of a %s near the %s.md", a, p), fmt.Sprintf(
				"# Seen\n\nOn day %d the %s rested by the %s wall until noon and then flew away, see [[Sighting of a %s near the %s]] for another one.\n\n"+
					"## Measurements taken of %s %d\n\nLength %d inches.\n", i*5+j, a, p, next, p, a, j, i+j))
		}
	}
	return dir
}

func TestEvaluate(t *testing.T) {
	const asked = 8 / fewer
	dir, path := library(t), filepath.Join(t.TempDir(), "index.db")
	e := &thinker{dim: 64}
	ix := thinking(t, path, dir, e)
	ix.vectors.file.close() // as an engine that has ended
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	e.taken()
	measure := func(m *Meaning) Evaluation {
		t.Helper()
		ix, err := Open(t.Context(), path, dir, Options{Meaning: m})
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		result, err := ix.Evaluate(t.Context(), EvaluateOptions{Queries: asked, Time: time.Hour, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	first := measure(&Meaning{Embedder: e, Weight: 1})
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
	if n := len(e.taken()); n != 0 {
		t.Errorf("an evaluation embedded %d notes", n)
	}
	again := measure(&Meaning{Embedder: e, Weight: 1})
	for i := range first.Rankings {
		if a, b := first.Rankings[i], again.Rankings[i]; a.Recall != b.Recall || a.MRR != b.MRR {
			t.Errorf("the same seed measured %+v and %+v", a, b)
		}
	}
	other := measure(&Meaning{Embedder: &thinker{dim: 64, print: "other"}, Weight: 1})
	if len(other.Rankings) != 2 || other.Embedding != errNoVectors.Error() {
		t.Errorf("vectors of another model: %+v", other)
	}
	if kept := measure(&Meaning{Embedder: e, Weight: 1}); len(kept.Rankings) != 3 {
		t.Error("an evaluation with another model has thrown the vectors away")
	}
	if none := measure(nil); len(none.Rankings) != 2 || none.Embedding == "" {
		t.Errorf("without a model: %+v", none)
	}
}

func TestBestRanking(t *testing.T) {
	of := func(queries int, figures ...float64) Evaluation {
		e := Evaluation{Queries: QueryCounts{Titles: queries}}
		for i, f := range figures {
			e.Rankings = append(e.Rankings, Trial{Ranking: []string{RankWords, RankGraph, RankHybrid}[i], Recall: f, MRR: f})
		}
		return e
	}
	for _, c := range []struct {
		e    Evaluation
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
