package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/rewrite/swap"
)

// With wiki.progress: note a comment under each marker says what is becoming of
// it, for people who read the note elsewhere. It is worth nothing and the note
// everything: a note in which anything has changed within the last debounce is left
// alone, each state is written once at most, and what cannot be placed is skipped
// without a word. Everything else reads a note without these comments, so nothing
// but people notices them. Without the setting, what an earlier engine has left
// goes.

// progress remembers which notes are to be brought up to date. What it says about
// a dispatch comes from the journal, when it is written.
type progress struct {
	engine *Engine
	on     bool
	host   string
	rest   time.Duration
	woken  chan struct{} // holds one token when a note was added

	mu    sync.Mutex // guards the fields below
	notes map[noteOf]resting
	said  map[noteOf]map[string]stage // what was written last, by dispatch; also what could not be placed
}

type noteOf struct {
	vault *vault
	rel   string
}

// resting is a note whose time comes when it has not changed for a while.
type resting struct {
	due   time.Time
	sum   [32]byte
	since time.Time // it holds these bytes; zero = it was not read yet
}

func newProgress(e *Engine) *progress {
	return &progress{
		engine: e, on: e.config.Progress == "note", host: cmp.Or(machine(), "this machine"), rest: e.config.Debounce,
		woken: make(chan struct{}, 1), notes: make(map[noteOf]resting), said: make(map[noteOf]map[string]stage),
	}
}

// touch says that what is said in a note may not be true any more. It never waits.
func (p *progress) touch(v *vault, rel string) {
	if v == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.notes[noteOf{v, rel}]
	r.due = time.Now()
	p.notes[noteOf{v, rel}] = r
	select {
	case p.woken <- struct{}{}:
	default:
	}
}

// changed is touch for the note of a dispatch.
func (p *progress) changed(d journal.Dispatch) {
	if p.on {
		p.touch(p.engine.vaultAt(d.Vault), d.File)
	}
}

// run brings notes up to date when they have come to rest, until ctx ends.
func (p *progress) run(ctx context.Context) error {
	for {
		n, r, ok := p.next()
		var timer <-chan time.Time
		if ok {
			timer = time.After(time.Until(r.due))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-p.woken:
		case <-timer:
			p.put(n, r, p.update(ctx, n, r))
		}
	}
}

// next returns the note that is due first.
func (p *progress) next() (n noteOf, first resting, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for other, r := range p.notes {
		if !ok || r.due.Before(first.due) {
			n, first, ok = other, r, true
		}
	}
	return n, first, ok
}

// put replaces what is known of a note, unless it was touched meanwhile; one that
// is done with is forgotten.
func (p *progress) put(n noteOf, was, is resting) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch now := p.notes[n]; {
	case now.due != was.due:
		is.due = now.due
		p.notes[n] = is
	case is.due.IsZero():
		delete(p.notes, n)
	default:
		p.notes[n] = is
	}
}

// update writes the comments of a note if there is anything to say and the note
// rests, and returns when to look again; the zero time is never.
func (p *progress) update(ctx context.Context, n noteOf, r resting) resting {
	src, modified, err := n.vault.readWhole(n.rel)
	if err != nil || n.vault.uncounted(n.rel) != "" || n.vault.away() {
		return resting{}
	}
	w, err := p.wishes(ctx, n, src)
	if err != nil || len(w.stages) == 0 {
		return resting{}
	}
	now := time.Now()
	if sum := sha256.Sum256(src); r.since.IsZero() || sum != r.sum {
		r.sum, r.since = sum, now
	}
	rested := r.since.Add(p.rest)
	if modified.Before(now) && modified.Add(p.rest).After(rested) {
		rested = modified.Add(p.rest)
	}
	if r.due = rested; rested.After(now) {
		return r
	}
	p.show(ctx, n, r.sum, w)
	return resting{}
}

// show has the comments written, and remembers what was said. What failed is not
// tried again before something happens to the note.
func (p *progress) show(ctx context.Context, n noteOf, sum [32]byte, w wishes) {
	var id string // whose intention it is; any of them will do
	for id = range w.stages {
		break
	}
	job := rewrite.Job{Root: n.vault.root, Path: filepath.Join(n.vault.root, filepath.FromSlash(n.rel))}
	_, err := p.engine.rewriteAs(ctx, id, job, func(ctx context.Context, job rewrite.Job, log func(swap.Intention) error) (rewrite.Result, error) {
		return rewrite.Show(ctx, job, w.signs, w.ours, sum, log)
	}, p.engine.journal.Showing)
	if err != nil {
		n.vault.log.Debug("progress is not shown", "note", n.rel, "error", err)
		if errors.Is(err, swap.ErrChanged) || errors.Is(err, swap.ErrBusy) || ctx.Err() != nil {
			return // whoever changes the note brings us back to it
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.said[n] == nil {
		p.said[n] = make(map[string]stage)
	}
	maps.Copy(p.said[n], w.stages)
}

// readWhole returns a note with its progress comments, and when it was changed.
func (v *vault) readWhole(rel string) ([]byte, time.Time, error) {
	src, err := v.readRaw(rel)
	if err != nil {
		return nil, time.Time{}, err
	}
	info, err := os.Stat(filepath.Join(v.root, filepath.FromSlash(rel)))
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("look at a note: %w", err)
	}
	return src, info.ModTime(), nil
}
