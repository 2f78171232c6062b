// Package vectors keeps a vector for every text of an index, and finds the texts
// that are near to a query in meaning.
//
// Most callers need three calls: [New] makes the [Store] of one index, [Store.Run]
// embeds what lacks its vector until its context ends, and [Store.Nearest] answers
// a search.
//
// # Promises
//
// Each text is embedded once, however often its note is renamed or moved. Vectors
// have a file of their own beside the index. It may be thrown away as well, but
// embedding a vault again can take hours where indexing it takes seconds, so the
// file outlives a damaged index and one of an older layout.
//
// [Store.State] reads memory only. No lock is held while the embedder or the
// [Source] works, so nothing waits for a slow server or a share that hangs.
//
// A search waits 1.5 seconds at most for the vector of its query.
package vectors

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"vaultdispatcher/engine/recall/embed"
	"vaultdispatcher/engine/syserr"
)

// Meaning is how an index finds passages that say the same in other words.
type Meaning struct {
	Embedder embed.Embedder
	Broken   error   // why a configured embedder is missing; searches report it
	Weight   float64 // of nearness in meaning, where that of words is 2
	Batch    int     // passages embedded at a time; 0 = 32
}

// State says how far the vectors of an index have come.
type State struct {
	Dim     int // numbers of a vector; 0 = not known yet
	Vectors int
	Pending int // chunks that have none yet
	Stale   int // vectors of texts that no note has now, kept for a month in case they come back

	LastError string // why the embedder gives none; empty when it does
}

// Text is a text that lacks its vector.
type Text struct {
	Key Key
	Doc embed.Doc
}

// Source is the index that has the texts.
type Source interface {
	// EachText calls visit for every text, those of the newest notes first.
	EachText(ctx context.Context, visit func(rel string, k Key)) error
	// MissingTexts returns the texts of one note that have no vector yet. It
	// returns none where the note has changed since it was indexed: the index
	// hears of that and reports the note again by Follow.
	MissingTexts(ctx context.Context, rel string, hasVector func(Key) (bool, error)) ([]Text, error)
	// HasText reports whether some note has a text.
	HasText(ctx context.Context, k Key) (bool, error)
}

// Store is what an index with an embedder has besides. It is safe for concurrent
// use; Run and CatchUp are for one goroutine.
type Store struct {
	Meaning
	source  Source
	log     *slog.Logger
	changed func() // is called when State has changed
	path    string // of the file

	wake      chan struct{} // holds one token when there is something to do
	recovered chan struct{} // holds one token when a query was answered
	file      *vectorFile   // owned by Run; nil before Run has opened it

	mu        sync.RWMutex // guards the fields below
	space     *space       // nil before it was loaded
	removals  int
	following bool           // changes of notes are recorded
	queue     []string       // notes with chunks that lack a vector
	lacking   map[string]int // how many, by note in queue
	inWork    map[string]int // the same for the notes that were taken off it
	removed   []Key          // texts of chunks that were deleted
	lastError string

	queryError   error                // of the last query
	mutedUntil   time.Time            // until then searches do not ask the embedder
	pendingQuery string               // a query that the embedder was too slow for
	answered     map[string][]float32 // the vectors of the last queries
}

// New returns the store of the index whose file is indexPath. changed is called
// when State has changed; it must not wait.
func New(indexPath string, m Meaning, source Source, log *slog.Logger, changed func()) *Store {
	if m.Batch < 1 {
		m.Batch = 32
	}
	return &Store{
		Meaning: m, source: source, log: log, changed: changed, path: filepath.Join(filepath.Dir(indexPath), "vectors.db"),
		wake: make(chan struct{}, 1), recovered: make(chan struct{}, 1),
		lacking: make(map[string]int), inWork: make(map[string]int), answered: make(map[string][]float32),
	}
}

// Close closes the file, after Run has ended.
func (v *Store) Close() {
	if v.file != nil {
		v.file.close()
	}
}

// State says how far the vectors have come. It never waits for the embedder.
func (v *Store) State() State {
	v.mu.RLock()
	defer v.mu.RUnlock()
	s := State{Stale: v.removals, LastError: v.lastError}
	if v.space != nil {
		s.Dim, s.Vectors = v.space.dim, v.space.countVectors()
	}
	if v.Broken != nil {
		s.LastError = syserr.Plain(v.Broken)
	}
	if s.LastError == "" && v.queryError != nil {
		s.LastError = syserr.Plain(v.queryError)
	}
	for _, queue := range []map[string]int{v.lacking, v.inWork} {
		for _, n := range queue {
			s.Pending += n
		}
	}
	return s
}

// Follow records a transaction of the index: added are the texts of notes that
// were written, removed those of chunks that were deleted.
func (v *Store) Follow(added map[string][]Key, removed []Key) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.following {
		return // the first comparison sees it
	}
	v.removed = append(v.removed, removed...)
	for rel, keys := range added {
		n := 0
		for _, k := range keys {
			if v.space == nil || !v.space.hasText(k) {
				n++
			}
		}
		if n > 0 {
			v.enqueueNote(rel, n)
		}
	}
	v.wakeWorker()
}

// enqueueNote records that a note lacks n vectors; mu is held.
func (v *Store) enqueueNote(rel string, n int) {
	if _, queued := v.lacking[rel]; !queued {
		v.queue = append(v.queue, rel)
	}
	v.lacking[rel] = n
}

// dequeueNote takes the first note off the queue.
func (v *Store) dequeueNote() (rel string, ok bool) {
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

// requeueNotes returns the notes in work to the front of the queue, except those
// that are on it again already.
func (v *Store) requeueNotes() {
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

func (v *Store) wakeWorker() {
	select {
	case v.wake <- struct{}{}:
	default:
	}
}
