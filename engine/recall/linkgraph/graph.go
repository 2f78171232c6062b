// Package linkgraph finds out which note links to which, from the tables of an
// index. [New] takes the database, [Graph.EdgesOf] returns the links of one note, and
// [Graph.Between] those among several. A [Cache] keeps what EdgesOf returned.
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

// Graph asks the tables of an index. It keeps nothing.
type Graph struct{ db *sql.DB }

// New returns the graph in a database.
func New(db *sql.DB) Graph { return Graph{db} }

// EdgesOf returns the links that leave a note and those that reach it.
func (g Graph) EdgesOf(ctx context.Context, id int64) ([]Edge, error) {
	out, err := g.edgesFrom(ctx, id)
	if err != nil {
		return nil, err
	}
	in, err := g.edgesTo(ctx, id)
	return append(out, in...), err
}

// edgesFrom are the links of a note, each with the note it means. A name that is
// no file's may be an alias.
func (g Graph) edgesFrom(ctx context.Context, id int64) ([]Edge, error) {
	rows, err := g.db.QueryContext(ctx, `
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
	var from Note
	var order []target
	files, aliases, weights := make(map[target][]Note), make(map[target][]Note), make(map[target]float64)
	for rows.Next() {
		var t target
		var p Note
		var alias bool
		var out, in int
		if err := rows.Scan(&from.Rel, &out, &t.path, &t.anchor, &p.ID, &p.Rel, &alias, &in); err != nil {
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
	from.ID = id
	var edges []Edge
	for _, t := range order {
		to, ok := chooseNote(from.Rel, t.path, files[t])
		if !ok {
			to, ok = chooseHolder(aliases[t])
		}
		if ok && to.ID != id {
			edges = append(edges, Edge{Source: from, Target: to, Weight: weights[t], Anchor: t.anchor})
		}
	}
	return edges, rows.Err()
}

// edgesTo are the links that reach a note.
func (g Graph) edgesTo(ctx context.Context, id int64) ([]Edge, error) {
	var to Note
	var base string
	err := g.db.QueryRowContext(ctx, "SELECT id, rel, base FROM notes WHERE id = ?", id).Scan(&to.ID, &to.Rel, &base)
	if err != nil {
		return nil, err
	}
	namesakes, err := g.notesNamed(ctx, base)
	if err != nil {
		return nil, err
	}
	rows, err := g.db.QueryContext(ctx, `SELECT s.id, s.rel, s.out, l.path, l.anchor, l.alias FROM
		(SELECT note, path, anchor, 0 AS alias FROM links WHERE key = ?1 UNION ALL
		 SELECT l.note, l.path, l.anchor, 1 FROM aliases a JOIN links l ON l.path = a.name WHERE a.note = ?2 LIMIT +?3) l
		JOIN notes s ON s.id = l.note`, base, id, crowd)
	if err != nil {
		return nil, err
	}
	links, err := scanLinks(rows)
	if err != nil {
		return nil, err
	}
	var edges []Edge
	aliased := make(map[string]aliasUse)
	for _, l := range links {
		m, _ := chooseNote(l.source.Rel, l.path, namesakes)
		if l.alias {
			if m, err = g.resolveAlias(ctx, l.source.Rel, l.path, aliased); err != nil {
				return nil, err
			}
		}
		if l.source.ID != id && m.ID == id {
			edges = append(edges, Edge{Source: l.source, Target: to, Anchor: l.anchor, Weight: float64(max(l.degree, 1))})
		}
	}
	for i := range edges {
		edges[i].Weight = 1 / math.Sqrt(edges[i].Weight*float64(len(edges)))
	}
	return edges, nil
}

// link is a row that may be a link to the note asked about.
type link struct {
	source       Note
	degree       int // links of that note
	path, anchor string
	alias        bool
}

func scanLinks(rows *sql.Rows) (list []link, err error) {
	defer rows.Close()
	for rows.Next() {
		var l link
		if err := rows.Scan(&l.source.ID, &l.source.Rel, &l.degree, &l.path, &l.anchor, &l.alias); err != nil {
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
