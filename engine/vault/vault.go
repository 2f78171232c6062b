// Package vault follows the life of one folder of notes: it is opened, watched and
// looked at, and what has settled in it is handed on.
//
// [New] returns a vault and [Vault.Run] follows it until its context ends; everything
// it needs of the engine is a [Port]. [Vault.Look] is what happens for each save: the
// note is read and parsed, its questions are matched with those that are known, and
// what has stood still for long enough is handed to [Port.Start].
//
// # Promises
//
// Only the goroutines of a vault touch its disk, and methods that say so. What is true
// of the folder is kept in memory, and since when a look has not come back; so a disk
// that hangs stops nothing but its vault, and Run ends a few seconds after its context.
// One look is made at a time. A look costs by the size of its note and the number of
// missing notes. In a watched vault nothing starts before its old markers were judged,
// once in its life, but a few that were saved after the start; in a paused one, what a
// scan finds starts without this check. Nothing starts in a folder that shares notes with
// another vault.
package vault

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/vault/burst"
	"vaultdispatcher/engine/vault/copies"
	"vaultdispatcher/engine/vault/departures"
	"vaultdispatcher/engine/vault/facts"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/engine/vault/questions"
	"vaultdispatcher/engine/vault/register"
	"vaultdispatcher/engine/vault/renames"
	"vaultdispatcher/engine/vault/rested"
	"vaultdispatcher/engine/vault/settle"
	"vaultdispatcher/engine/vault/templates"
	"vaultdispatcher/engine/vault/toggle"
	"vaultdispatcher/engine/watch"
)

// maxWait is how long a note that is saved again and again waits for its
// debounce; without a limit an eager autosave would starve it.
const maxWait = 5 * time.Second

// again is how long after a failure (of the watcher, of the journal) a vault
// tries once more.
const again = 5 * time.Second

// Vault is one folder of notes: what is watched, what is known of it, and the
// goroutines that follow its saves. Its methods are safe for concurrent use; those that
// touch the disk say so.
type Vault struct {
	opts   Options
	port   Port
	Name   string
	Alias  string // its folder as configured, before links were resolved
	log    *slog.Logger
	facts  facts.Facts
	beacon *presence.Beacon // tells other engines of the vault of this one
	asked  chan struct{}    // holds one token when somebody asked for the status
	place  *register.Place  // among the vaults of the engine
	Opened chan struct{}    // closed when the next fields are set, which then do not change
	ended  chan struct{}    // closed when nothing of it runs any more

	Root     string // real absolute path
	watcher  watch.Watcher
	debounce *watch.Debounce
	Index    *recall.Index
	spare    string // folder of the index where its own cannot be used; "" = it can

	wakes     *due.Queue[string] // notes to look at again
	unindexed *due.Pile[string]  // notes to index
	watching  *toggle.Toggle
	looked    chan struct{} // holds one token when a note was looked at
	announced atomic.Bool   // we have left our port there, and swept up
	left      atomic.Bool   // Run has ended without waiting for the disk; another engine may have the vault
	probing   sync.Mutex    // held by a probe; another would remove its folder
	atomic    atomic.Bool   // the file system exchanges notes in one step

	troubles facts.Troubles
	secrets  copies.Secrets
	doubles  copies.Doubles

	templates *templates.Folders // which folders hold templates

	mu        sync.Mutex // guards the fields below and makes looks one at a time
	settling  *settle.Markers
	questions *questions.Memory
	arrivals  *burst.Watch         // of markers
	wanted    map[string]Save      // the looks that the notes in wakes wait for
	tracked   map[string]bool      // notes with claims in the journal
	backlog   []rested.Note        // notes of the first pass, still to be read
	plain     string               // the note that was looked at last, if it held nothing
	emptied   map[string]time.Time // notes with claims that are empty, and since when
	missing   map[string]time.Time // notes with claims that are gone, and since when
	suspects  map[string]bool      // notes with claims that the watcher or a look has not found
	absent    *departures.Memory   // notes that are gone, and questions that were followed
	undecided time.Time            // when it is known whether the note that is looked at was another one; zero = it is
	swept     time.Time            // when all notes with claims were looked for last
	departed  map[string]bool      // notes from elsewhere that are gone
	met       bool                 // it was decided what the vault's old markers may do
	early     map[string]int       // markers of notes that were saved before the vault was met
	copied    *copies.Memory       // which notes are copies
	trail     *renames.Trail       // notes that went
	pending   []journal.Dispatch   // of earlier engines, not asked before their note was looked at
}

// New returns a configured vault. It touches no disk; [Vault.Run] does.
func New(opts Options, port Port) *Vault {
	return &Vault{
		opts: opts, port: port, Name: opts.Vault.Name, Alias: opts.Vault.Path,
		log:      opts.Log.With("vault", opts.Vault.Name),
		facts:    facts.Facts{Changed: port.Changed},
		beacon:   presence.NewBeacon(presence.ThisMachine(), opts.Engine),
		watching: toggle.New(!opts.Vault.Paused, port.Changed),
		place:    opts.Register.Add(),
		Opened:   make(chan struct{}),
		ended:    make(chan struct{}),
		asked:    make(chan struct{}, 1),
		looked:   make(chan struct{}, 1),
		settling: settle.New(opts.Config.Debounce, opts.Config.Settle),
		arrivals: burst.New(opts.Config.Limits.Burst),
		wakes:    due.NewFair[string](), unindexed: due.NewPile[string](64),
		wanted:   make(map[string]Save),
		suspects: make(map[string]bool),
		tracked:  make(map[string]bool),
		emptied:  make(map[string]time.Time),
		missing:  make(map[string]time.Time),
		departed: make(map[string]bool),
		early:    make(map[string]int),
	}
}

// Run follows the vault until ctx ends. A vault whose disk does not respond by then
// is left behind: a system call that hangs cannot be ended.
func (v *Vault) Run(ctx context.Context) error {
	ended := make(chan error, 1)
	go func() {
		defer close(v.ended)
		ended <- v.openAndFollow(ctx)
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(PartingTime):
		v.left.Store(true)
		v.log.Warn("the vault does not respond and is left behind")
		return nil
	}
}

// PartingTime is how long a vault may take to end.
const PartingTime = 3 * time.Second

// openAndFollow opens the vault and follows it until ctx ends.
func (v *Vault) openAndFollow(ctx context.Context) error {
	if !v.openFolder(ctx) || ctx.Err() != nil {
		return nil
	}
	if err := v.announceEngine(ctx); err != nil && ctx.Err() == nil {
		v.log.Warn("announce the vault", "error", err)
	}
	v.findFacts()
	v.port.Opened(v)
	err := v.followAll(ctx)
	if v.left.Load() {
		return err // the file may be that of the next engine, which has the same port
	}
	if err := errors.Join(listen.RemoveServerFile(v.Root, v.opts.Port), v.beacon.End(v.Root)); err != nil {
		v.log.Debug("remove the engine's files", "error", err)
	}
	return err
}

// followAll runs the goroutines of an open vault.
func (v *Vault) followAll(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return v.keepFacts(ctx) })
	g.Go(func() error { return v.watchSaves(ctx) })
	g.Go(func() error { return v.debounce.Run(ctx, func(ev watch.Event) { v.handleChange(ctx, ev) }) })
	g.Go(func() error { return v.catchUp(ctx) })
	g.Go(func() error { return v.runWakes(ctx) })
	g.Go(func() error { v.unindexed.Run(ctx, func(notes []string) { v.indexNotes(ctx, notes) }); return nil })
	g.Go(v.probeExchange)
	g.Go(func() error { return v.Index.Embed(ctx) })
	return g.Wait()
}

// watchSaves runs the watcher while it is switched on.
func (v *Vault) watchSaves(ctx context.Context) error {
	for ctx.Err() == nil {
		on, changed := v.watching.Position()
		if !on {
			select {
			case <-changed:
			case <-ctx.Done():
			}
			continue
		}
		running, stop := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- v.watcher.Run(running, v.handleEvent) }()
		select {
		case <-changed:
			stop()
			<-ended
		case err := <-ended:
			stop()
			if err == nil {
				continue
			}
			v.log.Error("watch the vault", "error", err)
			select {
			case <-time.After(again):
			case <-ctx.Done():
			}
		}
	}
	return nil
}

// handleEvent takes an event from the watcher; it never blocks for long.
func (v *Vault) handleEvent(ev watch.Event) {
	if ev.Via != watch.ViaStart {
		v.debounce.Add(ev)
	}
	if ev.Via != watch.ViaStart && ev.Kind != watch.Removed {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if ev.Via == watch.ViaStart {
		v.backlog = append(v.backlog, rested.Note{Rel: ev.Path, Stamp: ev.Stamp})
		if saved := time.Unix(0, ev.Stamp.MTime); !v.met && v.isSinceGiven(saved) {
			v.debounce.Add(watch.Event{Path: ev.Path, Kind: ev.Kind, Seen: saved, Via: watch.ViaNative, Stamp: ev.Stamp})
		}
		return
	}
	if v.trail.Went(ev.Path); v.tracked[ev.Path] {
		v.suspects[ev.Path] = true
	}
}

// probeExchange finds out how notes can be exchanged here; on a slow share it takes a
// while, and nothing waits for it.
func (v *Vault) probeExchange() error {
	v.probing.Lock()
	defer v.probing.Unlock()
	v.atomic.Store(swap.Probe(v.Root).Exchange)
	v.port.Changed()
	return nil
}

// whileLocked calls a function that no look at a note runs beside.
func (v *Vault) whileLocked(do func() error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return do()
}

// IsWatched reports whether the vault is being watched.
func (v *Vault) IsWatched() bool {
	on, _ := v.watching.Position()
	return on
}

// handleChange follows one debounced event. The note is indexed beside it.
func (v *Vault) handleChange(ctx context.Context, ev watch.Event) {
	v.announceReturned(ctx)
	v.unindexed.Add(ev.Path)
	v.reviewCopies(ev.Path)
	trigger := "watch"
	if ev.Via == watch.ViaRescan {
		trigger = "reconcile"
	}
	v.LookQuietly(ctx, Save{Rel: ev.Path, Seen: ev.Seen, Trigger: trigger, New: ev.New})
}

// LookQuietly is Look for a caller that needs no result; it logs what goes wrong.
func (v *Vault) LookQuietly(ctx context.Context, s Save) {
	if _, err := v.Look(ctx, s); err != nil && !isNotExist(err) && ctx.Err() == nil {
		v.log.Warn("look at a note", "note", s.Rel, "error", err)
	}
}
