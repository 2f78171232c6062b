// Package engine watches vaults and sees to it that every marker is answered,
// exactly once, in its place.
//
// [New] only opens; [Engine.Run] takes up where the last engine stopped, and watches,
// dispatches and serves until its context ends. pipeline.go describes the way of one
// save.
//
// # Who owns which goroutine
//
// Run starts one goroutine for the dispatcher, one for the writer, one for the HTTP
// server, one for what is held until a time, one that forgets what is old, one that
// waits for Shutdown, and one for each vault with seven of its own
// (watch, debounce, catch up, wake, probe, facts, embed). All have ended when it
// returns, but for those that wait for a disk that does not respond. Agents run in
// goroutines of the dispatcher.
//
// Before a vault is open, only its goroutines and the writer's recovery touch its disk.
// Status and start wait for no vault's disk; stop waits for one a bounded time.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/builtin"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/dashboard"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/lockfile"
	"vaultdispatcher/engine/notices"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/writer"
)

// ErrLocked says that another engine uses the same state folder.
var ErrLocked = errors.New("another engine uses this state folder")

// Options are what an Engine is made of.
type Options struct {
	Config   config.Config
	State    string                            // folder of journal, token and lock; it must exist
	Agents   fs.FS                             // built-in definitions of roles; nil = none
	Web      fs.FS                             // pages of the dashboard; nil = none
	Tools    api.Tools                         // what its pages tell beyond the engine
	Cache    func(root string) (string, error) // folder for what can be made again, for a vault
	Listener net.Listener                      // of the HTTP server; Run closes it
	Token    string                            // what a caller of a protected endpoint must know
	Version  string
	Grace    time.Duration // for running agents when the engine ends; 0 = 5 s
	Log      *slog.Logger

	miner agent.Runner // for tests; nil is the built-in one

	// OldMarkers is told once how many markers of a vault are held because they
	// stood there before it was first watched; it may be nil.
	OldMarkers func(vault string, markers int)

	// An engine may go on where another one of the same process ended, with another
	// configuration: Started is when the first one started, zero for now, Switches
	// what [Engine.Switches] of the last one returned, Sessions the browsers that see
	// the dashboard, nil for those of one engine alone.
	Started  time.Time
	Switches map[string]vault.Switch
	Sessions *dashboard.Sessions
}

// Engine is the background process. Its methods are safe for concurrent use.
type Engine struct {
	config     config.Config
	version    string
	port       int
	log        *slog.Logger
	started    time.Time
	lock       *os.File // held while the state folder is in use
	journal    *journal.Journal
	dispatcher *dispatch.Dispatcher
	roles      *roles.Roles
	vaults     []*vault.Vault
	server     *server.Server
	listener   net.Listener
	stop       chan struct{} // holds one token when Shutdown was called
	grace      time.Duration // for running agents when the engine ends
	recorder   *journal.Recorder
	writer     *writer.Writer
	hourly     *roles.Hourly
	releaser   *roles.Releaser
	meaning    *recall.Meaning // nil where no embedding is configured

	notices notices.Board

	mu   sync.Mutex         // guards the field below
	left []journal.Dispatch // unfinished ones of vaults that are not open yet
}

// defaultGrace is what running agents get to finish when the engine ends; a
// service manager kills a slow one after some ten seconds.
const defaultGrace = 5 * time.Second

// keep is how long a finished dispatch is remembered. Answers that stand in no
// note are kept for good.
const keep = 90 * 24 * time.Hour

// New opens the journal. It touches no vault; Run opens them side by side. It
// returns [ErrLocked] when another engine uses the same state folder.
func New(ctx context.Context, opts Options) (*Engine, error) {
	e := &Engine{
		config: opts.Config, version: opts.Version, log: opts.Log, listener: opts.Listener,
		started: opts.Started, stop: make(chan struct{}, 1), grace: cmp.Or(opts.Grace, defaultGrace),
	}
	if e.started.IsZero() {
		e.started = time.Now()
	}
	if addr, ok := opts.Listener.Addr().(*net.TCPAddr); ok {
		e.port = addr.Port
	}
	if err := e.openRooms(ctx, opts); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *Engine) openRooms(ctx context.Context, opts Options) (err error) {
	lock := filepath.Join(opts.State, "lock")
	if e.lock, err = lockfile.Take(lock); errors.Is(err, lockfile.ErrHeld) {
		err = ErrLocked
	}
	if err != nil {
		return fmt.Errorf("lock %s: %w", lock, err)
	}
	e.server = server.New(e, opts.Token, opts.Log)
	e.server.UseTools(opts.Tools)
	if opts.Web != nil {
		e.server.UsePages(dashboard.New(dashboard.Options{Server: e.server, Backend: e, Tools: opts.Tools, Files: opts.Web, Log: opts.Log, Sessions: opts.Sessions}))
	}
	if e.journal, err = journal.Open(ctx, filepath.Join(opts.State, "journal.db")); err != nil {
		return fmt.Errorf("open the journal: %w", err)
	}
	e.journal.OnWrite(e.tellChanged)
	for _, d := range e.journal.Damage() {
		e.tell(api.NoticeDamage, "problem", d.Problem, "path", d.Path, "saved", d.Salvaged, "lost", d.Lost)
	}
	e.recorder = journal.NewRecorder(opts.Log)
	e.writer = writer.New(writer.Options{
		Journal: e.journal, Record: e.recorder, AnswerBytes: opts.Config.Limits.AnswerBytes, FollowFor: vault.FollowFor,
		IsAway: e.isAway, Unreachable: e.markUnreachable,
		BothKept: e.tellBothKept, UndoFailed: e.tellUndoFailed,
		Progress: writer.Progress{On: opts.Config.Progress == "note", Host: vault.ThisMachine(), Rest: opts.Config.Debounce, Read: e.readForProgress},
		Log:      opts.Log,
	})
	miner := opts.miner
	if miner == nil {
		miner = builtin.New(e.indexOf)
	}
	if e.roles, err = roles.New(opts.Config, opts.Agents, miner); err != nil {
		return err
	}
	e.dispatcher = dispatch.New(dispatch.Options{
		Journal:     e.journal,
		Record:      e.recorder,
		Concurrency: opts.Config.Dispatch.Concurrency,
		Mode:        opts.Config.Dispatch.Mode,
		Grace:       e.grace,
		Runner:      e.roles.Find,
		Delay:       e.delayFor,
		ShareLimit:  e.roles.ShareLimit,
		Ask:         e.askAgent,
		Write:       e.writeAnswers,
		Changed:     e.writer.Changed,
		Log:         opts.Log,
	})
	if err := e.openLimits(ctx); err != nil {
		return err
	}
	if e.meaning = NewMeaning(opts.Config.Embedding); e.meaning != nil && e.meaning.Broken != nil {
		e.tell(api.NoticeWordsOnly, "error", e.meaning.Broken)
	}
	register := vault.NewRegister()
	for _, cfg := range opts.Config.Vaults {
		cache, err := opts.Cache(cfg.Path)
		if err != nil {
			return fmt.Errorf("find the cache of %s: %w", cfg.Name, err)
		}
		v := vault.New(vault.Options{
			Config: opts.Config, Vault: cfg, Cache: cache, Port: e.port, Started: e.started,
			Journal: e.journal, Meaning: e.meaning, Register: register, Log: opts.Log,
		}, e.vaultPort(opts.OldMarkers))
		if s, ok := switchFor(opts.Switches, v.Alias); ok {
			v.SetWatching(s.On, s.For)
		}
		e.vaults = append(e.vaults, v)
	}
	return nil
}

// Run works until ctx ends or Shutdown is called, and returns when everything it
// started has ended. What waits for a disk that does not respond is left behind.
func (e *Engine) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var err error
	if e.left, err = e.journal.Recover(ctx); err != nil {
		return ignoreCancel(fmt.Errorf("take up unfinished dispatches: %w", err))
	}
	if err := e.writer.Recover(ctx); err != nil {
		return ignoreCancel(err)
	}
	g, ctx := errgroup.WithContext(ctx)
	writing, stopWriting := context.WithCancel(context.WithoutCancel(ctx)) // until the last answer has come
	g.Go(func() error { return ignoreCancel(e.server.Run(ctx, e.listener)) })
	g.Go(func() error { defer stopWriting(); return ignoreCancel(e.dispatcher.Run(ctx)) })
	g.Go(func() error { e.writer.Run(writing); return nil })
	g.Go(func() error { e.releaser.Run(ctx); return nil })
	g.Go(func() error { return e.pruneDaily(ctx) })
	for _, v := range e.vaults {
		g.Go(func() error { return ignoreCancel(v.Run(ctx)) })
	}
	g.Go(func() error {
		select {
		case <-e.stop:
			cancel()
		case <-ctx.Done():
		}
		return nil
	})
	return e.waitForEnd(ctx, g)
}

// waitForEnd returns when everything has ended, or a while after ctx did.
func (e *Engine) waitForEnd(ctx context.Context, g *errgroup.Group) error {
	all := make(chan error, 1)
	go func() { all <- g.Wait() }()
	select {
	case err := <-all:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-all:
		return err
	case <-time.After(e.grace + max(vault.PartingTime, writer.PartingTime)): // writes go on until the last agent has ended
		e.log.Warn("the engine ends although a disk does not respond")
		return nil
	}
}

// pruneDaily forgets old dispatches, now and then once a day.
func (e *Engine) pruneDaily(ctx context.Context) error {
	for {
		if _, err := e.journal.Prune(ctx, time.Now().Add(-keep)); err != nil && ctx.Err() == nil {
			e.log.Warn("forget old dispatches", "error", err)
		}
		select {
		case <-time.After(24 * time.Hour):
		case <-ctx.Done():
			return nil
		}
	}
}

// takeUp goes on with the dispatches that an earlier engine has left in a vault that
// was opened. Answers are written at once; questions are asked when the vault has been
// looked at. Those of a vault that is not configured now wait until it is again.
func (e *Engine) takeUp(v *vault.Vault) {
	e.mu.Lock()
	var mine, others []journal.Dispatch
	for _, d := range e.left {
		if d.Vault == v.Root {
			mine = append(mine, d)
		} else {
			others = append(others, d)
		}
	}
	e.left = others
	e.mu.Unlock()
	for _, d := range mine {
		v.TakeUp(d)
	}
	e.releaser.LookAgain() // some may wait for their hour
	if len(others) > 0 && len(e.openVaults()) == len(e.vaults) {
		e.tell(api.NoticeUnknown, "count", len(others))
	}
}

// openVaults returns the vaults that are open.
func (e *Engine) openVaults() (open []*vault.Vault) {
	for _, v := range e.vaults {
		if v.IsOpen() {
			open = append(open, v)
		}
	}
	return open
}

// ignoreCancel turns the end of the context, which is how everything here stops, into
// no error.
func ignoreCancel(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// tellChanged has those who follow the events told what is new. Whoever changes what
// Status tells calls it: the journal after every write, watchers, indexes and
// switches, and a look at a note. It never waits.
func (e *Engine) tellChanged() { e.server.Changed() }

// Port returns the port of the HTTP server.
func (e *Engine) Port() int { return e.port }

// Pause ends watching in all vaults; scans by HTTP and running work go on.
func (e *Engine) Pause() { e.switchAll(false) }

// Resume watches all vaults again; what changed meanwhile is found.
func (e *Engine) Resume() { e.switchAll(true) }

func (e *Engine) switchAll(on bool) {
	for _, v := range e.vaults {
		v.SetWatching(on, 0)
	}
}

// Close gives back what New opened; Run must have returned.
func (e *Engine) Close() error {
	var errs []error
	for _, v := range e.openVaults() {
		if v.HasEnded() { // whoever still waits for its disk may use the index
			errs = append(errs, v.Close())
		}
	}
	if e.journal != nil {
		errs = append(errs, e.journal.Close())
	}
	if e.lock != nil {
		errs = append(errs, e.lock.Close())
	}
	return errors.Join(errs...)
}

// indexOf returns the index of the vault with that root.
func (e *Engine) indexOf(root string) (*recall.Index, error) {
	if v := e.vaultAt(root); v != nil {
		return v.Index, nil
	}
	return nil, &agent.Failure{Kind: agent.Permanent, Reason: "the vault is not configured any more"}
}
