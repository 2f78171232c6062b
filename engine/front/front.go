// Package front answers the HTTP server for an engine: a [Front] is its [api.Backend].
//
// Each subject has its type: the records of dispatches (records.go), a person's decisions about them (actions.go), questions
// that are in no note (ask.go), notes (scan.go, search.go), and the status with what it sums up (status.go, notices.go). They see the vaults, the journal and the queues, not the engine.
//
// All of it is safe for concurrent use. A call on a disk that does not respond ends as ARCHITECTURE.md says.
package front

import (
	"context"
	"log/slog"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/asking"
	"vaultdispatcher/engine/broadcast/speech"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/fit"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/recorder"
	"vaultdispatcher/engine/notices"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/schedule/runs"
	"vaultdispatcher/engine/tally"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/untaken/board"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/writer"
)

// Starts decides when a dispatch starts: limits and budgets.
type Starts interface {
	// ByHand starts a dispatch that a person wants, and no limit stops it. A repeated question starts
	// at its times.
	ByHand(ctx context.Context, d journal.Dispatch, start func() error) error

	// Take holds a new dispatch until the limits have room for it, and keeps a start for it; GiveBack gives that start back.
	Take(d *journal.Dispatch, now time.Time)
	GiveBack(id string)

	// LookAgain says that another dispatch waits for its hour.
	LookAgain()

	// Budgets returns the budgets with what is used of them, Notices says which of them are nearly or wholly used up.
	Budgets(now time.Time) []api.Budget
	Notices(now time.Time) []api.Notice
}

// Options are what a Front asks.
type Options struct {
	Version string
	Port    int       // of the HTTP server
	Started time.Time // when the first engine of this process was
	Config  config.Config
	Log     *slog.Logger

	Vaults     *vault.Set
	Journal    *journal.Journal
	Recorder   *recorder.Recorder
	Roles      *roles.Roles
	Dispatcher *dispatch.Dispatcher
	Writer     *writer.Writer
	Runs       *runs.Desk
	Tally      *tally.Room
	Sound      *speech.Desk
	Starts     Starts

	Board   *notices.Board
	Untaken *board.Board // questions that are not taken up
	Fits    *fit.Fits    // how tasks fit into their models
	Waiters *asking.Waiters
	Steps   *asking.Progress

	Withheld   func(ctx context.Context, root string) (skip func(rel string) bool, silent func() bool) // which notes no other agent sees
	Elsewhere  func() []api.Notice                                                                     // why wiki.webhook does not notify
	Keep       func(root, rel string, rows []untaken.Row, first time.Time) time.Time                   // replaces the rows of a note that are not taken up
	UndoFailed func(d journal.Dispatch, reason string)                                                 // tells a person
	Stop       func()                                                                                  // ends the engine, soon
}

// Front answers for an engine.
type Front struct {
	*overview
	*finder
	*questions
	*records
	*decisions
}

var _ api.Backend = (*Front)(nil)

// New returns a Front. Nothing is asked before a call of it.
func New(o Options) *Front {
	r := &records{&o}
	return &Front{&overview{records: r}, &finder{&o}, &questions{r}, r, &decisions{r}}
}

// The subjects of a Front, as [api.Backend] has them. All but the finder answer with records.
type (
	records   struct{ *Options }
	decisions struct{ *records }
	questions struct{ *records }
	finder    struct{ *Options }
	overview  struct {
		*records
		history [2]past // of the journal, for a status of its own and for a follower
	}
)

// Shutdown implements [api.Backend]: the engine ends soon after.
func (f *overview) Shutdown() { f.Stop() }

// Working reports whether an agent is at work or its answer is being written.
func (f *overview) Working() bool { return f.Dispatcher.Running()+f.Writer.Writing() > 0 }

// Say has the status show one sentence of the engine's starter, until the next one; an empty one ends it.
func (f *overview) Say(sentence string) { f.Board.Say(sentence) }

// Switches returns the switches of vaults that were set by hand, see [vault.Set.Switches].
func (f *overview) Switches() map[string]vault.Switch { return f.Vaults.Switches() }

// Decide does what a line of a note says about the proposal above it, where the note shows it as it would be written.
func (f *decisions) Decide(ctx context.Context, d vault.Decision) {
	err := f.Writer.DecideShown(ctx, d.Dispatch, d.Shown, func(seen string) (err error) {
		if d.Word == "yes" {
			_, err = f.Accept(ctx, d.Dispatch, api.AcceptRequest{Seen: seen})
		} else {
			_, err = f.Reject(ctx, d.Dispatch, "")
		}
		return err
	})
	if err != nil {
		f.Log.Info("a line in a note decides nothing", "dispatch", d.Dispatch, "error", err)
	}
	f.Writer.RefreshProgress(d.Root, d.Rel)
}
