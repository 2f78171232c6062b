package recall

import (
	"context"
	"encoding/json"
	"math"
	"path"
)

// A question is moved only by the links between the notes that match it. They
// are looked up for all of these notes at once, which a search can afford for
// more notes than it could ask about one by one.

// between returns the links among the notes of hits, each once.
func (ix *Index) between(ctx context.Context, hits []hit) ([]edge, error) {
	found := make(map[int64]place)
	for _, h := range hits {
		found[h.note] = place{h.note, h.rel}
	}
	if len(found) < 2 {
		return nil, nil
	}
	ids := make([]int64, 0, len(found))
	for id := range found {
		ids = append(ids, id)
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	links, err := ix.linksAmong(ctx, string(list))
	if err != nil || len(links) == 0 {
		return nil, err
	}
	files, err := ix.namesakes(ctx, string(list))
	if err != nil {
		return nil, err
	}
	counts := make(map[string]int)
	aliased := make(map[string]aliasUse)
	var edges []edge
	for _, l := range links {
		key := path.Base(l.path)
		to, ok := meant(l.from.rel, l.path, files[key])
		if !ok && l.alias {
			if to, err = ix.byAlias(ctx, l.from.rel, l.path, aliased); err != nil {
				return nil, err
			}
		}
		if _, match := found[to.id]; !match || to.id == l.from.id {
			continue
		}
		in, known := counts[key]
		if !known {
			if in, err = ix.countLinks(ctx, key); err != nil {
				return nil, err
			}
			counts[key] = in
		}
		edges = append(edges, edge{from: l.from, to: to, anchor: l.anchor, weight: 1 / math.Sqrt(float64(max(l.out, 1)*max(in, 1)))})
	}
	return edges, nil
}

// linksAmong are the links that leave the notes of a list for what may be one
// of them: by the name of its file or by an alias.
func (ix *Index) linksAmong(ctx context.Context, list string) ([]link, error) {
	rows, err := ix.reads.QueryContext(ctx, `
		WITH found(id) AS MATERIALIZED (SELECT value FROM json_each(?1))
		SELECT s.id, s.rel, s.out, l.path, l.anchor, l.path IN (SELECT a.name FROM found f CROSS JOIN aliases a ON a.note = f.id) AS alias
			FROM found f CROSS JOIN notes s ON s.id = f.id CROSS JOIN links l ON l.note = f.id
			WHERE l.key IN (SELECT n.base FROM found f CROSS JOIN notes n ON n.id = f.id) OR alias
			LIMIT ?2`, list, 10*crowd)
	if err != nil {
		return nil, err
	}
	return scanLinks(rows)
}

// namesakes are the notes that have the file name of a note of the list, by
// that name.
func (ix *Index) namesakes(ctx context.Context, list string) (map[string][]place, error) {
	rows, err := ix.reads.QueryContext(ctx, `SELECT n.base, n.id, n.rel FROM notes n
		WHERE n.base IN (SELECT f.base FROM json_each(?1) e CROSS JOIN notes f ON f.id = e.value) LIMIT ?2`, list, 10*crowd)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := make(map[string][]place)
	for rows.Next() {
		var base string
		var p place
		if err := rows.Scan(&base, &p.id, &p.rel); err != nil {
			return nil, err
		}
		out[base] = append(out[base], p)
	}
	return out, rows.Err()
}

// countLinks is how many links have the name of a note, up to a thousand.
func (ix *Index) countLinks(ctx context.Context, key string) (n int, err error) {
	err = ix.reads.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM links WHERE key = ? LIMIT 1000)", key).Scan(&n)
	return n, err
}
