// Package journal is the dispatcher's memory: one SQLite file in the state
// folder that holds every dispatch from acceptance to its end, its answers and
// the steps of their writing.
//
// [Open] brings the file up to the current schema, and [Journal.Accept] is where
// a marker becomes a dispatch. Every other writing method records one step of a
// dispatch's life; a step that does not fit the state it is in is refused with
// [ErrState] and changes nothing. A Journal is safe for concurrent use.
//
// # Promises
//
// One marker, one dispatch: a queued, processing, failed, held or withheld
// dispatch claims each of its markers that is not written yet, and
// [Journal.Accept] never lets the claims on byte-equal lines of a note outnumber
// those lines. A failed, held or withheld dispatch keeps its claims, so that a
// save does not ask again; a done, parked or otherwise cancelled one has none. One
// whose answer was taken back is a withheld one.
//
// What a method has returned without an error is on the disk (synchronous=FULL).
// A cancelled context is noticed before a write begins and never in its middle:
// its error means that nothing was stored. After [Journal.Answered] the answers
// are never lost and never replaced, and no agent is asked again for them.
//
// A journal of a newer version is refused and left as it is. A damaged one is
// never deleted and never replaced in silence: its bytes are moved aside, what
// can be read of them is taken over, and [Journal.Damage] tells of it for as
// long as they lie there.
package journal

import (
	"database/sql"
	"errors"
	"time"

	"vaultdispatcher/engine/note"
)

// Journal is an open journal. Writes go through one connection, one after the
// other; reads run beside them.
type Journal struct {
	path   string
	writer *sql.DB
	reader *sql.DB
	damage []Damage
	wrote  func() // is told of every write; never nil
}

// Causes a caller acts on.
var (
	ErrNewer    = errors.New("the journal was written by a newer version")
	ErrNotFound = errors.New("no such dispatch")
	ErrState    = errors.New("not possible in its state")
)

// StateError is ErrState with what the state is: "it is done".
type StateError struct{ Reason string }

// Error returns both.
func (e *StateError) Error() string { return ErrState.Error() + ": " + e.Reason }

// Is makes errors.Is find ErrState.
func (e *StateError) Is(target error) bool { return target == ErrState }

// Status is a dispatch's state, the same word everywhere.
type Status string

// The states of a dispatch. Settling has no record and so no constant here.
const (
	Queued     Status = "queued"     // accepted, also while waiting for a retry
	Processing Status = "processing" // an agent is at work, or its answer is being written
	Done       Status = "done"       // every answer is in the note
	Failed     Status = "failed"     // attempts spent; runs again on retry or when the line changes
	Held       Status = "held"       // waits for a person
	Parked     Status = "parked"     // answered, but its place in the note is gone
	Cancelled  Status = "cancelled"
)

// Dispatch is the durable record of one group.
type Dispatch struct {
	ID           string
	Vault        string // real absolute path of the vault's folder
	File         string // in the vault, with slashes
	Key          string
	Role, TaskID string
	Agent        string // "vault-mind-" and the role
	Runner       string // which one was asked last; empty before
	Trigger      string // watch, scan, reconcile, retry
	Task         string // the prompt's text; empty before the agent was first asked
	Status       Status
	Answered     bool      // its answers are in the journal; the agent is not asked again
	Attempts     int       // runs of the agent that ended in a failure of its own
	Starts       int       // runs begun, those ended by our own stop or crash included; a retry starts over
	NextAttempt  time.Time // not before; zero = at once
	Error        string    // why it waits, failed, is held, parked or was cancelled
	Withheld     bool      // cancelled by a person: it keeps its claims, so that no save asks again
	Created      time.Time
	Started      time.Time
	Finished     time.Time // when it became done, failed, parked or cancelled
	Hash         [32]byte  // SHA-256 of the note as its writing left it; zero before
	Undo         Undo      // whether its answers were taken back
	Reapplied    int       // how often its answers were written over and written again; a retry starts over
	Usage        Usage     // of all its runs, as far as the agents told
	Markers      []Marker
}

// Usage is what an agent says its runs have cost; zero is not known.
type Usage struct {
	Model         string  // that answered last
	Input, Output int64   // tokens
	Cost          float64 // in US dollars
}

// Marker is one claimed marker of a dispatch: enough to find its line again,
// and its answer once there is one.
type Marker struct {
	note.Trace  // the line when it was accepted
	Instruction string
	Context     string // the window that was sent; empty when See is set
	See         int
	Answer      string
	Written     bool       // the answer stands in the note
	Block       note.Block // the answer in the note, known from the intention on
}

// Undo says whether the answers of a dispatch were taken back.
type Undo string

// The ways of an undo. The empty one is none.
const (
	Undoing Undo = "undoing" // the markers may be back in the note, or not yet
	Undone  Undo = "undone"  // they are back, and nothing starts them but a person
)

// Claim is one marker that belongs to a dispatch and waits for its answer.
type Claim struct {
	Dispatch string // its id
	File     string
	Status   Status
	Answered bool   // the answer waits to be written
	Marker   Marker // without Context and Answer
}

// Swap is the intention to exchange a note's contents, recorded before it is
// done so that recovery knows every byte it may find.
type Swap struct {
	Dispatch string
	Path     string // absolute, of the note
	Temp     string // absolute, of the file that holds the new bytes
	Base     [32]byte
	New      [32]byte     // SHA-256 of the contents
	Text     []byte       // the note before, for a merge; nil if it is too large
	Blocks   []note.Block // what is put into it, by marker; empty ones leave what is known
}

// Step is one line of a dispatch's history.
type Step struct {
	At     time.Time
	Name   string // accepted, started, answered, swapping, written, requeued, retried, released, moved, dismissed, recovered, limited, undoing, undone, kept, overwritten, merging, showing, or a status
	Detail string // trigger, runner, path or reason
}

// Damage is what became of a journal that could not be read any more.
type Damage struct {
	At       time.Time
	Path     string // where its bytes lie now
	Problem  string // what SQLite said
	Salvaged int    // dispatches taken over into the new journal
	Lost     int    // dispatches that were seen and could not be taken over
}

// Filter narrows List; zero values do not filter.
type Filter struct {
	Status Status
	Vault  string
	File   string
	Query  string // substring of file, role or instruction, case-insensitive
	Limit  int    // 0 = 50
}

// Thread is whose history is asked for.
type Thread struct {
	Key    string    // of a group with a TaskID: its own history; otherwise what all groups without one share
	Before time.Time // only what had ended then; zero = all
}

// Limit says that a role is not asked for a while: its agent has been asked too
// much.
type Limit struct {
	Role   string
	Since  time.Time // when the agent said so, by this machine's clock
	Until  time.Time
	Reason string
}

// Exchange is one earlier question and its answer, for project history.
type Exchange struct {
	File, Question, Answer string
	At                     time.Time
}
