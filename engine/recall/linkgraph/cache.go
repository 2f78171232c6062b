package linkgraph

import (
	"context"
	"slices"
	"sync"
)

// mostKept is how many links a cache keeps, about: a few megabytes.
const mostKept = 20_000

// Cache keeps the links of notes that were asked for, until one changes anywhere. The zero value is
// empty. It is safe for concurrent use.
type Cache struct {
	mu    sync.Mutex // guards the fields below
	turn  uint64     // how often links have changed
	edges map[int64][]Edge
	kept  int
}

// Forget empties the cache. It is called after links, names or notes were written.
func (c *Cache) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	c.edges, c.kept = nil, 0
}

// EdgesOf is that of g. What it returns is the caller's.
func (c *Cache) EdgesOf(ctx context.Context, g Graph, id int64) ([]Edge, error) {
	c.mu.Lock()
	list, isKept := c.edges[id]
	turn := c.turn
	c.mu.Unlock()
	if isKept {
		return slices.Clone(list), nil
	}
	list, err := g.EdgesOf(ctx, id)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.turn != turn {
		return list, nil // they may be of before the change
	}
	if c.edges == nil || c.kept > mostKept {
		c.edges, c.kept = make(map[int64][]Edge), 0
	}
	c.edges[id] = slices.Clone(list)
	c.kept += len(list) + 1
	return list, nil
}
