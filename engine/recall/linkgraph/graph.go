// Package linkgraph finds out which note links to which, from the tables of an
// index. [New] takes the database, [Graph.EdgesOf] returns the links of some notes, and
// [Graph.Between] those among them. A [Cache] keeps what EdgesOf returned.
//
// # Promises
//
// A link is stored as it was written. Which note it means is decided when a caller
// asks, as note apps decide it, so a note that is made, deleted or moved
// changes nothing but its own rows.
package linkgraph

import (
	"context"
	"database/sql"
	"encoding/json"
	"math"
	"path"
)

// crowd is how many links to one note are followed: what everything links to says
// little.
const crowd = 200

// Edge is a link between two notes. It carries the less the more links leave
// its source and the more reach its target.
type Edge struct {
	Source, Target Note
	Weight         float64
	Anchor         string // heading it leads to
}

// mostRows is how many rows are read for the links that leave a note: a row for each note that one may mean.
const mostRows = 2000

// Graph asks the tables of an index. It keeps nothing.
type Graph struct{ db *sql.DB }

// New returns the graph in a database.
func New(db *sql.DB) Graph { return Graph{db} }

// EdgesOf returns, for each of some notes, the links that leave it and those that reach it.
func (g Graph) EdgesOf(ctx context.Context, ids ...int64) (map[int64][]Edge, error) {
	all, err := g.listHeads(ctx, ids)
	if err != nil {
		return nil, err
	}
	var together []head
	groups := [][]head{nil}
	for _, h := range all {
		if h.in > crowd || h.out > mostRows {
			groups = append(groups, []head{h}) // the limits count for it alone
		} else {
			together = append(together, h)
		}
	}
	groups[0] = together
	edges := make(map[int64][]Edge, len(all))
	for _, group := range groups {
		if err := g.addEdges(ctx, group, edges); err != nil {
			return nil, err
		}
	}
	return edges, nil
}

// head is a note whose links are asked for.
type head struct {
	Note
	base    string
	out, in int // links that leave it, and those that may reach it, a few more than a crowd at most
}

func (g Graph) listHeads(ctx context.Context, ids []int64) (list []head, err error) {
	rows, err := g.db.QueryContext(ctx, `SELECT n.id, n.rel, n.base, n.out,
		(SELECT count(*) FROM (SELECT 1 FROM links WHERE key = n.base LIMIT +?2)) +
		(SELECT count(*) FROM (SELECT 1 FROM aliases a CROSS JOIN links l ON l.path = a.name WHERE a.note = n.id LIMIT +?2))
		FROM json_each(?1) e CROSS JOIN notes n ON n.id = e.value`, listOf(ids), crowd+1)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var h head
		if err := rows.Scan(&h.ID, &h.Rel, &h.base, &h.out, &h.in); err != nil {
			return nil, err
		}
		list = append(list, h)
	}
	return list, rows.Err()
}

// listOf is a list for json_each.
func listOf(ids []int64) string {
	list, _ := json.Marshal(ids) // numbers cannot fail
	return string(list)
}

// addEdges adds the links of a group of notes to edges.
func (g Graph) addEdges(ctx context.Context, group []head, edges map[int64][]Edge) error {
	if len(group) == 0 {
		return nil
	}
	var ids []int64
	for _, h := range group {
		ids = append(ids, h.ID)
	}
	if err := g.addEdgesFrom(ctx, ids, edges); err != nil {
		return err
	}
	return g.addEdgesTo(ctx, group, listOf(ids), edges)
}

// addEdgesFrom adds the links that leave notes, each with the note it means. A name that is
// no file's may be an alias.
func (g Graph) addEdgesFrom(ctx context.Context, ids []int64, edges map[int64][]Edge) error {
	rows, err := g.db.QueryContext(ctx, `
		SELECT s.id, s.rel, s.out, l.path, l.anchor, n.id, n.rel, 0, (SELECT count(*) FROM (SELECT 1 FROM links x WHERE x.key = l.key LIMIT 1000))
			FROM json_each(?1) e CROSS JOIN notes s ON s.id = e.value CROSS JOIN links l ON l.note = s.id CROSS JOIN notes n ON n.base = l.key
		UNION ALL
		SELECT s.id, s.rel, s.out, l.path, l.anchor, n.id, n.rel, 1, (SELECT count(*) FROM (SELECT 1 FROM links x WHERE x.path = l.path LIMIT 1000))
			FROM json_each(?1) e CROSS JOIN notes s ON s.id = e.value CROSS JOIN links l ON l.note = s.id CROSS JOIN aliases a ON a.name = l.path CROSS JOIN notes n ON n.id = a.note
		LIMIT +?2`, listOf(ids), mostRows*len(ids))
	if err != nil {
		return err
	}
	defer rows.Close()
	type target struct {
		from         Note
		path, anchor string
	}
	var order []target
	files, aliases, weights := make(map[target][]Note), make(map[target][]Note), make(map[target]float64)
	for rows.Next() {
		var t target
		var p Note
		var alias bool
		var out, in int
		if err := rows.Scan(&t.from.ID, &t.from.Rel, &out, &t.path, &t.anchor, &p.ID, &p.Rel, &alias, &in); err != nil {
			return err
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
	for _, t := range order {
		to, ok := chooseNote(t.from.Rel, t.path, files[t])
		if !ok {
			to, ok = chooseHolder(aliases[t])
		}
		if ok && to.ID != t.from.ID {
			edges[t.from.ID] = append(edges[t.from.ID], Edge{Source: t.from, Target: to, Weight: weights[t], Anchor: t.anchor})
		}
	}
	return rows.Err()
}

// addEdgesTo adds the links that reach the notes of a group, whose list is given too.
func (g Graph) addEdgesTo(ctx context.Context, group []head, list string, edges map[int64][]Edge) error {
	namesakes, err := g.listNamesakes(ctx, list)
	if err != nil {
		return err
	}
	rows, err := g.db.QueryContext(ctx, `SELECT l.target, s.id, s.rel, s.out, l.path, l.anchor, l.alias FROM
		(SELECT n.id AS target, l.note, l.path, l.anchor, 0 AS alias FROM json_each(?1) e CROSS JOIN notes n ON n.id = e.value CROSS JOIN links l ON l.key = n.base UNION ALL
		 SELECT a.note, l.note, l.path, l.anchor, 1 FROM json_each(?1) e CROSS JOIN aliases a ON a.note = e.value CROSS JOIN links l ON l.path = a.name LIMIT +?2) l
		CROSS JOIN notes s ON s.id = l.note`, list, crowd*len(group))
	if err != nil {
		return err
	}
	links, err := scanLinks(rows)
	if err != nil {
		return err
	}
	heads := make(map[int64]head)
	for _, h := range group {
		heads[h.ID] = h
	}
	reach := make(map[int64][]Edge)
	aliased := make(map[string]aliasUse)
	for _, l := range links {
		to := heads[l.target]
		m, _ := chooseNote(l.source.Rel, l.path, namesakes[to.base])
		if l.alias {
			if m, err = g.resolveAlias(ctx, l.source.Rel, l.path, aliased); err != nil {
				return err
			}
		}
		if l.source.ID != to.ID && m.ID == to.ID {
			reach[to.ID] = append(reach[to.ID], Edge{Source: l.source, Target: to.Note, Anchor: l.anchor, Weight: float64(max(l.degree, 1))})
		}
	}
	for id, list := range reach {
		for i := range list {
			list[i].Weight = 1 / math.Sqrt(list[i].Weight*float64(len(list)))
		}
		edges[id] = append(edges[id], list...)
	}
	return nil
}

// link is a row that may be a link to the note asked about.
type link struct {
	target       int64 // the note asked about
	source       Note
	degree       int // links of that note
	path, anchor string
	alias        bool
}

func scanLinks(rows *sql.Rows) (list []link, err error) {
	defer rows.Close()
	for rows.Next() {
		var l link
		if err := rows.Scan(&l.target, &l.source.ID, &l.source.Rel, &l.degree, &l.path, &l.anchor, &l.alias); err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	return list, rows.Err()
}

// aliasUse lists the notes that an alias may mean. A file of that name wins.
type aliasUse struct{ files, holders []Note }

func (g Graph) resolveAlias(ctx context.Context, from, target string, known map[string]aliasUse) (m Note, err error) {
	use, seen := known[target]
	if !seen {
		if use.files, err = g.notesNamed(ctx, path.Base(target)); err != nil {
			return m, err
		}
		use.holders, err = g.queryNotes(ctx, "SELECT n.id, n.rel FROM aliases a JOIN notes n ON n.id = a.note WHERE a.name = ? LIMIT +?", target)
		if err != nil {
			return m, err
		}
		known[target] = use
	}
	if _, ok := chooseNote(from, target, use.files); ok {
		return m, nil
	}
	m, _ = chooseHolder(use.holders)
	return m, nil
}

// chooseHolder is the one of several notes with an alias that the alias means.
func chooseHolder(places []Note) (best Note, ok bool) {
	for _, p := range places {
		if !ok || len(p.Rel) < len(best.Rel) || len(p.Rel) == len(best.Rel) && p.Rel < best.Rel {
			best, ok = p, true
		}
	}
	return best, ok
}

// notesNamed are the notes with a file name.
func (g Graph) notesNamed(ctx context.Context, base string) ([]Note, error) {
	return g.queryNotes(ctx, "SELECT id, rel FROM notes WHERE base = ? LIMIT +?", base)
}

func (g Graph) queryNotes(ctx context.Context, query, name string) ([]Note, error) {
	rows, err := g.db.QueryContext(ctx, query, name, crowd)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Note
	for rows.Next() {
		var p Note
		if err := rows.Scan(&p.ID, &p.Rel); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, rows.Err()
}
