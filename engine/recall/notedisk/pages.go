package notedisk

import (
	"context"
	"slices"
	"sync"
)

// LargeNote is the size from which several notes would be a lot to hold.
const LargeNote = 256 << 10

// OpenPages returns a function that reads a note and has it taken apart, once however often it is asked; nil where the note is gone.
// It is for one goroutine. Notes that will be asked for are read ahead beside it, the last first. end ends that, and closes the folder.
func OpenPages[Page any](ctx context.Context, d *Disk, ahead []string, parse func(rel string, src []byte) *Page) (read func(rel string) *Page, end func(), err error) {
	dir, err := d.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	var mu sync.Mutex
	pages := make(map[string]func() (*Page, bool))
	find := func(rel string) (p *Page, isLarge bool) {
		mu.Lock()
		once := pages[rel]
		if once == nil {
			once = sync.OnceValues(func() (*Page, bool) {
				src, err := dir.ReadNote(ctx, rel)
				if err != nil {
					return nil, false
				}
				return parse(rel, src), len(src) > LargeNote
			})
			pages[rel] = once
		}
		mu.Unlock()
		return once()
	}
	var reading sync.WaitGroup
	reading.Go(func() {
		for _, rel := range slices.Backward(ahead) {
			if _, isLarge := find(rel); isLarge || ctx.Err() != nil {
				return
			}
		}
	})
	read = func(rel string) *Page {
		p, isLarge := find(rel)
		if isLarge {
			mu.Lock()
			delete(pages, rel)
			mu.Unlock()
		}
		return p
	}
	return read, func() { stop(); reading.Wait(); dir.Close() }, nil
}
