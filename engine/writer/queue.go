package writer

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/wording"
)

// maxWrites is how often a note is tried; an editor may hold it for minutes:
// after 2 s, 8 s, 32 s and so on, about 11 minutes in all.
const maxWrites = 6

// queue is what waits to be written, and which of it is being written now.
type queue struct {
	write   func(e *entry) *entry // tries to, and returns the entry as it waits for another try, or nil
	agenda  *due.Queue[string]    // ids of waiting records
	workers sync.WaitGroup

	mu      sync.Mutex // guards the fields below
	waiting map[string]*entry
	lanes   map[string]*lane // by vault
	stopped bool
}

// entry is one record whose answers wait to be written.
type entry struct {
	d           journal.Dispatch
	dueTime     time.Time // not before
	eligible    bool      // it is due, and its note or its vault is busy
	tries       int       // failed ones since the engine started
	firstTry    time.Time // when it was tried first
	originalDue time.Time // when it was due before it was hurried
}

func (e *entry) note() noteKey { return noteKey{e.d.Vault, e.d.File} }

// Submit queues a record whose answers are in the journal, for now or for its next
// attempt; one that waits already starts over. It never waits.
func (q *queue) Submit(d journal.Dispatch) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := &entry{d: d, dueTime: due.Believable(d.NextAttempt)}
	if at := q.findWrite(d.ID); at != nil { // it has recorded its end and is about to go
		at.successor = e
		return
	}
	q.putEntry(e)
}

// putEntry lets an entry wait until it is due; the caller holds mu.
func (q *queue) putEntry(e *entry) {
	e.eligible = false
	q.waiting[e.d.ID] = e
	q.agenda.Put(e.d.ID, e.dueTime)
}

// RetryNow tries answers that wait for their note again at once: the note has changed,
// so what kept them out may be gone. Answers that were written over wait their time:
// an editor that saves every second must not be fought every second.
func (q *queue) RetryNow(root, rel string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, e := range q.waiting {
		if e.note() == (noteKey{root, rel}) && e.d.Reapplied == 0 && e.dueTime.After(time.Now()) {
			e.originalDue, e.dueTime = e.dueTime, time.Now()
			q.putEntry(e)
		}
	}
}

// Moved says that the question of a dispatch is in another note now; an answer that
// waits for its note is tried at once.
func (q *queue) Moved(id, file string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if at := q.findWrite(id); at != nil {
		at.note.rel = file
	}
	if e, ok := q.waiting[id]; ok {
		e.d.File, e.dueTime = file, time.Now()
		q.putEntry(e)
	}
}

// CancelWaiting cancels a dispatch whose answers wait for their turn, which the journal has
// as being written; cancel is what ends it there. The error is [journal.ErrState] when
// its answers do not wait, or are those of an undo.
func (w *Writer) CancelWaiting(ctx context.Context, id string, cancel func() error) error {
	w.mu.Lock()
	e, ok := w.waiting[id]
	if ok = ok && e.d.Undo != journal.Undoing; ok {
		delete(w.waiting, id)
	}
	w.mu.Unlock()
	if !ok {
		return journal.ErrState
	}
	err := w.opts.Journal.Requeue(ctx, id, "the answer waits to be written", time.Now(), journal.Count{})
	if err == nil || errors.Is(err, journal.ErrState) { // it was not begun at all
		err = cancel()
	}
	if err != nil {
		w.Submit(e.d)
	}
	return err
}

// startEntry writes the answers of an entry in a goroutine of their own; the caller holds mu.
func (q *queue) startEntry(e *entry) {
	delete(q.waiting, e.d.ID)
	l, at := q.laneOf(e.d.Vault), &write{id: e.d.ID, note: e.note()}
	l.writes = append(l.writes, at)
	l.atWork++
	q.workers.Go(func() {
		next := q.write(e)
		q.mu.Lock()
		defer q.mu.Unlock()
		if at.successor != nil {
			next = at.successor
		}
		if next != nil && at.note != e.note() { // it was moved meanwhile
			next.d.File, next.dueTime = at.note.rel, time.Now()
		}
		l.writes = slices.DeleteFunc(l.writes, func(one *write) bool { return one == at })
		l.atWork--
		if next != nil {
			q.putEntry(next)
		}
		q.fillPlaces(e.d.Vault)
	})
}

// writeEntry is one try to write the answers of an entry. It returns the entry as it
// waits for another try, or nil.
func (w *Writer) writeEntry(ctx context.Context, e *entry) *entry {
	d, err := w.beginWrite(ctx, e.d)
	if err != nil {
		return nil // it was cancelled meanwhile, or is taken up by the next engine
	}
	if d.Reapplied > 0 { // the news that the note went back may come after it
		if why := w.opts.Engine.WhyBack(d.Vault, d.File); why != "" {
			_ = w.opts.Record.Record(ctx, "hold dispatch", d.ID, func(ctx context.Context) error {
				return w.opts.Journal.Hold(ctx, d.ID, journal.ForBurst, why, time.Time{})
			})
			w.Changed(d)
			return nil
		}
	}
	if e.firstTry.IsZero() {
		e.firstTry = time.Now()
	}
	err = w.try(ctx, d, time.Since(e.firstTry))
	if errors.Is(err, errUnseen) || errors.Is(err, rewrite.ErrApart) || errors.Is(err, rewrite.ErrUnfit) {
		_ = w.opts.Record.Record(ctx, "propose again", d.ID, func(ctx context.Context) error {
			return w.opts.Journal.ProposeAgain(ctx, d.ID)
		})
		err = nil
	}
	if err != nil && ctx.Err() == nil {
		return w.retryLater(ctx, d, e, err)
	}
	w.Changed(d)
	return nil
}

// errNothingToWrite says that a dispatch has no answers that wait to be written.
var errNothingToWrite = errors.New("nothing is to be written")

// beginWrite returns the current record, moved to processing. A record that was just answered is there
// already.
func (w *Writer) beginWrite(ctx context.Context, d journal.Dispatch) (journal.Dispatch, error) {
	err := w.opts.Record.Record(ctx, "begin to write", d.ID, func(ctx context.Context) (err error) {
		if d, err = w.opts.Journal.Get(ctx, d.ID); err == nil && d.Status == journal.Queued && d.Answered {
			d, err = w.opts.Journal.Start(ctx, d.ID, d.Runner, time.Now())
		}
		return err
	})
	if err == nil && (d.Status != journal.Processing || !d.Answered) {
		err = errNothingToWrite
	}
	return d, err
}

// retryWithin is an error after which the next try is made within a certain time, even
// where the back-off is longer or it were the last.
type retryWithin struct {
	err   error
	delay time.Duration
}

func (s *retryWithin) Error() string { return s.err.Error() }

func (s *retryWithin) Unwrap() error { return s.err }

// retryLater keeps the answers and returns the entry as it waits for the next try, or nil without a
// next try. A hurried try does not change when the next one is due.
func (w *Writer) retryLater(ctx context.Context, d journal.Dispatch, e *entry, cause error) *entry {
	if syserr.IsWorded(cause) {
		w.opts.Log.Warn("an answer cannot be written now", "dispatch", d.ID, "error", cause)
	}
	delay, tries := time.Until(e.originalDue), e.tries
	if delay <= 0 {
		tries++
		delay = due.Backoff(tries)
	}
	if s, ok := errors.AsType[*retryWithin](cause); ok {
		delay, tries = min(delay, s.delay), min(tries, maxWrites-1) // lookAgainOrPark decides which try is the last
	}
	if errors.Is(cause, rewrite.ErrConflict) { // however long a person takes for that
		tries = min(tries, maxWrites-1)
	}
	if tries >= maxWrites {
		w.giveUp(ctx, d, syserr.Plain(cause))
		return nil
	}
	at, waits := time.Now().Add(delay), wording.Choose(d.Undo == journal.Undoing, "taken back", "written")
	err := w.opts.Record.Record(ctx, "queue dispatch again", d.ID, func(ctx context.Context) error {
		return w.opts.Journal.Requeue(ctx, d.ID, "the answer waits to be "+waits+": "+syserr.Plain(cause), at, journal.Count{})
	})
	if err != nil {
		return nil
	}
	d.NextAttempt = at
	return &entry{d: d, dueTime: at, tries: tries, firstTry: e.firstTry}
}

// giveUp ends the tries of d, whose answers are kept: in the journal, or in the note that they were to
// be removed from. No caller waits any more, so a notice says so.
func (w *Writer) giveUp(ctx context.Context, d journal.Dispatch, reason string) {
	err := w.opts.Record.Record(ctx, "record failure", d.ID, func(ctx context.Context) error {
		if d.Undo == journal.Undoing {
			return w.opts.Journal.RecordUndoRefused(ctx, d.ID, reason)
		}
		return w.opts.Journal.Fail(ctx, d.ID, "the answer is kept but cannot be written: "+reason)
	})
	if err == nil && d.Undo == journal.Undoing {
		w.opts.Engine.UndoFailed(d, reason)
	}
	w.Changed(d)
}
