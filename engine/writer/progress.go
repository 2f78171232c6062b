package writer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/vault/noteindex"
)

// With wiki.progress: note a comment under each marker says how its dispatch is doing, and one under a
// line that is not taken up says why, for people who read the note elsewhere. The comments matter
// little and the note matters most: a note that has changed in any way within the last debounce is
// left alone. Each state is written once at most, or twice where an editor saved over the comment of a
// line. Comments that cannot be placed are skipped without a word. All other parts read a note without
// these comments, so only people notice them. Without the setting, the comments of an earlier engine
// are removed.

// Progress says whether and how notes tell of progress.
type Progress struct {
	Enabled bool          // without it, the comments of an earlier engine are removed
	Asks    bool          // also show proposals, to be decided about in the note
	Host    string        // the name of this machine
	Rest    time.Duration // how long a note must have rested
}

// Missed is a line that is not taken up.
type Missed struct {
	Line   int // from 1
	Reason string
	Say    bool // the note tells of it; otherwise the comment under it is left alone
}

// display remembers which notes are to be brought up to date. The text about a dispatch comes from the
// journal, when it is written.
type display struct {
	Progress
	writer *Writer
	engine Engine
	agenda *due.Queue[noteKey]

	mu    sync.Mutex // guards the field below
	notes noteindex.States[noteKey, noteState]
}

// noteState is what a display remembers of a note.
type noteState struct {
	rest   rest             // the note's text when it was last read, while it waits
	stages map[string]stage // last written stages by dispatch, also those that could not be placed
	bare   [32]byte         // SHA-256 of the note without comments then
}

// rest is what a note holds, and since when.
type rest struct {
	sum   [32]byte
	start time.Time // zero = it was not read yet
}

func newProgress(w *Writer, engine Engine, p Progress) *display {
	p.Host = cmp.Or(p.Host, "this machine")
	return &display{Progress: p, writer: w, engine: engine, agenda: due.New[noteKey]()}
}

// edit changes what is remembered of a note.
func (p *display) edit(n noteKey, change func(s *noteState)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notes.Edit(n, change)
}

// RefreshProgress says that what a note tells of progress may not be true any more. It never waits.
func (w *Writer) RefreshProgress(root, rel string) {
	w.progress.agenda.Put(noteKey{root, rel}, time.Now())
}

// Looked is RefreshProgress after a look at a note that found lines that are not taken up. If it found
// no such lines, the state of earlier ones is dropped, and one that returns is reported again.
func (w *Writer) Looked(root, rel string, missed bool) {
	if !w.opts.Progress.Enabled {
		return
	}
	if missed {
		w.RefreshProgress(root, rel)
		return
	}
	w.progress.forget(noteKey{root, rel}, func(id string) bool { return strings.HasPrefix(id, ofLine) })
}

// Changed is RefreshProgress for the note of a dispatch.
func (w *Writer) Changed(d journal.Dispatch) {
	if w.opts.Progress.Enabled {
		w.RefreshProgress(d.Vault, d.File)
	}
}

// run brings notes up to date when they have come to rest, until ctx ends.
func (p *display) run(ctx context.Context) {
	lanes := due.NewLanes(func(n noteKey) {
		var r rest
		p.edit(n, func(s *noteState) { r, s.rest = s.rest, rest{} })
		if again, r := p.updateNote(ctx, n, r); !again.IsZero() {
			p.edit(n, func(s *noteState) { s.rest = r })
			p.agenda.PutIfNew(n, again)
		}
	})
	p.agenda.Run(ctx, func(n noteKey) { lanes.Add(n.root, n) })
	lanes.Wait()
}

// updateNote writes the comments of a note if there is anything to say and the note rests; otherwise it returns when to look
// again, zero for never.
func (p *display) updateNote(ctx context.Context, n noteKey, r rest) (again time.Time, now rest) {
	src, modified, err := p.engine.ReadForProgress(n.root, n.rel)
	if err != nil {
		return time.Time{}, rest{}
	}
	w, err := p.collectWishes(ctx, n, src)
	if err != nil || len(w.stages) == 0 {
		return time.Time{}, rest{}
	}
	seen := time.Now()
	if sum := sha256.Sum256(src); r.start.IsZero() || sum != r.sum {
		r = rest{sum, seen}
	}
	rested := r.start.Add(p.Rest)
	if modified.Before(seen) && modified.Add(p.Rest).After(rested) {
		rested = modified.Add(p.Rest)
	}
	if rested.After(seen) {
		return rested, r
	}
	p.showWishes(ctx, n, r.sum, w)
	return time.Time{}, rest{}
}

// chooseOwner returns the dispatch under which a write of comments is recorded: any of the note's, or
// none where all comments are about lines without a dispatch.
func chooseOwner(w wishes) string {
	for id := range w.stages {
		if !strings.HasPrefix(id, ofLine) {
			return id
		}
	}
	return ""
}

// showWishes has the comments written, and remembers what was said. What failed is not
// tried again before something happens to the note.
func (p *display) showWishes(ctx context.Context, n noteKey, sum [32]byte, w wishes) {
	job := rewrite.Job{Root: n.root, Path: filepath.Join(n.root, filepath.FromSlash(n.rel))}
	_, err := p.writer.rewriteAs(ctx, chooseOwner(w), job, func(ctx context.Context, job rewrite.Job, log func(swap.Intention) error) (rewrite.Result, error) {
		return rewrite.Show(ctx, job, w.signs, w.ours, sum, log)
	}, p.writer.opts.Journal.RecordProgressSwap)
	if err != nil {
		p.writer.opts.Log.Debug("progress is not shown", "vault", n.root, "note", n.rel, "error", err)
		if errors.Is(err, swap.ErrChanged) || errors.Is(err, swap.ErrBusy) || ctx.Err() != nil {
			return // a change of the note brings us back to it
		}
	}
	p.edit(n, func(s *noteState) {
		if s.stages == nil {
			s.stages = make(map[string]stage)
		}
		maps.Copy(s.stages, w.stages)
		s.bare = w.bare
	})
}
