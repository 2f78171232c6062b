package engine

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/watch"
)

// maxWait is how long a note that is saved again and again waits for its
// debounce; without a limit an eager autosave would starve it.
const maxWait = 5 * time.Second

// again is how long after a failure (of the watcher, of the journal) a vault
// tries once more.
const again = 5 * time.Second

// vault is one folder of notes: what is watched, what is known of it, and the
// goroutines that follow its saves.
type vault struct {
	engine   *Engine
	name     string
	alias    string // its folder as configured, before links were resolved
	config   config.Vault
	cache    string // folder for its index
	log      *slog.Logger
	facts    facts
	asked    chan struct{} // holds one token when somebody asked for the status
	surveyed chan struct{} // closed when it is known which folder it is
	survey   func()        // closes surveyed
	opened   chan struct{} // closed when the next fields are set, which then do not change
	ended    chan struct{} // closed when nothing of it runs any more

	root     string // real absolute path
	watcher  watch.Watcher
	debounce *watch.Debounce
	index    *recall.Index
	spare    string // folder of the index where its own cannot be used; "" = it can

	wakes     *due.Queue[string] // notes to look at again
	watching  *toggle
	looked    chan struct{} // holds one token when a note was looked at
	announced atomic.Bool   // we have left our port there, and swept up
	probing   sync.Mutex    // held by a probe; another would remove its folder
	atomic    atomic.Bool   // the file system exchanges notes in one step

	troubles troubles

	mu       sync.Mutex // guards the fields below and makes looks one at a time
	settling *settling
	triggers map[string]string    // of the looks that the notes in wakes wait for
	tracked  map[string]bool      // notes with claims in the journal
	backlog  []string             // notes of the first pass, still to be read
	emptied  map[string]time.Time // notes with claims that are empty, and since when
	missing  map[string]time.Time // notes with claims that are gone, and since when
	suspects map[string]bool      // notes with claims that the watcher has not found
	departed map[string]bool      // notes from elsewhere that are gone
	met      bool                 // it was decided what the vault's old markers may do
	pending  []journal.Dispatch   // of earlier engines, not asked before their note was looked at
}

// newVault returns a configured vault. It touches no disk; [vault.enter] does.
func newVault(e *Engine, cfg config.Vault, cache string) *vault {
	v := &vault{
		engine: e, name: cfg.Name, alias: cfg.Path, config: cfg, cache: cache,
		log:      e.log.With("vault", cfg.Name),
		facts:    facts{changed: e.changed},
		watching: newToggle(!cfg.Paused, e.changed),
		surveyed: make(chan struct{}),
		opened:   make(chan struct{}),
		ended:    make(chan struct{}),
		asked:    make(chan struct{}, 1),
		looked:   make(chan struct{}, 1),
		settling: newSettling(e.config.Debounce, e.config.Settle),
		wakes:    due.New[string](),
		triggers: make(map[string]string),
		suspects: make(map[string]bool),
		tracked:  make(map[string]bool),
		emptied:  make(map[string]time.Time),
		missing:  make(map[string]time.Time),
		departed: make(map[string]bool),
	}
	v.survey = sync.OnceFunc(func() { close(v.surveyed) })
	return v
}

// run follows the vault until ctx ends. A vault whose disk does not respond by then
// is left behind: a system call that hangs cannot be ended.
func (v *vault) run(ctx context.Context) error {
	ended := make(chan error, 1)
	go func() {
		defer close(v.ended)
		ended <- v.live(ctx)
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(partingTime):
		v.log.Warn("the vault does not respond and is left behind")
		return nil
	}
}

// partingTime is how long a vault may take to end.
const partingTime = 3 * time.Second

// live opens the vault and follows it until ctx ends.
func (v *vault) live(ctx context.Context) error {
	if !v.enter(ctx) {
		return nil
	}
	if err := v.engine.announce(ctx, v); err != nil && ctx.Err() == nil {
		v.log.Warn("announce the vault", "error", err)
	}
	v.findFacts()
	v.engine.takeUp(v)
	err := v.followAll(ctx)
	if err := listen.RemoveServerFile(v.root, v.engine.port); err != nil {
		v.log.Debug("remove the port file", "error", err)
	}
	return err
}

// followAll runs the goroutines of an open vault.
func (v *vault) followAll(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return v.keepFacts(ctx) })
	g.Go(func() error { return v.watch(ctx) })
	g.Go(func() error { return v.debounce.Run(ctx, func(ev watch.Event) { v.changed(ctx, ev) }) })
	g.Go(func() error { return v.catchUp(ctx) })
	g.Go(func() error { return v.wake(ctx) })
	g.Go(v.probe)
	g.Go(func() error { return v.index.Embed(ctx) })
	return g.Wait()
}

// watch runs the watcher while it is switched on.
func (v *vault) watch(ctx context.Context) error {
	for ctx.Err() == nil {
		on, changed := v.watching.state()
		if !on {
			select {
			case <-changed:
			case <-ctx.Done():
			}
			continue
		}
		running, stop := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- v.watcher.Run(running, v.noticed) }()
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

// noticed takes an event from the watcher; it never blocks for long.
func (v *vault) noticed(ev watch.Event) {
	if ev.Via != watch.ViaStart {
		v.debounce.Add(ev)
	}
	if ev.Via != watch.ViaStart && ev.Kind != watch.Removed {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case ev.Via == watch.ViaStart:
		v.backlog = append(v.backlog, ev.Path)
	case v.tracked[ev.Path]:
		v.suspects[ev.Path] = true
	}
}

// probe finds out how notes can be exchanged here; on a slow share it takes a
// while, and nothing waits for it.
func (v *vault) probe() error {
	v.probing.Lock()
	defer v.probing.Unlock()
	v.atomic.Store(swap.Probe(v.root).Exchange)
	v.engine.changed()
	return nil
}

// watched reports whether the vault is being watched.
func (v *vault) watched() bool {
	on, _ := v.watching.state()
	return on
}

// changed follows one debounced event.
func (v *vault) changed(ctx context.Context, ev watch.Event) {
	v.returned(ctx)
	if err := v.index.Update(ctx, ev.Path); err != nil && ctx.Err() == nil {
		v.log.Warn("index a note", "note", ev.Path, "error", err)
	}
	if ev.Kind == watch.Removed {
		v.removed(ctx, ev.Path)
		return
	}
	trigger := "watch"
	if ev.Via == watch.ViaRescan {
		trigger = "reconcile"
	}
	v.lookQuietly(ctx, save{rel: ev.Path, seen: ev.Seen, trigger: trigger})
}

// lookQuietly is look where nobody waits for the result.
func (v *vault) lookQuietly(ctx context.Context, s save) {
	if _, err := v.look(ctx, s); err != nil && !gone(err) && ctx.Err() == nil {
		v.log.Warn("look at a note", "note", s.rel, "error", err)
	}
}
