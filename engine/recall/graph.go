package recall

import (
	"context"
	"database/sql"
	"math"
	"path"
	"slices"
)

// How much of a passage's score its note passes on along a link. A question is
// answered by what it matches, so links only break near ties there. For what belongs
// to a piece of writing they count a little more and bring in neighbours; on the
// vaults measured more than that put much-linked notes before better matches.
const (
	questionGraph = 0.15
	contextGraph  = 0.2
)

// seeds is how many of the notes found pass something on, crowd how many links
// to one note are followed: what everything links to says little.
const (
	seeds = 20
	crowd = 200
)

// edge is a link between two notes. It carries the less the more links leave
// its source and the more reach its target.
type edge struct {
	from, to place
	weight   float64
	anchor   string // heading it leads to
}

// spread passes part of the score of each note found on to the notes it links
// to and those that link to it. For a question these are notes found as well;
// for a piece of writing others may become hits by that. The note without
// passes nothing on.
func (ix *Index) spread(ctx context.Context, hits []hit, part float64, without string) ([]hit, error) {
	top := make(map[int64]float64)
	for _, h := range hits {
		if h.rel != without {
			top[h.note] = max(top[h.note], h.score)
		}
	}
	gain := make(map[int64]float64)
	if part < contextGraph {
		edges, err := ix.between(ctx, hits)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			gain[e.to.id] += part * top[e.from.id] * e.weight
			gain[e.from.id] += part * top[e.to.id] * e.weight
		}
	} else {
		more, err := ix.around(ctx, hits, top, gain, part)
		if err != nil {
			return nil, err
		}
		hits = append(hits, more...)
	}
	for i := range hits {
		if hits[i].ord != unread {
			hits[i].score += gain[hits[i].note]
		}
	}
	sortHits(hits)
	return hits, nil
}

// around follows all links of the best notes of top: it adds up what their
// neighbours gain, and returns those that are no hits yet.
func (ix *Index) around(ctx context.Context, hits []hit, top, gain map[int64]float64, part float64) ([]hit, error) {
	beside := make(map[int64]edge) // notes that are no hits
	asked := make(map[int64]bool)
	for _, h := range hits {
		if _, gives := top[h.note]; !gives || asked[h.note] || len(asked) == seeds {
			continue
		}
		asked[h.note] = true
		edges, err := ix.edges(ctx, h.note)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			other := e.to
			if other.id == h.note {
				other = e.from
			}
			gain[other.id] += part * top[h.note] * e.weight
			if old, seen := beside[other.id]; !seen || old.anchor == "" {
				beside[other.id] = e
			}
		}
	}
	for _, h := range hits {
		delete(beside, h.note)
	}
	return ix.neighbours(ctx, beside, gain)
}

// neighbours makes hits of the notes that only links have found, those that
// gained most.
func (ix *Index) neighbours(ctx context.Context, beside map[int64]edge, gain map[int64]float64) ([]hit, error) {
	var ids []int64
	for id := range beside {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b int64) int {
		if gain[a] != gain[b] {
			if gain[a] > gain[b] {
				return -1
			}
			return 1
		}
		return int(a - b)
	})
	var hits []hit
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	for _, id := range ids[:min(len(ids), candidates)] {
		h := hit{note: id, ord: unread, score: gain[id]}
		err := ix.reads.QueryRowContext(ctx, `SELECT n.rel, n.hash, n.mtime, (SELECT count(*) FROM notes o WHERE o.base = n.base)
			FROM notes n WHERE n.id = ?`, id).Scan(&h.rel, &h.hash, &h.mtime, &h.notes)
		if err != nil {
			return nil, err
		}
		if e := beside[id]; e.to.id == id {
			h.anchor = e.anchor
		}
		hits = append(hits, h)
	}
	return hits, nil
}

// edges are the links that leave a note and those that reach it.
func (ix *Index) edges(ctx context.Context, id int64) ([]edge, error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	out, err := ix.outgoing(ctx, id)
	if err != nil {
		return nil, err
	}
	in, err := ix.incoming(ctx, id)
	return append(out, in...), err
}

// outgoing are the links of a note, each with the note it means. A name that is
// no file's may be an alias.
func (ix *Index) outgoing(ctx context.Context, id int64) ([]edge, error) {
	rows, err := ix.reads.QueryContext(ctx, `
		SELECT s.rel, s.out, l.path, l.anchor, n.id, n.rel, 0, (SELECT count(*) FROM (SELECT 1 FROM links x WHERE x.key = l.key LIMIT 1000))
			FROM links l JOIN notes s ON s.id = l.note JOIN notes n ON n.base = l.key WHERE l.note = ?1
		UNION ALL
		SELECT s.rel, s.out, l.path, l.anchor, n.id, n.rel, 1, (SELECT count(*) FROM (SELECT 1 FROM links x WHERE x.path = l.path LIMIT 1000))
			FROM links l JOIN notes s ON s.id = l.note JOIN aliases a ON a.name = l.path JOIN notes n ON n.id = a.note WHERE l.note = ?1
		LIMIT 2000`, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	type target struct{ path, anchor string }
	var from place
	var order []target
	files, aliases, weights := make(map[target][]place), make(map[target][]place), make(map[target]float64)
	for rows.Next() {
		var t target
		var p place
		var alias bool
		var out, in int
		if err := rows.Scan(&from.rel, &out, &t.path, &t.anchor, &p.id, &p.rel, &alias, &in); err != nil {
			return nil, err
		}
		if files[t] == nil && aliases[t] == nil {
			order = append(order, t)
			weights[t] = 1 / math.Sqrt(float64(max(out, 1)*max(in, 1)))
		}
		if alias {
			aliases[t] = append(aliases[t], p)
		} else {
			files[t] = append(files[t], p)
		}
	}
	from.id = id
	var edges []edge
	for _, t := range order {
		to, ok := meant(from.rel, t.path, files[t])
		if !ok {
			to, ok = holder(aliases[t])
		}
		if ok && to.id != id {
			edges = append(edges, edge{from: from, to: to, weight: weights[t], anchor: t.anchor})
		}
	}
	return edges, rows.Err()
}

// incoming are the links that reach a note.
func (ix *Index) incoming(ctx context.Context, id int64) ([]edge, error) {
	var to place
	var base string
	err := ix.reads.QueryRowContext(ctx, "SELECT id, rel, base FROM notes WHERE id = ?", id).Scan(&to.id, &to.rel, &base)
	if err != nil {
		return nil, err
	}
	namesakes, err := ix.places(ctx, base)
	if err != nil {
		return nil, err
	}
	rows, err := ix.reads.QueryContext(ctx, `SELECT s.id, s.rel, s.out, l.path, l.anchor, l.alias FROM
		(SELECT note, path, anchor, 0 AS alias FROM links WHERE key = ?1 UNION ALL
		 SELECT l.note, l.path, l.anchor, 1 FROM aliases a JOIN links l ON l.path = a.name WHERE a.note = ?2 LIMIT ?3) l
		JOIN notes s ON s.id = l.note`, base, id, crowd)
	if err != nil {
		return nil, err
	}
	links, err := scanLinks(rows)
	if err != nil {
		return nil, err
	}
	var edges []edge
	aliased := make(map[string]aliasUse)
	for _, l := range links {
		m, _ := meant(l.from.rel, l.path, namesakes)
		if l.alias {
			if m, err = ix.byAlias(ctx, l.from.rel, l.path, aliased); err != nil {
				return nil, err
			}
		}
		if l.from.id != id && m.id == id {
			edges = append(edges, edge{from: l.from, to: to, anchor: l.anchor, weight: float64(max(l.out, 1))})
		}
	}
	for i := range edges {
		edges[i].weight = 1 / math.Sqrt(edges[i].weight*float64(len(edges)))
	}
	return edges, nil
}

// link is a row that may be a link to the note asked about.
type link struct {
	from         place
	out          int // links of that note
	path, anchor string
	alias        bool
}

func scanLinks(rows *sql.Rows) (list []link, err error) {
	defer rows.Close()
	for rows.Next() {
		var l link
		if err := rows.Scan(&l.from.id, &l.from.rel, &l.out, &l.path, &l.anchor, &l.alias); err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	return list, rows.Err()
}

// aliasUse is what a name that is an alias may mean: a file goes before.
type aliasUse struct{ files, holders []place }

func (ix *Index) byAlias(ctx context.Context, from, target string, known map[string]aliasUse) (m place, err error) {
	use, seen := known[target]
	if !seen {
		if use.files, err = ix.places(ctx, path.Base(target)); err != nil {
			return m, err
		}
		use.holders, err = ix.list(ctx, "SELECT n.id, n.rel FROM aliases a JOIN notes n ON n.id = a.note WHERE a.name = ? LIMIT ?", target)
		if err != nil {
			return m, err
		}
		known[target] = use
	}
	if _, ok := meant(from, target, use.files); ok {
		return m, nil
	}
	m, _ = holder(use.holders)
	return m, nil
}

// holder is the one of several notes with an alias that the alias means.
func holder(places []place) (best place, ok bool) {
	for _, p := range places {
		if !ok || len(p.rel) < len(best.rel) || len(p.rel) == len(best.rel) && p.rel < best.rel {
			best, ok = p, true
		}
	}
	return best, ok
}

// places are the notes with a file name.
func (ix *Index) places(ctx context.Context, base string) ([]place, error) {
	return ix.list(ctx, "SELECT id, rel FROM notes WHERE base = ? LIMIT ?", base)
}

func (ix *Index) list(ctx context.Context, query, name string) ([]place, error) {
	rows, err := ix.reads.QueryContext(ctx, query, name, crowd)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []place
	for rows.Next() {
		var p place
		if err := rows.Scan(&p.id, &p.rel); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, rows.Err()
}
