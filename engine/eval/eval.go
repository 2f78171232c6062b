// Package eval measures how well an index finds the notes of its own vault. [Run]
// makes queries whose right answer is known and counts how often words, links and
// meaning find it; [Result.Best] names the ranking to use.
//
// Nothing is written, and an engine may use the same index meanwhile.
package eval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/syserr"
)

// Options bound [Run].
type Options struct {
	Queries int           // of each kind, at most; 0 = 100
	Time    time.Duration // for all of it; 0 = 60 s
	Seed    uint64        // decides which notes are asked about

	Skip func(rel string) bool // notes of which no query is made; nil = none
}

// Result is what [Run] measured.
type Result struct {
	Notes     int         `json:"notes"`
	Queries   QueryCounts `json:"queries"` // asked before time was up
	Rankings  []Trial     `json:"rankings"`
	Embedding string      `json:"embedding,omitempty"` // why meaning was not measured, one sentence
	Took      float64     `json:"seconds"`
}

// QueryCounts counts queries by what they were made of.
type QueryCounts struct {
	Titles   int `json:"titles"`   // a title without one of its words
	Headings int `json:"headings"` // a heading that one note has
	Links    int `json:"links"`    // a sentence without the link in it; the note linked to is looked for
}

func (c *QueryCounts) addQuery(kind int) {
	switch kind {
	case 0:
		c.Titles++
	case 1:
		c.Headings++
	default:
		c.Links++
	}
}

// Trial is how well one ranking found the notes that were looked for.
type Trial struct {
	Ranking string  `json:"ranking"` // words, graph (words and links) or hybrid (and meaning)
	Recall  float64 `json:"recallAt5"`
	MRR     float64 `json:"mrrAt10"`
	P50     float64 `json:"p50ms"` // of a search, without the time of the embedder
}

// Rankings of an evaluation.
const (
	RankWords  = "words"
	RankGraph  = "graph"
	RankHybrid = "hybrid"
)

// probe is a query whose answer is known: the note that it was made from.
type probe struct {
	kind   int // 0 title, 1 heading, 2 link
	text   string
	want   string       // note that should be found
	asking recall.Lines // text that must not answer
}

// Run asks the index about its own vault, with queries whose right answer
// is known, and measures how often it is found by words, with links, and with
// meaning. Every query is asked in all ways, so that the figures compare even
// when time ends it early. It writes nothing, and may run beside an engine that
// uses the same files.
func Run(ctx context.Context, ix *recall.Index, opts Options) (Result, error) {
	if opts.Queries <= 0 {
		opts.Queries = 100
	}
	if opts.Time <= 0 {
		opts.Time = time.Minute
	}
	start := time.Now()
	probes, err := makeProbes(ctx, ix, opts, start.Add(opts.Time/4))
	if err != nil {
		return Result{}, fmt.Errorf("make queries of the vault: %w", err)
	}
	if opts.Skip != nil {
		probes = slices.DeleteFunc(probes, func(p probe) bool { return opts.Skip(p.want) || opts.Skip(p.asking.Note) })
	}
	out := Result{Notes: ix.State().Notes}
	trials := []*trial{
		{name: RankWords, opts: recall.SearchOptions{WordsOnly: true, NoLinks: true}},
		{name: RankGraph, opts: recall.SearchOptions{WordsOnly: true}},
	}
	if trouble := ix.BorrowVectors(ctx); trouble != nil {
		out.Embedding = syserr.Plain(trouble)
	} else {
		trials = append(trials, &trial{name: RankHybrid})
	}
	for _, p := range probes {
		if time.Since(start) > opts.Time {
			break
		}
		if len(trials) == 3 {
			if err := ix.EmbedQuery(ctx, p.text); err != nil {
				out.Embedding, trials = syserr.Plain(err), trials[:2]
			}
		}
		for _, t := range trials {
			if err := t.searchProbe(ctx, ix, p); err != nil {
				return Result{}, err
			}
		}
		out.Queries.addQuery(p.kind)
	}
	for _, t := range trials {
		out.Rankings = append(out.Rankings, t.summarize())
	}
	out.Took = time.Since(start).Seconds()
	return out, nil
}

// trial sums up one ranking.
type trial struct {
	name         string
	opts         recall.SearchOptions
	asked, found int
	reciprocal   float64
	times        []time.Duration
}

func (t *trial) searchProbe(ctx context.Context, ix *recall.Index, p probe) error {
	opts := t.opts
	opts.Limit, opts.Exclude, opts.Asking = 20, p.asking, p.asking.Note
	start := time.Now()
	r, err := ix.Find(ctx, p.text, opts)
	if err != nil {
		return fmt.Errorf("ask for %q: %w", p.text, err)
	}
	t.times = append(t.times, time.Since(start))
	t.asked++
	var notes []string
	for _, f := range r.Passages {
		if f.Note != p.asking.Note && !slices.Contains(notes, f.Note) {
			notes = append(notes, f.Note)
		}
	}
	switch rank := slices.Index(notes, p.want); {
	case rank < 0 || rank >= 10:
	default:
		t.reciprocal += 1 / float64(rank+1)
		if rank < 5 {
			t.found++
		}
	}
	return nil
}

func (t *trial) summarize() Trial {
	n := float64(max(t.asked, 1))
	out := Trial{Ranking: t.name, Recall: float64(t.found) / n, MRR: t.reciprocal / n}
	if len(t.times) > 0 {
		slices.Sort(t.times)
		out.P50 = float64(t.times[len(t.times)/2].Microseconds()) / 1000
	}
	return out
}

// Best returns the ranking to use: the one that finds most, and of like ones the
// simplest. It is "" where too few queries could be made to tell.
func (r Result) Best() string {
	if r.Queries.Titles+r.Queries.Headings+r.Queries.Links < 20 || len(r.Rankings) == 0 {
		return ""
	}
	best := r.Rankings[0]
	for _, t := range r.Rankings[1:] {
		if t.Recall+t.MRR > best.Recall+best.MRR+0.01 {
			best = t
		}
	}
	return best.Ranking
}
