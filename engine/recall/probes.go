package recall

import (
	"context"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"time"

	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/recall/terms"
)

// wikiLinks are links by file name.
var wikiLinks = regexp.MustCompile(`!?\[\[([^\]|#^\n]+)[^\]\n]*\]\]`)

// probes makes queries of notes chosen at random, until there are enough of each
// kind or it is late.
func (ix *Index) probes(ctx context.Context, opts EvaluateOptions, late time.Time) ([]probe, error) {
	rels, err := ix.allNotes(ctx)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(ix.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
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
		src, err := readNote(root, rel)
		if err != nil {
			continue // it is gone
		}
		made, err := ix.probesOf(ctx, rel, page.Parse(rel, src), r)
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

func (ix *Index) allNotes(ctx context.Context) ([]string, error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	rows, err := ix.reads.QueryContext(ctx, "SELECT rel FROM notes ORDER BY rel")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var rels []string
	for rows.Next() {
		var rel string
		if err := rows.Scan(&rel); err != nil {
			return nil, err
		}
		rels = append(rels, rel)
	}
	return rels, rows.Err()
}

// probesOf makes at most one query of each kind.
func (ix *Index) probesOf(ctx context.Context, rel string, p *page.Page, r *rand.Rand) ([]probe, error) {
	var out []probe
	if words := strings.Fields(p.Title); len(terms.SearchWords(p.Title)) >= 3 {
		drop := r.IntN(len(words))
		out = append(out, probe{kind: 0, want: rel, text: strings.Join(append(words[:drop:drop], words[drop+1:]...), " ")})
	}
	if c := p.Chunks[r.IntN(len(p.Chunks))]; len(c.Path) > 0 {
		head := page.PlainHeading(c.Path[len(c.Path)-1])
		alone, err := ix.aloneWith(ctx, head)
		if err != nil {
			return nil, err
		}
		if alone && len(terms.SearchWords(head)) >= 2 && !page.RepeatsTitle(p.Title, head) {
			out = append(out, probe{kind: 1, want: rel, text: head})
		}
	}
	link, err := ix.linkProbe(ctx, rel, p, r)
	return append(out, link...), err
}

// aloneWith reports whether the words of a heading are in the headings of one
// note only.
func (ix *Index) aloneWith(ctx context.Context, head string) (bool, error) {
	words := strings.Fields(terms.IndexedName(head))
	if len(words) == 0 {
		return false, nil
	}
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	var n int
	err := ix.reads.QueryRowContext(ctx, `SELECT count(DISTINCT c.note) FROM fts JOIN chunks c ON c.id = fts.rowid WHERE fts MATCH ?`,
		`heading : ("`+strings.Join(words, `" AND "`)+`")`).Scan(&n)
	return n == 1, err
}

// linkProbe makes a query of a sentence that links to another note, with the
// link taken out.
func (ix *Index) linkProbe(ctx context.Context, rel string, p *page.Page, r *rand.Rand) ([]probe, error) {
	from := r.IntN(len(p.Blocks) + 1)
	for i := range p.Blocks {
		b := p.Blocks[(from+i)%len(p.Blocks)]
		text := p.Text(b)
		links := wikiLinks.FindAllStringSubmatch(text, -1)
		rest := wikiLinks.ReplaceAllString(text, " ")
		if !b.IsProse() || len(links) == 0 || len(terms.SearchWords(rest)) < 6 {
			continue
		}
		target, err := ix.onlyTarget(ctx, links[0][1])
		if err != nil {
			return nil, err
		}
		if target == "" || target == rel {
			continue
		}
		return []probe{{kind: 2, want: target, text: rest, asking: Lines{Note: rel, From: 1, To: 1 << 30}}}, nil
	}
	return nil, nil
}

// onlyTarget returns the note that a link by file name leads to, "" where none
// or several have it.
func (ix *Index) onlyTarget(ctx context.Context, name string) (string, error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	var n int
	var rel *string
	err := ix.reads.QueryRowContext(ctx, "SELECT count(*), min(rel) FROM notes WHERE base = ?", baseName(strings.TrimSpace(name)+".md")).Scan(&n, &rel)
	if err != nil || n != 1 {
		return "", err
	}
	return *rel, nil
}
