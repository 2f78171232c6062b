package eval

import (
	"context"
	"math/rand/v2"
	"regexp"
	"strings"
	"time"

	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/recall/terms"
)

// wikiLinks are links by file name.
var wikiLinks = regexp.MustCompile(`!?\[\[([^\]|#^\n]+)[^\]\n]*\]\]`)

// makeProbes makes queries of notes chosen at random, until there are enough of each
// kind or it is late.
func makeProbes(ctx context.Context, ix *recall.Index, opts Options, late time.Time) ([]probe, error) {
	rels, err := ix.Notes(ctx)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(opts.Seed, 0))
	r.Shuffle(len(rels), func(i, j int) { rels[i], rels[j] = rels[j], rels[i] })
	var out []probe
	var have [3]int
	for _, rel := range rels {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if time.Now().After(late) || min(have[0], have[1], have[2]) >= opts.Queries {
			break
		}
		p, err := ix.ReadPage(ctx, rel)
		if err != nil {
			continue // it is gone
		}
		made, err := probesOf(ctx, ix, rel, p, r)
		if err != nil {
			return nil, err
		}
		for _, p := range made {
			if have[p.kind] < opts.Queries {
				have[p.kind]++
				out = append(out, p)
			}
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out, nil
}

// probesOf makes at most one query of each kind.
func probesOf(ctx context.Context, ix *recall.Index, rel string, p *page.Page, r *rand.Rand) ([]probe, error) {
	var out []probe
	if words := strings.Fields(p.Title); len(terms.SearchWords(p.Title)) >= 3 {
		drop := r.IntN(len(words))
		out = append(out, probe{kind: 0, want: rel, text: strings.Join(append(words[:drop:drop], words[drop+1:]...), " ")})
	}
	if c := p.Chunks[r.IntN(len(p.Chunks))]; len(c.Path) > 0 {
		head := page.PlainHeading(c.Path[len(c.Path)-1])
		n, err := ix.CountUnderHeading(ctx, head)
		if err != nil {
			return nil, err
		}
		if n == 1 && len(terms.SearchWords(head)) >= 2 && !page.RepeatsTitle(p.Title, head) {
			out = append(out, probe{kind: 1, want: rel, text: head})
		}
	}
	link, err := linkProbe(ctx, ix, rel, p, r)
	return append(out, link...), err
}

// linkProbe makes a query of a sentence that links to another note, with the
// link taken out.
func linkProbe(ctx context.Context, ix *recall.Index, rel string, p *page.Page, r *rand.Rand) ([]probe, error) {
	from := r.IntN(len(p.Blocks) + 1)
	for i := range p.Blocks {
		b := p.Blocks[(from+i)%len(p.Blocks)]
		text := p.Text(b)
		links := wikiLinks.FindAllStringSubmatch(text, -1)
		rest := wikiLinks.ReplaceAllString(text, " ")
		if !b.IsProse() || len(links) == 0 || len(terms.SearchWords(rest)) < 6 {
			continue
		}
		target, err := ix.NoteNamed(ctx, links[0][1])
		if err != nil {
			return nil, err
		}
		if target == "" || target == rel {
			continue
		}
		return []probe{{kind: 2, want: target, text: rest, asking: recall.Lines{Note: rel, From: 1, To: 1 << 30}}}, nil
	}
	return nil, nil
}
