// Package rewrite puts the answers of one group into its note: each in the place
// of its marker, all in one write, with every other byte as it was.
//
// [Answer] is the one call, and [Undo] takes back what it did; [Show] says under the
// markers what is becoming of them until then. Answer and Undo may be repeated
// any number of times, also after a crash: a marker that is found is answered, an
// answer that already stands in the note is not written again, and a marker that is
// gone leaves its answer to the caller.
//
// # Promises
//
// The note is read again before every try, and the markers are looked for by
// their exact line, their neighbours and their order, never by position alone.
// The new text is parsed before it is written: precisely the answered markers
// have to be gone. That a marker is missing is only believed of a note that has
// come to rest and that nobody has open for writing, since an editor that saves
// makes it short for a moment; and a group is written by half only if the caller
// says so. Two calls for one note do not overlap. What package swap promises
// holds for the write itself.
package rewrite

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"math/rand/v2"
	"slices"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/sanitize"
	"vaultdispatcher/engine/rewrite/swap"
)

// Place is a marker as it was when its dispatch was accepted, and its answer.
type Place struct {
	note.Trace
	Answer string
	Block  note.Block // the answer in the note, for Undo
}

// Draft is what is about to be written.
type Draft struct {
	Base   []byte       // the note as it was read
	Blocks []note.Block // by place; empty where nothing is written
}

// Job is one group's answers for one note.
type Job struct {
	Root   string // the vault
	Path   string // the note, absolute
	ID     string // of the dispatch; what tells of its progress goes when its answers come
	Places []Place
	Limit  int // bytes of one answer; 0 means 262144

	// Others are the places of the note's other open dispatches. Equal lines are
	// told apart by looking for all of them together.
	Others []Place

	// Partial lets the places that are found be written although others are
	// missing. Without it such a note is left alone and Missing says so.
	Partial bool

	// Before, if there is one, is called when the note's turn has come and nothing
	// was read yet. Its error ends the call.
	Before func(context.Context) error

	// Draft, if there is one, is told what will be written, before the intention to
	// write it is logged. The last draft that was told is the one that counts.
	Draft func(Draft)

	// Files are the file operations; nil means the operating system's.
	Files swap.Files
}

// Result says where the answers are now.
type Result struct {
	Written  []int    // indexes of the places whose answer stands in the note, put there now or earlier
	Missing  []int    // indexes of the places that are gone
	Hash     [32]byte // SHA-256 of the note as it was written, or as it was read if nothing was
	InPlace  bool     // written in place, so not atomic
	Conflict string   // path of a copy beside the note that holds the other version

	// Displaced is the Temp of the one logged intention that replaced the note.
	Displaced string
}

// The reasons a caller acts on; those of package swap come through as well.
var (
	ErrNoteGone  = errors.New("the note is gone")
	ErrContested = errors.New("the note keeps changing while its answer is being written")
	ErrUnsafe    = errors.New("the answer cannot be placed without changing what the rest of the note means")
)

// contested is ErrContested and what the last try met with, of which nobody needs
// to be told: it says the same in other words.
type contested struct{ cause error }

func (contested) Error() string     { return ErrContested.Error() }
func (c contested) Unwrap() []error { return []error{ErrContested, c.cause} }

const defaultLimit = 256 << 10

// Answer writes the answers of job into its note. log records each intention
// durably before the note is touched; after a crash it goes to [swap.Recover],
// and then Answer may be called again. That places are missing is no error.
//
// The intentions that Answer has logged stay open for [swap.Grace] and then go to
// [swap.Settle], or after [swap.ErrUnended] to [swap.Recover].
func Answer(ctx context.Context, job Job, log func(swap.Intention) error) (Result, error) {
	return usual.answerGroup(ctx, job, log)
}

// pace is how long Answer waits for others.
type pace struct {
	rest     time.Duration // a note untouched for so long is believed to be whole
	patience time.Duration // how long to wait for that
	tries    int
	backoff  time.Duration // the shortest; it doubles
	longest  time.Duration
}

var usual = pace{
	rest: 300 * time.Millisecond, patience: 3 * time.Second,
	tries: 8, backoff: 50 * time.Millisecond, longest: 800 * time.Millisecond,
}

func (p pace) answerGroup(ctx context.Context, job Job, log func(swap.Intention) error) (Result, error) {
	unlock, err := Lock(ctx, job.Path)
	if err != nil {
		return Result{}, err
	}
	defer unlock()
	if job.Limit == 0 {
		job.Limit = defaultLimit
	}
	answers := make([]string, len(job.Places))
	for i, place := range job.Places {
		answers[i] = sanitize.Answer(place.Answer, job.Limit)
	}
	return p.tryUntilQuiet(ctx, job, func() (Result, error) { return p.answerOnce(ctx, job, answers, log) })
}

// tryUntilQuiet tries until others leave the note alone; the caller holds its turn.
func (p pace) tryUntilQuiet(ctx context.Context, job Job, once func() (Result, error)) (Result, error) {
	if job.Before != nil {
		if err := job.Before(ctx); err != nil {
			return Result{}, err
		}
	}
	var conflict string
	wait := p.backoff
	for try := 1; ; try++ {
		res, err := once()
		if res.Conflict == "" {
			res.Conflict = conflict
		}
		conflict = res.Conflict
		passing := errors.Is(err, swap.ErrChanged) || errors.Is(err, swap.ErrBusy)
		switch {
		case errors.Is(err, swap.ErrUnended):
			return res, err
		case errors.Is(err, fs.ErrNotExist):
			return res, ErrNoteGone
		case !passing:
			return res, err
		case try == p.tries:
			return res, contested{err}
		}
		if err := pause(ctx, wait/2+rand.N(wait/2+1)); err != nil {
			return res, err
		}
		wait = min(2*wait, p.longest)
	}
}

// answerOnce is one try: read, locate, build, verify, exchange.
func (p pace) answerOnce(ctx context.Context, job Job, answers []string, log func(swap.Intention) error) (Result, error) {
	swapper := swap.On(job.Files)
	src, rested, err := p.readAtRest(ctx, swapper, job)
	if err != nil {
		return Result{}, err
	}
	bared := note.Bare(src.Data)
	doc := note.Parse(bared.Text)
	found := locateMarkers(bared.Text, doc.Markers, job, answers)
	res := Result{Hash: sha256.Sum256(src.Data)}
	var answered []int // the places that are found
	for i, at := range found {
		if at < 0 {
			res.Missing = append(res.Missing, i)
		} else {
			answered = append(answered, i)
		}
	}
	if len(res.Missing) > 0 {
		if err := trustMissing(swapper, src, rested); err != nil {
			return Result{}, err
		}
		res.sortOut(findWrittenAnswers(bared.Text, answers, res.Missing))
	}
	if len(answered) == 0 || len(res.Missing) > 0 && !job.Partial {
		return res, nil
	}
	next, edits, err := buildAnswered(src.Data, bared, doc, found, answers, job.ID)
	if err != nil {
		return Result{}, err
	}
	if job.Draft != nil {
		job.Draft(makeDraft(src.Data, doc, found, edits))
	}
	out, err := swapper.File(ctx, swap.Change{Root: job.Root, Path: job.Path, Base: src.Data, New: next, Log: log})
	if err != nil {
		return Result{Conflict: out.Conflict}, err
	}
	res.Written = slices.Sorted(slices.Values(append(res.Written, answered...)))
	res.Hash, res.InPlace = sha256.Sum256(next), out.InPlace
	res.Conflict, res.Displaced = out.Conflict, out.Displaced
	return res, nil
}

// trustMissing says whether a note in which a marker is missing is to be believed: it
// has come to rest, and nobody is about to go on writing it.
func trustMissing(s swap.Swapper, src swap.Source, rested bool) error {
	if !rested {
		return swap.ErrBusy
	}
	return s.Quiet(src)
}

// sortOut moves the missing places whose answer already stands in the note to
// the written ones.
func (r *Result) sortOut(there map[int]bool) {
	missing := r.Missing
	r.Missing = nil
	for _, i := range missing {
		if there[i] {
			r.Written = append(r.Written, i)
		} else {
			r.Missing = append(r.Missing, i)
		}
	}
}

// readAtRest returns the note once nobody has touched it for a while, and whether
// that was so: patience has an end, and a note that is always being saved is
// answered too if its marker can be found.
func (p pace) readAtRest(ctx context.Context, s swap.Swapper, job Job) (src swap.Source, rested bool, err error) {
	end := time.Now().Add(p.patience)
	var seen time.Time // when these very bytes were read first
	var sum [32]byte
	for {
		src, err = s.Read(job.Root, job.Path)
		if err != nil {
			return src, false, err
		}
		now := time.Now()
		if h := sha256.Sum256(src.Data); seen.IsZero() || h != sum {
			seen, sum = now, h
		}
		// A clock that runs ahead of ours gives times in the future; then what
		// counts is how long we have seen no change.
		age := now.Sub(src.ModTime)
		if age >= p.rest || now.Sub(seen) >= p.rest {
			return src, true, nil
		}
		if now.After(end) {
			return src, false, nil
		}
		left := p.rest - now.Sub(seen)
		if age >= 0 {
			left = min(left, p.rest-age)
		}
		if err := pause(ctx, left); err != nil {
			return src, false, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
