// Package journal is the dispatcher's memory: one SQLite file in the state
// folder that holds every dispatch from acceptance to its end, its answers and
// the steps of their writing.
//
// [On] begins with a file of the current schema, and [Journal.Accept] is where
// a marker becomes a dispatch. Every other writing method records one step of a
// dispatch's life; a step that does not fit the state it is in is refused with
// [ErrState] and changes nothing. A Journal is safe for concurrent use.
//
// # Promises
//
// One marker, one dispatch: a queued, processing, failed, held, proposed or withheld
// dispatch claims each of its markers that is not written yet, and
// [Journal.Accept] never lets the claims on byte-equal lines of a note outnumber
// those lines. A failed, held, proposed or withheld dispatch keeps its claims, so that a
// save does not ask again; a done, parked or otherwise cancelled one has none. One
// whose answer was taken back is a withheld one.
//
// A write of a method that returned no error is on the disk (synchronous=FULL). A cancelled context is noticed before
// a write begins and never in its middle: its error means that nothing was stored. After [Journal.RecordAnswers] the
// answers are never lost and never replaced, and no agent is asked again for them.
//
// engine/journal/database promises what becomes of a file of another version, and of a damaged one.
package journal

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"vaultdispatcher/engine/journal/days"
	"vaultdispatcher/engine/journal/dbfile"
	"vaultdispatcher/engine/journal/schema"
	"vaultdispatcher/engine/note"
)

// Journal is an open journal: the lives of dispatches, and beside them the subjects that share its file.
type Journal struct {
	*Reader    // looks up dispatches
	*Records   // keeps data of dispatches beside their steps
	*Ledger    // calls of agents, what they used, and limits
	*Timetable // questions that come again
	*Pasts     // notes and vaults

	db      *dbfile.DB
	stepped func(step string, d Dispatch) // is told of every step; never nil
}

// On returns the journal that is in a database, or the error of opening that: journal.On(database.Open(ctx, path)).
func On(db *dbfile.DB, err error) (*Journal, error) {
	if err != nil {
		return nil, err
	}
	var known days.Known
	if err := db.Read(context.Background(), func(tx *sql.Tx) (err error) { known, err = days.Read(tx); return err }); err != nil {
		return nil, errors.Join(dbfile.During("read the days of the journal", err), db.Close())
	}
	return &Journal{&Reader{db, new(dbfile.Memory[Exchange])}, &Records{db}, &Ledger{db}, &Timetable{db}, &Pasts{known, db}, db, func(string, Dispatch) {}}, nil
}

// Close waits for what is running and closes the file.
func (j *Journal) Close() error { return j.db.Close() }

// Damage tells of damaged journals whose bytes are still beside this one, oldest first.
func (j *Journal) Damage() []dbfile.Damage { return j.db.Damage }

// OnWrite has f called after every write, as [dbfile.DB.OnWrite] does.
func (j *Journal) OnWrite(f func()) { j.db.OnWrite(f) }

// OnStep has f called after every step of a dispatch, with the dispatch as it is then. f must not wait for anything, and
// OnStep is called before the journal is used by several goroutines.
func (j *Journal) OnStep(f func(step string, d Dispatch)) { j.stepped = f }

// Causes a caller acts on.
var (
	ErrNewer    = schema.ErrNewer
	ErrOlder    = schema.ErrOlder
	ErrNotFound = errors.New("no such dispatch")
	ErrState    = errors.New("not possible in its state")
	ErrFull     = dbfile.ErrFull // there is no room on the disk of the state folder
	ErrBusy     = dbfile.ErrBusy // another program, such as a backup, holds the journal locked
)

// NameFull passes an error of reaching the journal at path on, as [ErrFull] where its cause is
// a disk without room.
func NameFull(err error, path string) error { return dbfile.Name(err, path) }

// IsRefused reports whether a step was refused for what its dispatch is: no other try helps.
func IsRefused(err error) bool { return errors.Is(err, ErrState) || errors.Is(err, ErrNotFound) }

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
	Proposed   Status = "proposed"   // answered, and waits for a person's yes
	Scheduled  Status = "scheduled"  // its line in a note is asked again and again, each time as a dispatch of its own
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
	Trigger      string // watch, scan, reconcile, ask, retry, or that of a proof
	Place        string // how the note describes the place of its markers; for the prompt
	Asked        Asked  // place for the answer of a question without a marker; "" = it has markers
	Task         string // the prompt's text, where Get or Start returns it; empty before the agent was first asked
	Status       Status
	Answered     bool      // its answers are in the journal; the agent is not asked again
	Attempts     int       // runs of the agent that ended in a failure of its own
	Starts       int       // runs begun, those ended by our own stop or crash included; a retry starts over
	NextAttempt  time.Time // not before; zero = at once
	Error        string    // why it waits, failed, is held, parked or was cancelled
	Hold         HoldKind  // why it is held, or was when a person cancelled it; else ""
	Withheld     bool      // cancelled by a person: it keeps its claims, so that no save asks again
	Created      time.Time
	Started      time.Time
	Finished     time.Time // when it became done, failed, parked or cancelled
	Hash         [32]byte  // SHA-256 of the note as its writing left it; zero before
	Undo         Undo      // whether its answers were taken back
	Reapplied    int       // how often its answers were written over and written again; a retry starts over
	Usage        Usage     // of all its runs, as far as the agents told
	Recipe       Made      // of what its task was made
	NoResult     int64     // bit i: the answer to marker i says that nothing was found or made
	Markers      []Marker

	Crowded bool // its note changed together with many others; no file has it
}

// HasNoResult reports whether all its answers say that nothing was found or made.
func (d Dispatch) HasNoResult() bool { return d.NoResult != 0 && d.NoResult == 1<<len(d.Markers)-1 }

// Thread names what a dispatch with a TaskID belongs to, which sees itself alone; "" without one.
func (d Dispatch) Thread() string {
	if d.TaskID == "" {
		return ""
	}
	return strings.ToLower(d.Role) + ":" + d.TaskID
}

// Usage is what an agent says its runs have cost; zero is not known.
type Usage struct {
	Model         string  // that answered last
	Input, Output int64   // tokens
	Cost          float64 // in US dollars
}

// Made says of what a task was made, and for whom.
type Made struct {
	Local   bool     // for an agent that lets nothing leave this machine
	Sources []string // other notes whose text is in it or in its answer; "?" where an older version kept none
}

// Marker is one claimed marker of a dispatch: enough to find its line again,
// and its answer once there is one.
type Marker struct {
	note.Trace  // the line when it was accepted
	Instruction string
	Context     string // the window that was sent; empty when See is set
	See         int
	Answer      string
	Written     bool       // the answer is in the note
	Block       note.Block // the answer in the note, known from the intention on
	Removed     time.Time  // since when a person has taken the answer out of the note; zero = it was not
}

// Undo says whether the answers of a dispatch were taken back.
type Undo string

// The states of an undo. The empty one means no undo.
const (
	Undoing Undo = "undoing" // the markers may be back in the note, or not yet
	Undone  Undo = "undone"  // they are back, and only a person starts them
)

// Claim is one marker that belongs to a dispatch and waits for its answer.
type Claim struct {
	Dispatch string // its id
	File     string
	Status   Status
	Answered bool      // the answer waits to be written
	Marker   Marker    // without Context and Answer
	Accepted time.Time // when its dispatch was made
}

// Swap is the intention to exchange a note's contents, recorded before it is
// done so that recovery knows every byte it may find.
type Swap struct {
	Dispatch string // none for a comment that is about no dispatch
	Path     string // absolute, of the note
	Temp     string // absolute, of the file that holds the new bytes
	Base     [32]byte
	New      [32]byte     // SHA-256 of the contents
	Text     []byte       // the note before, for a merge; nil if it is too large
	Blocks   []note.Block // the answers as put into it, by marker; an empty one changes nothing
	Replaced []string     // the questions whose place it takes, by marker, as in the note; "" changes nothing
	Edits    string       // stored as [PartEdit]; "" changes nothing
}

// Step is one line of a dispatch's history.
type Step struct {
	Time   time.Time
	Name   string // accepted, started, answered, swapping, written, told, requeued, retried, released, moved, dismissed, recovered, limited, undoing, undone, kept, overwritten, reverted, restored, found, merging, showing, or a status
	Detail string // trigger, runner, path or reason
}

// Filter narrows List; zero values do not filter.
type Filter struct {
	Status Status
	Vault  string
	File   string
	Query  string // substring of file, role or instruction, case-insensitive
	Limit  int    // 0 = 50
}

// Past is which earlier exchanges are asked for. Empty fields but TaskID do not narrow it.
type Past struct {
	Vault  string
	TaskID string    // of the groups with this one, or of groups without one
	File   string    // of the groups with this one, or of groups without one
	Key    string    // of this group's role and TaskID
	End    time.Time // only what had ended then
	Bytes  int       // of one exchange at most
	Limit  int       // dispatches to look at, the newest
}

// Exchange is one earlier question and its answer, for project history.
type Exchange struct {
	Dispatch string
	Order    int64 // of its dispatch, by acceptance
	Position int   // of its marker in the dispatch

	File, Role, Key, Runner string
	Question, Answer        string
	Time                    time.Time
	Recipe                  Made
}

// Size is how many bytes of a history an exchange takes.
func (e Exchange) Size() int { return len(e.File) + len(e.Question) + len(e.Answer) }
