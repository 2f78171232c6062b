// Package vault follows the life of one folder of notes: it opens, watches and reads the folder,
// and passes settled questions on.
//
// [New] returns a vault and [Vault.Run] follows it until its context ends; a [Port] connects it
// to the rooms around it. [Vault.look] handles each save: it reads and parses the note, matches
// its questions with the known ones, and passes the settled ones to [Engine.StartGroups].
//
// # Promises
//
// Only the goroutines of a vault and the holders of a [Disk] touch its disk. Facts about the
// folder are kept in memory, with the time since which the disk has not answered; so a disk that
// hangs stops only its vault, and Run ends a few seconds after its context. One look is made at a
// time. A look costs by the size of its note and the number of missing notes. In a watched vault
// nothing starts until the markers it had on first sight are judged, except a few markers that
// were saved after the start. In a paused vault, the markers that a scan finds start without this
// check. Nothing starts in a folder that shares notes with another vault.
package vault

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/vault/behind"
	"vaultdispatcher/engine/vault/bulk"
	"vaultdispatcher/engine/vault/burst"
	"vaultdispatcher/engine/vault/copies"
	"vaultdispatcher/engine/vault/facts"
	"vaultdispatcher/engine/vault/folder"
	"vaultdispatcher/engine/vault/follow"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/engine/vault/register"
	"vaultdispatcher/engine/vault/settle"
	"vaultdispatcher/engine/vault/templates"
	"vaultdispatcher/engine/vault/toggle"
	"vaultdispatcher/engine/watch"
	"vaultdispatcher/engine/watch/disk"
)

// maxWait is how long a note that is saved again and again waits for its
// debounce; without a limit an eager autosave would starve it.
const maxWait = 5 * time.Second

// Save is the news that a note may have changed.
type Save struct {
	Rel     string     // path in the vault, with slashes
	Time    time.Time  // when we were told
	Trigger string     // watch, scan or reconcile
	New     bool       // the note was not in the vault before
	Urgent  bool       // a person asks for it: its questions start without settling
	Crowded bool       // the note changed together with many others, and is behind those that did not
	source  source     // of what is new in the note
	stamp   disk.Stamp // of the note as the watcher told of it
	owed    bool       // no such look has come to its end, so the next one is as new, and as much asked for
}

// Settled is what has settled in a note.
type Settled struct {
	Save
	Page   *note.Page
	Doc    note.Doc
	Groups []Admitted
}

// Admitted is a group and whether it may start.
type Admitted struct {
	note.Group
	Hold   journal.HoldKind // why it is held, as a kind; "" = it may start
	Reason string           // why it is held
}

// Options are what a vault is made of.
type Options struct {
	Config   config.Config
	Vault    config.Vault
	Cache    string    // folder for its index, and for what can be found out again
	Engine   string    // presence.IDOf it
	State    string    // presence.StateOf its folder; empty = the vault keeps no day for it
	Version  string    // of the program
	Port     int       // of the HTTP server, which note apps look for in the vault
	Started  time.Time // when the engine did
	Adoption time.Time // when the vault was first given to an engine; zero = not known
	Journal  *journal.Journal
	Meaning  *recall.Meaning       // nil where no embedding is configured
	Private  func(rel string) bool // notes that are, by a name; nil = none
	Silent   func(rel string) bool // notes that no embedder is told of
	Register *register.Register    // which every vault of the engine has
	Log      *slog.Logger

	OldMarkers func(vault string, markers int) // is told how many are held because they are older than the first watch; may be nil
}

// Vault is one folder of notes, with its known state and the goroutines that follow its saves.
// Its methods are safe for concurrent use; those that touch the disk say so.
type Vault struct {
	opts       Options
	engine     Engine
	dispatcher Dispatcher
	writer     Writer
	Name       string
	Alias      string // its folder as configured, before links were resolved
	log        *slog.Logger
	Condition  Condition
	Catalog    Catalog // of an open vault
	Watching   *toggle.Toggle
	Troubles   Troubles // of notes whose look could not be finished
	first      firstPass
	Opened     chan struct{} // closed when the next fields are set, which then do not change
	end        chan struct{} // closed when nothing of it runs any more

	Root     string // as the disk has it: absolute, without links
	disk     folder.Folder
	Watcher  watch.Watcher // none but the vault runs it
	debounce *watch.Debounce

	crowd     burst.Crowd          // of notes that changed; the watcher's goroutine has it
	gone      goneNotes            // for the next look
	abandoned atomic.Bool          // Run has ended without waiting for the disk; another engine may have the vault
	behind    behind.Calls         // from outside, that wait for the disk
	reads     behind.Calls         // of notes, by looks, which may be such calls themselves
	compared  atomic.Bool          // whether the vault was compared with the journal
	templates *templates.Templates // which notes are templates

	mu       sync.Mutex // makes looks one at a time, and guards the fields below from when the vault is open
	settling *settle.Markers
	memory   *past.Memory
	arrivals *burst.Watch     // of markers
	bulk     *bulk.Bulk       // questions that came many at once and wait for a person
	follower *follow.Follower // of questions from note to note
	notes    noteStates
	judged   bool           // it was decided what the vault's old markers may do
	copied   *copies.Memory // which notes are copies
}

// New returns a configured vault. It touches no disk; [Vault.Run] does.
func New(opts Options, port Port) *Vault {
	opts.Log = opts.Log.With("vault", opts.Vault.Name)
	v := &Vault{
		opts: opts, engine: port.Engine, dispatcher: port.Dispatcher, writer: port.Writer, Name: opts.Vault.Name, Alias: opts.Vault.Path,
		log:      opts.Log,
		Watching: toggle.New(!opts.Vault.Paused, port.Engine.StatusChanged),
		Opened:   make(chan struct{}),
		end:      make(chan struct{}),
		settling: settle.New(opts.Config.Debounce, opts.Config.Settle, find.Keys),
		arrivals: burst.New(opts.Config.Limits.Burst),
		notes:    noteStates{wakes: due.NewFair[string]()},
	}
	v.first = firstPass{v: v, looked: make(chan struct{}, 1)}
	v.Condition = Condition{Facts: facts.Facts{Changed: port.Engine.StatusChanged}, opts: opts, engine: port.Engine, disk: &v.disk, place: opts.Register.Add(), asked: make(chan struct{}, 1)}
	v.Condition.beacon = presence.NewBeacon(presence.Engine{ID: opts.Engine, Machine: presence.ThisMachine(), State: opts.State},
		func(day time.Time) (time.Time, error) {
			return opts.Journal.RecordDay(context.Background(), v.Alias, day)
		})
	v.Catalog = Catalog{opts: opts, engine: port.Engine, disk: &v.disk}
	v.behind = behind.Calls{Vault: v.Name, Silence: v.Condition.Silence, Ask: v.Condition.Ask}
	v.reads = behind.Calls{Vault: v.Name, Silence: v.Condition.Silence, Ask: v.Condition.Ask}
	return v
}

// whileLocked calls a function that no look at a note runs beside.
func (v *Vault) whileLocked(do func() error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return do()
}

// isNotExist reports whether err says that a note is not there any more.
func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// IsOpen reports whether the vault's folder and index can be used.
func (v *Vault) IsOpen() bool { return isClosed(v.Opened) }

// HasEnded reports whether nothing of the vault runs any more.
func (v *Vault) HasEnded() bool { return isClosed(v.end) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// ResumeDispatch continues a dispatch that an earlier engine has left: an answer is written at
// once, a question is asked when the vault has been looked at.
func (v *Vault) ResumeDispatch(d journal.Dispatch) {
	if d.Answered || !v.Watching.IsOn() {
		v.dispatcher.Submit(d)
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.first.pending = append(v.first.pending, d)
}

// State says what a vault that is not paused is doing, and why where that is not as it should be.
func (v *Vault) State() (state, reason string) {
	silence, foreign := v.Condition.Silence(), v.Condition.WhyForeign()
	switch {
	case silence != "":
		return "offline", silence
	case v.Condition.WhyRefused() != "":
		return "offline", v.Condition.WhyRefused()
	case !v.IsOpen():
		return "indexing", ""
	case v.Watcher.Stats().State == watch.Offline:
		return "offline", ""
	case foreign != "":
		return "foreign", foreign
	case !v.Catalog.index.State().Complete && v.Condition.IsAway():
		return "offline", "the folder is empty or missing, and notes of it are known"
	case !v.Catalog.index.State().Complete:
		return "indexing", ""
	}
	return "watching", ""
}

// CountSettling returns how many markers are settling.
func (v *Vault) CountSettling() int { return v.settling.CountMarkers() }
