package linkgraph

import (
	"context"
	"maps"
	"math"
	"path"
	"slices"
)

// Only the links between the notes that match a question move its ranks. One query finds the links of all matching
// notes, so a search affords more notes than with a query for each.

// Between returns the links among some notes, each once.
func (g Graph) Between(ctx context.Context, notes map[int64]bool) ([]Edge, error) {
	if len(notes) < 2 {
		return nil, nil
	}
	list := listOf(slices.Collect(maps.Keys(notes)))
	links, err := g.linksAmong(ctx, list)
	if err != nil || len(links) == 0 {
		return nil, err
	}
	files, err := g.listNamesakes(ctx, list)
	if err != nil {
		return nil, err
	}
	counts := make(map[string]int)
	aliased := make(map[string]aliasUse)
	var edges []Edge
	for _, l := range links {
		key := path.Base(l.path)
		to, ok := chooseNote(l.source.Rel, l.path, files[key])
		if !ok && l.alias {
			if to, err = g.resolveAlias(ctx, l.source.Rel, l.path, aliased); err != nil {
				return nil, err
			}
		}
		if !notes[to.ID] || to.ID == l.source.ID {
			continue
		}
		in, known := counts[key]
		if !known {
			if in, err = g.countLinks(ctx, key); err != nil {
				return nil, err
			}
			counts[key] = in
		}
		edges = append(edges, Edge{Source: l.source, Target: to, Anchor: l.anchor, Weight: 1 / math.Sqrt(float64(max(l.degree, 1)*max(in, 1)))})
	}
	return edges, nil
}

// linksAmong are the links that leave the notes of a list for what may be one
// of them: by the name of its file or by an alias.
func (g Graph) linksAmong(ctx context.Context, list string) ([]link, error) {
	rows, err := g.db.QueryContext(ctx, `
		WITH found(id) AS MATERIALIZED (SELECT value FROM json_each(?1))
		SELECT 0, s.id, s.rel, s.out, l.path, l.anchor, l.path IN (SELECT a.name FROM found f CROSS JOIN aliases a ON a.note = f.id) AS alias
			FROM found f CROSS JOIN notes s ON s.id = f.id CROSS JOIN links l ON l.note = f.id
			WHERE l.key IN (SELECT n.base FROM found f CROSS JOIN notes n ON n.id = f.id) OR alias
			LIMIT +?2`, list, 10*crowd)
	if err != nil {
		return nil, err
	}
	return scanLinks(rows)
}

// listNamesakes are the notes that have the file name of a note of the list, by
// that name.
func (g Graph) listNamesakes(ctx context.Context, list string) (map[string][]Note, error) {
	rows, err := g.db.QueryContext(ctx, `SELECT n.base, n.id, n.rel FROM notes n
		WHERE n.base IN (SELECT f.base FROM json_each(?1) e CROSS JOIN notes f ON f.id = e.value) LIMIT +?2`, list, 10*crowd)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := make(map[string][]Note)
	for rows.Next() {
		var base string
		var p Note
		if err := rows.Scan(&base, &p.ID, &p.Rel); err != nil {
			return nil, err
		}
		out[base] = append(out[base], p)
	}
	return out, rows.Err()
}

// countLinks is how many links have the name of a note, up to a thousand.
func (g Graph) countLinks(ctx context.Context, key string) (n int, err error) {
	err = g.db.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM links WHERE key = ? LIMIT 1000)", key).Scan(&n)
	return n, err
}
