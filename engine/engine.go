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
// counts for the metrics, one that waits for Shutdown, and one for each vault with eight of its own
// (watch, debounce, catch up, wake, index, probe, facts, embed). All have ended when it
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
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/api/vaultmind"
	"vaultdispatcher/engine/asking"
	"vaultdispatcher/engine/broadcast"
	"vaultdispatcher/engine/broadcast/speech"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/dashboard"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/fit"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/recorder"
	"vaultdispatcher/engine/library"
	"vaultdispatcher/engine/lockfile"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/metrics"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/notices"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/presence"
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

	// Waits is told once why the start waits: another program holds the journal locked. nil = the log is.
	Waits func(error)

	// News is told what becomes of each question. It must not wait for anything; it may be nil.
	News func(news.Item)

	// An engine may go on where another one of the same process ended, with another
	// configuration: Started is when the first one started, zero for now, Switches
	// what [Engine.Switches] of the last one returned, Sessions the browsers that see
	// the dashboard, nil for those of one engine alone.
	Started  time.Time
	Switches map[string]Switch
	Sessions *dashboard.Sessions
}

// Engine is the background process. Its methods are safe for concurrent use.
type Engine struct {
	config     config.Config
	id         string // presence.IDOf it
	version    string
	news       func(news.Item)
	port       int
	log        *slog.Logger
	started    time.Time
	lock       *os.File // held while the state folder is in use
	journal    *journal.Journal
	dispatcher *dispatch.Dispatcher
	roles      *roles.Roles
	vaults     []*vault.Vault
	server     *server.Server
	library    *library.Library
	desk       *mcp.Desk
	metrics    *metrics.Metrics
	listener   net.Listener
	stop       chan struct{} // holds one token when Shutdown was called
	grace      time.Duration // for running agents when the engine ends
	recorder   *recorder.Recorder
	writer     *writer.Writer
	sound      *speech.Desk
	ceiling    *roles.Ceiling
	releaser   *roles.Releaser
	meaning    *recall.Meaning // nil where no embedding is configured

	notices notices.Board
	untaken untaken.Board // what was asked and is not taken up
	fits    fit.Fits      // how tasks fit into their models
	asking  asking.Waiters
	steps   asking.Progress
	records records
	changes atomic.Uint64 // of what Status tells

	mu   sync.Mutex         // guards the field below
	left []journal.Dispatch // unfinished ones of vaults that are not open yet
}

// defaultGrace is what running agents get to finish at the end; service managers kill after some ten seconds.
const defaultGrace = 5 * time.Second

// New opens the journal. It touches no vault; Run opens them side by side. It
// returns [ErrLocked] when another engine uses the same state folder.
func New(ctx context.Context, opts Options) (*Engine, error) {
	e := &Engine{
		config: opts.Config, id: presence.IDOf(presence.ThisMachine(), opts.State), version: opts.Version, log: opts.Log, listener: opts.Listener,
		started: opts.Started, stop: make(chan struct{}, 1), grace: cmp.Or(opts.Grace, defaultGrace),
	}
	if e.news = opts.News; e.news == nil {
		e.news = func(news.Item) {}
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

// openRooms makes what the engine consists of. What it has opened when it fails, Close
// gives back.
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
	e.server.UseCalls(vaultmind.Routes(e, e.server))
	if opts.Web != nil {
		e.server.UsePages(dashboard.New(dashboard.Options{Server: e.server, Backend: e, Tools: opts.Tools, Files: opts.Web, Log: opts.Log, Sessions: opts.Sessions,
			Presentations: broadcast.NewShown(opts.Config, e.isPrivate)}))
	}
	if err := e.openJournal(ctx, opts); err != nil {
		return err
	}
	e.metrics = metrics.New(metrics.Options{Entry: e.config.EntryOf, Open: e.config.Metrics == "open", Counts: e.journal.Counts, Vaults: e.measureVaults, Refusals: e.server.Refusals})
	e.server.UseCalls(e.metrics.Routes())
	e.openWriter()
	if err := e.openDispatcher(opts); err != nil {
		return err
	}
	e.library = library.New(library.Options{Config: e.config, Rules: e.roles.Rules, Past: e.journal, Shelves: e.shelves})
	e.desk = mcp.NewDesk(e.library, e.version)
	e.server.UseDesk(e.desk)
	if err := e.openLimits(ctx); err != nil {
		return err
	}
	if e.meaning = NewMeaning(opts.Config.Embedding); e.meaning != nil && e.meaning.Broken != nil {
		e.tell(api.NoticeWordsOnly, "error", e.meaning.Broken)
	}
	return e.addVaults(ctx, opts)
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
	defer context.AfterFunc(ctx, e.asking.End)()
	writing, stopWriting := context.WithCancel(context.WithoutCancel(ctx)) // until the last answer has come
	g.Go(func() error { return ignoreCancel(e.server.Run(ctx, e.listener)) })
	g.Go(func() error { defer stopWriting(); return ignoreCancel(e.dispatcher.Run(ctx)) })
	g.Go(func() error { e.writer.Run(writing); return nil })
	g.Go(func() error { e.releaser.Run(ctx); return nil })
	g.Go(func() error { e.sound.Run(ctx); return nil })
	g.Go(func() error { e.roles.RunQueue(writing); return nil })
	g.Go(func() error { e.metrics.Run(ctx); return nil })
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

// ignoreCancel makes the end of the context, by which everything here stops, no error.
func ignoreCancel(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// tellChanged has those who follow the events told what is new. Whoever changes what
// Status tells calls it: the journal after every write, watchers, indexes and
// switches, and a look at a note. It never waits.
func (e *Engine) tellChanged() {
	e.changes.Add(1)
	e.server.Changed()
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
