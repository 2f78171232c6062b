package linkgraph

import (
	"context"
	"database/sql"
	"hash/maphash"
	"path"
	"slices"
	"sync"
)

// How much a cache keeps, about: ten megabytes, the links of a vault of 10,000 notes.
const (
	mostKept    = 100_000 // links
	mostChanged = 50_000  // names
)

// Cache keeps the links of notes that were asked for, until a name changes that they depend on. The zero value is
// empty. It is safe for concurrent use.
type Cache struct {
	mu      sync.Mutex        // guards the fields below
	turn    uint64            // how often links have changed
	changed map[uint64]uint64 // when a name last did, by its hash; two names of one hash forget too much
	floor   uint64            // the cache keeps no links that were read before this turn
	entries map[int64]entry
	rels    map[string]string // one copy of each path
	size    int
}

type entry struct {
	edges []Edge
	names []uint64 // hashes of what they depend on
	turn  uint64   // when they were read
}

// Forget empties the cache. It is called after many notes were written, or all.
func (c *Cache) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	c.startAnew()
}

// startAnew drops all that was read before this turn. The caller holds mu.
func (c *Cache) startAnew() {
	c.changed, c.floor = make(map[uint64]uint64), c.turn
	c.empty()
}

func (c *Cache) empty() {
	c.entries, c.rels, c.size = make(map[int64]entry), make(map[string]string), 0
}

// ForgetNames forgets what depends on some names. It is called after notes were written, with what [NamesOf] returned for each
// before and after.
func (c *Cache) ForgetNames(names []string) {
	if len(names) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	if c.changed == nil || len(c.changed) > mostChanged {
		c.startAnew()
	}
	for _, name := range hashNames(names) {
		c.changed[name] = c.turn
	}
}

// isFresh reports whether no name has changed that an entry depends on. The caller holds mu.
func (c *Cache) isFresh(e entry) bool {
	return e.turn >= c.floor && !slices.ContainsFunc(e.names, func(name uint64) bool { return c.changed[name] > e.turn })
}

// EdgesOf is that of g. Nobody may change the lists that it returns.
func (c *Cache) EdgesOf(ctx context.Context, g Graph, ids ...int64) (map[int64][]Edge, error) {
	found := make(map[int64][]Edge, len(ids))
	var missing []int64
	c.mu.Lock()
	turn := c.turn
	for _, id := range ids {
		if known, isKept := c.entries[id]; isKept && c.isFresh(known) {
			found[id] = known.edges
		} else {
			missing = append(missing, id)
		}
	}
	c.mu.Unlock()
	if len(missing) == 0 {
		return found, nil
	}
	lists, err := g.EdgesOf(ctx, missing...)
	if err != nil {
		return nil, err
	}
	names, err := NamesOf(ctx, g.db, missing...)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range missing {
		found[id] = lists[id]
		now := entry{edges: lists[id], names: hashNames(names[id]), turn: turn}
		if len(now.names) > 0 && c.isFresh(now) { // it is not gone, and they are not of before a change
			c.keep(id, now)
		}
	}
	return found, nil
}

// keep keeps the links of a note. The caller holds mu.
func (c *Cache) keep(id int64, now entry) {
	if c.entries == nil || c.size > mostKept {
		c.empty()
	}
	if old, isKept := c.entries[id]; isKept {
		c.size -= len(old.edges) + 1
	}
	for i := range now.edges {
		e := &now.edges[i]
		e.Source.Rel, e.Target.Rel = c.copyOf(e.Source.Rel), c.copyOf(e.Target.Rel)
	}
	c.entries[id] = now
	c.size += len(now.edges) + 1
}

func (c *Cache) copyOf(rel string) string {
	if known, isKnown := c.rels[rel]; isKnown {
		return known
	}
	c.rels[rel] = rel
	return rel
}

// NamesOf returns, for each of some notes, the names that its links depend on, and that those of other notes depend on for its
// sake: its own, and what its links name. A note that is not there has none.
func NamesOf(ctx context.Context, db interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}, ids ...int64) (map[int64][]string, error) {
	rows, err := db.QueryContext(ctx, `SELECT n.id, n.base FROM json_each(?1) e CROSS JOIN notes n ON n.id = e.value
		UNION ALL SELECT a.note, a.name FROM json_each(?1) e CROSS JOIN aliases a ON a.note = e.value
		UNION ALL SELECT l.note, l.path FROM json_each(?1) e CROSS JOIN links l ON l.note = e.value`, listOf(ids))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names := make(map[int64][]string, len(ids))
	for rows.Next() {
		var id int64
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			return nil, err
		}
		names[id] = append(names[id], name)
	}
	return names, rows.Err()
}

var seed = maphash.MakeSeed()

// hashNames returns the hashes of names and of their last elements, each once: an alias may be a path, and a file that is
// named as its end comes before it.
func hashNames(names []string) (list []uint64) {
	for _, name := range names {
		list = append(list, maphash.String(seed, name))
		if base := path.Base(name); base != name {
			list = append(list, maphash.String(seed, base))
		}
	}
	slices.Sort(list)
	return slices.Clip(slices.Compact(list))
}
