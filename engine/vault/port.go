package vault

import (
	"context"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/vault/rules"
)

// Port is the vault's way to the rooms around it. Of its calls only some of the writer's touch
// the vault's disk, as they say. All of it is safe for concurrent use.
type Port struct {
	Engine     Engine
	Dispatcher Dispatcher
	Writer     Writer
}

// Engine is the engine, as its vaults see it.
type Engine interface {
	// VaultOpened says that a vault is open and nothing in it was looked at yet.
	VaultOpened(v *Vault)

	// AddFacts adds to the facts about a note which agents answer its questions, and which may
	// not be told them. name returns the note's path in its vault, or a private one that it has
	// too.
	AddFacts(f *rules.Facts, name func() string)

	// KeepUntaken replaces the rows of a note's questions that are not taken up, and returns when
	// to look at the note again; zero = never. first is when a new row was noticed, so that it is
	// reported when the markers of the same save start, not behind their answers.
	KeepUntaken(root, rel string, rows []untaken.Row, first time.Time) time.Time

	// StartGroups makes the groups that have settled in a note dispatches. It returns one
	// record for each group up to the one that failed; it is empty where a marker of the
	// group is another dispatch's after all.
	StartGroups(ctx context.Context, v *Vault, found Settled) ([]journal.Dispatch, error)

	// ForeseeGroups says which groups of a note start at a time if nothing changes. It does not wait.
	ForeseeGroups(ctx context.Context, v *Vault, found Settled, at time.Time)

	// Decide does what a line of a note says about the proposal above it.
	Decide(ctx context.Context, d Decision)

	// AddNotice tells a person something, StatusChanged that the status is another. Neither
	// waits.
	AddNotice(code string, args ...any)
	StatusChanged()
}

// Dispatcher is the queue of dispatches, as a vault sees it.
type Dispatcher interface {
	// Submit has a dispatch asked, or its answer written.
	Submit(d journal.Dispatch)

	// Cancel ends a dispatch whose line has changed.
	Cancel(ctx context.Context, id, reason string) error

	// Hold lets a dispatch whose agent was not started yet wait for a person.
	Hold(ctx context.Context, id string, kind journal.HoldKind, reason string) error

	// Moved says that the question of a dispatch is in another note now.
	Moved(id, rel string)
}

// Writer is the queue of answers to write, as a vault sees it.
type Writer interface {
	// Moved says that the question of a dispatch is in another note now.
	Moved(id, rel string)

	// RetryNow has what waits to be written into a note tried at once.
	RetryNow(root, rel string)

	// Reapply writes answers again that another program has just written over, and returns the
	// other markers. If answers are missing, it asks whyBack for a reason to hold them instead.
	Reapply(ctx context.Context, root, rel string, src []byte, free []note.Marker, whyBack func() string) ([]note.Marker, bool, error)

	// Restore ends the holds of claims whose answers are in the note again, and returns the
	// others.
	Restore(ctx context.Context, src []byte, claims []journal.Claim) ([]journal.Claim, error)

	// RefreshProgress has what a note says about progress brought up to date.
	RefreshProgress(root, rel string)

	// AwaitRecovery waits until the writes that a crash has cut short in the vault are mended.
	AwaitRecovery(ctx context.Context, root string) error
}

// followed is what following asks of a vault ([follow.Vault]), whose mu is held.
type followed struct{ v *Vault }

func (f followed) IsWatched() bool                 { return f.v.Watching.IsOn() }
func (f followed) LookAt(rel string, at time.Time) { f.v.notes.lookAgain(rel, at) }

// late is how long a look may wait when its time has come before the vault is behind.
const late = time.Second

func (f followed) IsBehind() bool {
	changed, changes := f.v.debounce.Next()
	_, woken, wakes := f.v.notes.wakes.Next()
	return changes && time.Since(changed) > late || wakes && time.Since(woken) > late
}

func (f followed) QuestionMoved(dispatch, rel string) {
	f.v.dispatcher.Moved(dispatch, rel)
	f.v.writer.Moved(dispatch, rel)
}

func (f followed) NoteRenamed(ctx context.Context, from string) error {
	return f.v.memory.Depart(ctx, from)
}
