// Package rewrite puts the answers of one group into its note: each in the place of its marker, all in
// one write, without a change to any other byte.
//
// Six functions write a note: [Answer] in the place of its markers, [Append] behind its last line.
// [Undo] takes back their changes, and [Replace] puts other answers there. [Show] reports the progress
// of the markers below them until then. [Merge] brings in the changes of another version. The caller
// ends the exchanges, also those that were cut short, with swap.Settle or swap.Recover.
//
// Answer and Undo may be repeated any number of times, also after a crash: a marker that is found is
// answered, an answer that is already in the note is not written again, and a marker that is gone
// leaves its answer to the caller.
//
// # Promises
//
// The note is read again before every try, and the markers are looked for by their exact line, their
// neighbours and their order, never by position alone; if a place folds ([note.Trace]), white space
// may differ, and the present text is replaced. The new text is parsed before it is written: precisely
// the answered markers have to be gone. A marker counts as missing only in a note that is at rest and
// that no program has open for writing, since an editor that saves makes it short for a moment; and a
// group is written by half only if the caller says so. Two calls for one note do not overlap. The
// promises of package swap hold for the write itself.
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
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/rewrite/swap"
)

// Place is a marker as it was when its dispatch was accepted, and its answer.
type Place struct {
	note.Trace
	Answer string
	Block  note.Block // the answer in the note, for Undo
	Edit   *Edit      // the part of the note that the answer replaces; nil = it replaces the marker
}

// Draft is the text that is about to be written.
type Draft struct {
	Base   []byte       // the note as it was read
	Blocks []note.Block // by place; empty where nothing is written

	Replaced []string // by place, the question in the note; "" = no question is replaced
	Edits    []Edit   // by place, the changes of parts of the note; nil = no changes
}

// Job is one group's answers for one note.
type Job struct {
	Root   string // the vault
	Path   string // the note, absolute
	ID     string // of the dispatch; its progress comment is removed when its answers come
	Places []Place
	Limit  int // bytes of one answer; 0 means 262144

	// Siblings are the places of the note's other open dispatches. Equal lines are told apart by looking for all of them together.
	Siblings []Place

	// Hash is the hash of the note when its answers were written, and Strangers are equal answers of
	// other dispatches: Undo and Replace leave those alone.
	Hash      [32]byte
	Strangers []Stranger

	Run Run // where Append puts the answer, if it is one of several to a question that comes again

	// Partial lets the places that are found be written although others are
	// missing. Without it such a note is left alone and Missing says so.
	Partial bool

	// Prelude, if there is one, is called when the note's turn has come and nothing was read yet. Its error ends the call.
	Prelude func(context.Context) error

	// Draft, if there is one, is told what will be written, before the intention to
	// write it is logged. The last draft that was told is the one that counts.
	Draft func(Draft)

	// Approve, if there is one, is told the note before and after the change, both without progress
	// comments. Its error ends the call before anything is written.
	Approve func(before, after []byte) error

	// Idle, if there is one, is called with each wait for others, has to do it and
	// returns its error: until then nothing is done here but waiting.
	Idle func(wait func() error) error

	Engine string // whose temporary files these are, see [swap.Change]

	// Files are the file operations; nil means the operating system's.
	Files swap.Files
}

// Result says where the answers are now.
type Result struct {
	Written  []int    // indexes of the places whose answer is in the note, put there now or earlier
	Missing  []int    // indexes of the places that are gone
	Hash     [32]byte // SHA-256 of the note as it was written, or as it was read if nothing was
	InPlace  bool     // written in place, so not atomic
	Conflict string   // path of a copy beside the note that holds the other version

	Blocks []note.Block // by place; only of Replace
	Lines  []int        // from 1, of the present note, if the markers are back; only of Undo

	// Displaced is the Temp of the one logged intention that replaced the note.
	Displaced string
}

// The reasons a caller acts on; those of package swap come through as well.
var (
	ErrNoteGone  = errors.New("the note is gone")
	ErrContested = errors.New("the note keeps changing while its answer is being written")
	ErrConflict  = errors.New("the note is in the middle of a merge; it is written when that is resolved")
	ErrUnfit     = errors.New("the reply does not fit into the part that it may replace")
	ErrUnsafe    = errors.New("the answer cannot be placed without changing what the rest of the note means")
)

// contested is ErrContested and wraps the error of the last try, whose text it leaves
// out because that says the same in other words.
type contested struct{ cause error }

func (contested) Error() string     { return ErrContested.Error() }
func (c contested) Unwrap() []error { return []error{ErrContested, c.cause} }

const defaultLimit = 256 << 10

// Answer writes the answers of job into its note. log records each intention durably before the note
// is touched; after a crash [swap.Recover] ends it, and then Answer may be called again. Missing
// places are not an error.
//
// The intentions that Answer has logged are open for [swap.Grace]; then the caller ends them with
// [swap.Settle], or after [swap.ErrUnended] with [swap.Recover].
func Answer(ctx context.Context, job Job, log func(swap.Intention) error) (Result, error) {
	return usual.answerGroup(ctx, job, log)
}

// waitPolicy is how long Answer waits for others.
type waitPolicy struct {
	rest     time.Duration // a note untouched for so long is believed to be whole
	patience time.Duration // how long to wait for that
	tries    int
	backoff  time.Duration // the shortest; it doubles
	longest  time.Duration
}

var usual = waitPolicy{
	rest: 300 * time.Millisecond, patience: 3 * time.Second,
	tries: 8, backoff: 50 * time.Millisecond, longest: 800 * time.Millisecond,
}

func (p waitPolicy) answerGroup(ctx context.Context, job Job, log func(swap.Intention) error) (Result, error) {
	answers := job.cleanAnswers()
	return p.takeTurn(ctx, job, log, func(t try) (Result, error) { return t.answerOnce(ctx, answers) })
}

// try is a note as it was read to be written.
type try struct {
	Job
	log     func(swap.Intention) error
	swapper swap.Swapper
	src     swap.Source
	rested  bool // it has come to rest
	bared   progress.Bared
	res     Result // with the hash of src
}

// takeTurn waits for the note's turn and reads and writes it until others leave it alone.
func (p waitPolicy) takeTurn(ctx context.Context, job Job, log func(swap.Intention) error, once func(try) (Result, error)) (Result, error) {
	unlock, err := job.lock(ctx)
	if err != nil {
		return Result{}, err
	}
	defer unlock()
	return p.tryUntilQuiet(ctx, job, func() (Result, error) {
		t := try{Job: job, log: log, swapper: swap.On(job.Files)}
		var err error
		if t.src, t.rested, err = p.readAtRest(ctx, t.swapper, job); err != nil {
			return Result{}, err
		}
		t.bared = progress.Bare(t.src.Data)
		t.res.Hash = sha256.Sum256(t.src.Data)
		return once(t)
	})
}

// tryUntilQuiet tries until others leave the note alone; the caller holds its turn.
func (p waitPolicy) tryUntilQuiet(ctx context.Context, job Job, once func() (Result, error)) (Result, error) {
	if job.Prelude != nil {
		if err := job.Prelude(ctx); err != nil {
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
		if err := job.pause(ctx, wait/2+rand.N(wait/2+1)); err != nil {
			return res, err
		}
		wait = min(2*wait, p.longest)
	}
}

// answerOnce is one try of Answer: locate, build, verify, exchange.
func (t try) answerOnce(ctx context.Context, answers []string) (Result, error) {
	res, text := t.res, t.bared.Text
	if t.bared.Doc().Conflict > 0 {
		return Result{}, ErrConflict
	}
	found := locateMarkers(text, t.bared.Doc().Markers, t.Job, answers)
	var answered []int // the places that are found
	for i, at := range found {
		if at < 0 {
			res.Missing = append(res.Missing, i)
		} else {
			answered = append(answered, i)
		}
	}
	if len(res.Missing) > 0 {
		if err := t.checkAtRest(); err != nil {
			return Result{}, err
		}
		res.sortOut(findWrittenAnswers(text, answers, res.Missing))
	}
	if len(answered) == 0 || len(res.Missing) > 0 && !t.Partial {
		return res, nil
	}
	bared, doc := t.bared, cutToPlaces(t.bared.Page, t.Job, found)
	src, parts, err := t.editParts(doc, found)
	if err != nil {
		return Result{}, err
	}
	if parts != nil {
		bared = progress.Bare(src)
		doc = cutToPlaces(bared.Page, t.Job, found)
	}
	next, edits, err := buildAnswered(bared, doc, found, answers, t.ID)
	if err != nil {
		return Result{}, err
	}
	if t.Draft != nil {
		draft := makeDraft(t.src.Data, doc, found, edits)
		draft.Edits = parts
		t.Draft(draft)
	}
	res.Written = slices.Sorted(slices.Values(append(res.Written, answered...)))
	return t.exchange(ctx, next, res)
}

// exchange puts the next state of the note in its place, and adds to res what became of it.
func (t try) exchange(ctx context.Context, next []byte, res Result) (Result, error) {
	if t.Approve != nil {
		if err := t.Approve(t.bared.Text, progress.Bare(next).Text); err != nil {
			return Result{}, err
		}
	}
	out, err := t.swapper.File(ctx, swap.Change{Root: t.Root, Path: t.Path, Base: t.src.Data, New: next, Engine: t.Engine, Log: t.log})
	if err != nil {
		return Result{Conflict: out.Conflict}, err
	}
	res.Hash, res.InPlace = sha256.Sum256(next), out.InPlace
	res.Conflict, res.Displaced = out.Conflict, out.Displaced
	return res, nil
}

// checkAtRest reports an error if a missing marker may come back: the note has not come to rest, or a
// program may be about to write it.
func (t try) checkAtRest() error {
	if !t.rested {
		return swap.ErrBusy
	}
	return t.swapper.Quiet(t.src)
}
