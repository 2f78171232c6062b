// Package writer is the only room that changes a person's notes: it writes, appends and undoes
// answers, keeps progress comments up to date and merges texts that were saved meanwhile. There
// is one exception: engine/broadcast/shelf changes notes that the Broadcaster has made and that
// nothing else has changed.
//
// [Writer.Submit] takes a record whose answers are in the journal; [Writer.Run]
// writes them until its context ends. [Writer.Undo] puts the markers back, and
// [Writer.RefreshProgress] brings the progress comments of a note up to date.
//
// # Promises
//
// Writes to one note happen one after the other, writes to different notes side by side. At most
// four notes of one vault are written at once; undos that a person waits for, progress comments,
// merges and the ends of exchanges come on top, and a write that waits for another program does
// not count. So notes that are always busy delay no other, and a disk that does not respond
// delays no other vault. An answer whose line is missing is parked after ten seconds, one whose
// note is missing after [Options.FollowFor]. Any other write fails after six tries with a
// back-off, and the answer is kept; tries that [Writer.RetryNow] brought forward do not count.
// The next engine takes up a write that the engine's end cuts short. The text that an exchange
// has displaced is kept for [swap.Grace] and checked once more before it is removed; when the
// engine stops, this happens early. [Writer.Recover] must return before Run is called; otherwise
// a Writer is safe for concurrent use.
package writer

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/recorder"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/rewrite/swap"
)

// Engine is the engine, as the writer sees it. All of it is safe for concurrent use.
type Engine interface {
	// WhyBack says in words for a person why the answers that a note has lost are held and
	// not written again; "" means that they are written. It may touch the disk.
	WhyBack(root, rel string) string

	// IsAwayOnDisk reports whether the disk of a vault is away. It may touch it.
	IsAwayOnDisk(root string) bool

	// IsSought reports whether the questions of a note that is gone are looked for in others. It
	// may touch the disk.
	IsSought(root, rel string) bool

	// MarkUnreachable says that the folder of a vault was not reached.
	MarkUnreachable(root string)

	// WillReplace says that what a note holds, whose SHA-256 is base, is about to be replaced,
	// and whether by what brings text from elsewhere. It touches the disk.
	WillReplace(root, path string, base [32]byte, brings bool)

	// BothKept says that a note was saved while its answer was written and both versions live,
	// UndoFailed that an undo that an earlier engine has begun could not be done.
	BothKept(file, copy string)
	UndoFailed(d journal.Dispatch, reason string)

	// ReadForProgress returns a note with its progress comments and when it was changed; an error
	// says that it cannot be told in. It touches the disk.
	ReadForProgress(root, rel string) (src []byte, modified time.Time, err error)

	// MissedIn returns the lines of a note that are not taken up; known is false if their
	// comments are to be left alone.
	MissedIn(root, rel string, page *note.Page) (lines []Missed, known bool)
}

// Options are what a Writer works with.
type Options struct {
	Journal     *journal.Journal
	Record      *recorder.Recorder // of every step
	EngineID    string             // whose temporary files these are, see [swap.Change]
	AnswerBytes int                // the longest answer; 0 is the default
	FollowFor   time.Duration      // how long the questions of a note that is gone are looked for in others at least

	NewestFirst func(schedule string) bool // of a question of the configuration that comes again; nil = of none

	Engine   Engine
	Progress Progress
	Log      *slog.Logger
}

// Writer is the queue of answers to write and what their writing leaves behind.
type Writer struct {
	*queue
	opts        Options
	exchanges   *exchanges
	lastWritten atomic.Int64 // when an answer was written last, in nanoseconds; 0 = not known
	progress    *display
	try         func(ctx context.Context, d journal.Dispatch, waited time.Duration) error // write, but in tests

	work   context.Context // of every write; ends when the grace is over
	cancel context.CancelFunc
}

// noteKey names a note.
type noteKey struct{ root, rel string }

// New returns a Writer; nothing is written before Run.
func New(opts Options) *Writer {
	w := &Writer{opts: opts}
	w.work, w.cancel = context.WithCancel(context.Background())
	w.queue = &queue{agenda: due.New[string](), waiting: make(map[string]*entry), lanes: make(map[string]*lane),
		write: func(e *entry) *entry { return w.writeEntry(w.work, e) }}
	w.try = w.writeAnswers
	w.exchanges = newExchanges(rewrite.Lock, w.endExchangeLocked)
	w.progress = newProgress(w, opts.Engine, opts.Progress)
	return w
}

// PartingTime is how long Run takes to end at most, and its parts: for writes at work to finish,
// for each to notice that this is over, and for what they have left to be looked at. A disk that
// does not respond takes longer, and is left behind.
const (
	PartingTime = 6 * time.Second
	graceTime   = PartingTime / 2
	unwindTime  = PartingTime / 6
	flushTime   = PartingTime / 3
)

// Run writes until ctx ends. Then it writes what is due, gives that the grace, and
// returns when all has ended that does not wait for a disk.
func (w *Writer) Run(ctx context.Context) {
	var loops sync.WaitGroup
	loops.Go(func() { w.exchanges.run(ctx) })
	loops.Go(func() { w.progress.run(ctx) })
	w.mu.Lock()
	for _, l := range w.lanes {
		if r := l.recovery; r != nil {
			loops.Go(func() { r.endAll(ctx, w) })
		}
	}
	w.mu.Unlock()
	w.agenda.Run(ctx, w.makeReady)
	for id, ok := w.agenda.Take(time.Now()); ok; id, ok = w.agenda.Take(time.Now()) {
		w.makeReady(id)
	}
	if !waitFor(w.workers.Wait, graceTime) {
		w.mu.Lock()
		w.stopped = true
		w.mu.Unlock()
		w.cancel()
		if !waitFor(w.workers.Wait, unwindTime) {
			w.opts.Log.Error("a write does not end; its disk does not respond")
		}
	}
	w.cancel()
	if !waitFor(func() { loops.Wait(); w.exchanges.flushAll() }, flushTime) {
		w.opts.Log.Error("what a write has left cannot be looked at; its disk does not respond")
	}
}

// waitFor waits for a function, at most for a time, and reports whether it has ended.
func waitFor(f func(), limit time.Duration) bool {
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// Recover takes up the exchanges that the last engine left; Run ends them. It touches no vault.
func (w *Writer) Recover(ctx context.Context) error {
	open, err := w.opts.Journal.Swaps(ctx)
	if err != nil {
		return err
	}
	w.mu.Lock()
	for _, s := range open {
		l := w.laneOf(vaultOf(s))
		if l.recovery == nil {
			l.recovery = &recovery{completion: make(chan struct{})}
		}
		l.recovery.swaps = append(l.recovery.swaps, s)
	}
	w.mu.Unlock()
	return w.recallWritten(ctx)
}

// recovery is what the last engine left in one vault.
type recovery struct {
	swaps      []journal.Swap
	completion chan struct{} // closed when all are ended, or are tried again before each write
}

// endAll ends the exchanges. Their dispatches are written again, which finds out whether
// the answers are in the note by now.
func (r *recovery) endAll(ctx context.Context, w *Writer) {
	defer close(r.completion)
	for _, s := range r.swaps {
		if err := w.endExchange(ctx, s, swap.Recover); err != nil {
			w.opts.Log.Error("recover an interrupted write", "error", err)
			w.exchanges.addBroken(s)
		}
	}
}

// AwaitRecovery waits until what a crash has cut short in a vault is mended. Until
// then nothing else may touch its notes.
func (w *Writer) AwaitRecovery(ctx context.Context, root string) error {
	w.mu.Lock()
	r := w.laneOf(root).recovery
	w.mu.Unlock()
	if r == nil {
		return nil
	}
	select {
	case <-r.completion:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Writing returns how many answers are being written or about to be; those that wait
// for another try are not counted.
func (q *queue) Writing() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, now := 0, time.Now()
	for _, l := range q.lanes {
		n += len(l.writes)
	}
	for _, e := range q.waiting {
		if e.eligible || !e.dueTime.After(now) {
			n++
		}
	}
	return n
}
