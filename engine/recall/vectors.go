package recall

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"vaultdispatcher/engine/recall/embed"
)

// Meaning is how an index finds passages that say the same in other words.
type Meaning struct {
	Embedder embed.Embedder
	Broken   error   // why there is none, though one is configured; searches tell it
	Weight   float64 // of nearness in meaning, where that of words is 2
	Batch    int     // passages embedded at a time; 0 = 32
}

// Embedding says how far the vectors of an index have come.
type Embedding struct {
	Dim     int // numbers of a vector; 0 = not known yet
	Vectors int
	Pending int // chunks that have none yet
	Stale   int // vectors of texts that stand nowhere now, kept a month lest they come back

	LastError string // why the embedder gives none; empty when it does
}

// vectors are what an index with an embedder has besides.
type vectors struct {
	Meaning
	path      string        // of the file
	borrowed  bool          // it is an engine's, and this process only reads it
	wake      chan struct{} // holds one token when there is something to do
	recovered chan struct{} // holds one token when a query was answered
	file      *vectorFile   // owned by Embed; nil before it has opened it

	mu        sync.RWMutex // guards the fields below
	space     *space       // nil before it was loaded
	gone      int
	listening bool           // changes of notes are noted
	queue     []string       // notes with chunks that lack a vector
	lacking   map[string]int // how many, by note in queue
	inWork    map[string]int // the same of the notes that were taken off it
	removed   []key          // texts of chunks that went
	lastError string

	queryError error                // of the last query
	mute       time.Time            // until when searches do not ask the embedder
	unheard    string               // a query that the embedder was too slow for
	asked      map[string][]float32 // the vectors of the last queries
}

func newVectors(path string, m Meaning) *vectors {
	if m.Batch < 1 {
		m.Batch = 32
	}
	return &vectors{
		Meaning: m, path: filepath.Join(filepath.Dir(path), "vectors.db"), wake: make(chan struct{}, 1),
		recovered: make(chan struct{}, 1), lacking: make(map[string]int), inWork: make(map[string]int), asked: make(map[string][]float32),
	}
}

// Embedding says how far the vectors have come; false where the index has no
// embedder. It never waits for the embedder.
func (ix *Index) Embedding() (Embedding, bool) {
	v := ix.vectors
	if v == nil {
		return Embedding{}, false
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	e := Embedding{Stale: v.gone, LastError: v.lastError}
	if v.space != nil {
		e.Dim, e.Vectors = v.space.dim, v.space.size()
	}
	if v.Broken != nil {
		e.LastError = v.Broken.Error()
	}
	if e.LastError == "" && v.queryError != nil {
		e.LastError = v.queryError.Error()
	}
	for _, queue := range []map[string]int{v.lacking, v.inWork} {
		for _, n := range queue {
			e.Pending += n
		}
	}
	return e, true
}

// Back-off after a failure: doubled each time, and steady where somebody has to
// mend something first.
const (
	firstPause = time.Second
	longPause  = 5 * time.Minute
	mendPause  = time.Minute
)

// Embed gives every chunk its vector, once the index has been brought up to the
// vault, and follows what changes, until ctx ends. One request is under way at a
// time. Without an embedder it returns at once.
//
// An embedder that fails is asked again after a while; see [Index.Embedding].
func (ix *Index) Embed(ctx context.Context) error {
	v := ix.vectors
	if v == nil || ix.Wait(ctx) != nil {
		return nil
	}
	defer func() {
		if v.file != nil {
			v.file.close()
		}
	}()
	if v.Broken != nil {
		return nil
	}
	pause, last := firstPause, ""
	for {
		err := ix.catchUp(ctx)
		if ctx.Err() != nil {
			return nil
		}
		v.report(err)
		ix.stirred()
		if err == nil {
			pause, last = firstPause, ""
			select {
			case <-v.wake:
			case <-ctx.Done():
			}
			continue
		}
		if err.Error() != last {
			last = err.Error()
			ix.log.Warn("embed notes", "error", err)
		}
		wait := pause
		if f, ok := errors.AsType[*embed.Failure](err); ok {
			if wait = max(pause, f.After); f.Lasting {
				wait = mendPause
			}
		}
		pause = min(2*pause, longPause)
		select {
		case <-time.After(wait):
		case <-v.recovered:
		case <-ctx.Done():
		}
	}
}

// report keeps what a person should know.
func (v *vectors) report(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lastError = ""
	if err != nil {
		v.lastError = err.Error()
	}
}

// catchUp does everything there is to do now. Should it find the file damaged,
// the file is made again from the vectors in memory.
func (ix *Index) catchUp(ctx context.Context) error {
	err := ix.embedAll(ctx)
	if v := ix.vectors; v.file != nil && damaged(err) && !v.borrowed {
		ix.log.Warn("file of vectors is damaged and is made again", "file", v.path, "error", err)
		if err = v.rewrite(ctx); err == nil {
			err = ix.embedAll(ctx)
		}
	}
	return err
}

func (ix *Index) embedAll(ctx context.Context) error {
	v := ix.vectors
	if v.file == nil {
		if err := ix.loadVectors(ctx); err != nil {
			return fmt.Errorf("open the vectors of the index: %w", err)
		}
	}
	for {
		if err := v.answerUnheard(ctx); err != nil {
			return err
		}
		more, err := ix.embedNotes(ctx)
		ix.stirred()
		if err != nil {
			v.putBack()
			return err
		}
		if !more {
			return ix.sweep(ctx)
		}
	}
}

// loadVectors opens the file and compares it with the chunks of the index.
func (ix *Index) loadVectors(ctx context.Context) error {
	v := ix.vectors
	v.mu.Lock()
	v.listening = true
	v.mu.Unlock()
	file, err := openVectors(ctx, v.path, v.Embedder.Fingerprint(), v.borrowed)
	if err != nil {
		return err
	}
	s, gone, err := file.load(ctx)
	if err != nil {
		file.close()
		if v.borrowed {
			return err
		}
		return errors.Join(err, removeVectors(v.path))
	}
	lacking, order, unused, err := ix.compare(ctx, s)
	if err != nil {
		file.close()
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.file, v.space, v.gone = file, s, gone
	v.removed = append(v.removed, unused...)
	for _, rel := range order {
		v.enqueue(rel, lacking[rel])
	}
	return nil
}

// compare returns the notes that lack vectors, the newest first, and the texts
// of s that no chunk has.
func (ix *Index) compare(ctx context.Context, s *space) (lacking map[string]int, order []string, unused []key, err error) {
	ix.opened.RLock()
	defer ix.opened.RUnlock()
	rows, err := ix.reads.QueryContext(ctx, "SELECT c.hash, n.rel FROM notes n JOIN chunks c ON c.note = n.id ORDER BY abs(n.mtime) DESC, n.id")
	if err != nil {
		return nil, nil, nil, err
	}
	defer rows.Close()
	lacking, used := make(map[string]int), make(map[key]bool)
	for rows.Next() {
		var hash []byte
		var rel string
		if err := rows.Scan(&hash, &rel); err != nil {
			return nil, nil, nil, err
		}
		used[keyOf(hash)] = true
		if s.has(keyOf(hash)) {
			continue
		}
		if lacking[rel]++; lacking[rel] == 1 {
			order = append(order, rel)
		}
	}
	for k := range s.slots {
		if !used[k] {
			unused = append(unused, k)
		}
	}
	return lacking, order, unused, rows.Err()
}

// enqueue notes that a note lacks n vectors; mu is held.
func (v *vectors) enqueue(rel string, n int) {
	if _, queued := v.lacking[rel]; !queued {
		v.queue = append(v.queue, rel)
	}
	v.lacking[rel] = n
}

// pop takes the first note off the queue.
func (v *vectors) pop() (rel string, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.queue) == 0 {
		return "", false
	}
	rel = v.queue[0]
	v.queue = v.queue[1:]
	v.inWork[rel] = v.lacking[rel]
	delete(v.lacking, rel)
	return rel, true
}

// putBack returns the notes in work to the front of the queue, where they are
// not on it again already.
func (v *vectors) putBack() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for rel, n := range v.inWork {
		if _, queued := v.lacking[rel]; !queued {
			v.queue = append([]string{rel}, v.queue...)
			v.lacking[rel] = n
		}
	}
	clear(v.inWork)
}

// touched follows a transaction of the index: added are the texts of notes that
// were written, removed those of chunks that went.
func (v *vectors) touched(added map[string][]key, removed []key) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.listening {
		return // the first comparison sees it
	}
	v.removed = append(v.removed, removed...)
	for rel, keys := range added {
		n := 0
		for _, k := range keys {
			if v.space == nil || !v.space.has(k) {
				n++
			}
		}
		if n > 0 {
			v.enqueue(rel, n)
		}
	}
	v.rouse()
}

func (v *vectors) rouse() {
	select {
	case v.wake <- struct{}{}:
	default:
	}
}
