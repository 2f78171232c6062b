package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/front"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/library"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/meaning"
	"vaultdispatcher/engine/metrics"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/schedule/runs"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/engine/writer"
)

// journalFile is the name of the journal in the state folder.
const journalFile = "journal.db"

// defaultGrace is what running agents get to finish at the end; service managers kill after some ten seconds.
const defaultGrace = 5 * time.Second

// New opens the journal. It touches no vault; Run opens them side by side. It
// returns [ErrLocked] when another engine uses the same state folder.
func New(ctx context.Context, opts Options) (*Engine, error) {
	e := &Engine{
		config: opts.Config, state: opts.State, id: presence.IDOf(presence.ThisMachine(), opts.State), version: opts.Version, log: opts.Log, listener: opts.Listener,
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

// openRooms makes the parts of the engine. If it fails, Close closes the parts that it has opened.
func (e *Engine) openRooms(ctx context.Context, opts Options) (err error) {
	lock := filepath.Join(opts.State, "lock")
	if e.lock, err = files.TakeLock(lock); errors.Is(err, files.ErrHeld) {
		err = ErrLocked
	}
	if err != nil {
		return fmt.Errorf("lock %s: %w", lock, err)
	}
	if err := e.openJournal(ctx, opts); err != nil {
		return err
	}
	e.metrics = metrics.New(metrics.Options{Entry: e.config.EntryOf, Public: e.config.Metrics == "open", Counts: e.journal.Counts, Vaults: e.measureVaults,
		Refusals: func() map[string]int { return e.server.Refusals.Counts() }})
	e.openWriter()
	if err := e.openRoles(opts); err != nil {
		return err
	}
	books := library.New(library.Options{Config: e.config, Rules: e.roles.Rules, History: e.journal, Shelves: func() []library.Shelf { return front.Shelves(&e.vaults) }})
	desk := mcp.NewDesk(books, e.version)
	e.openDispatcher(opts, books, desk)
	if err := e.starts.open(ctx); err != nil {
		return err
	}
	e.schedule = runs.New(runs.Options{Questions: e.config.Schedule, Journal: e.journal, VaultName: e.vaults.NameOf, Changed: e.notices.StatusChanged, Zone: time.Local, Log: e.log,
		Ask:  func(ctx context.Context, q runs.Question, run time.Time) error { return e.front.AskRun(ctx, q, run) },
		Trim: func(ctx context.Context, q runs.Question) error { return e.front.TrimRuns(ctx, q) }})
	if e.meaning = meaning.New(opts.Config.Embedding); e.meaning != nil && e.meaning.Broken != nil {
		e.notices.AddNotice(api.NoticeWordsOnly, "error", e.meaning.Broken)
	}
	e.openServer(opts, desk)
	e.openWebhook(opts)
	return e.addVaults(ctx, opts)
}

// Run works until ctx ends or Shutdown is called, and returns when everything it
// started has ended. What waits for a disk that does not respond is left behind.
func (e *Engine) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var err error
	if e.starts.orphans, err = e.journal.Recover(ctx); err != nil {
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
	g.Go(func() error { e.starts.Run(ctx); return nil })
	g.Go(func() error { e.schedule.Run(ctx); return nil })
	g.Go(func() error { e.webhook.Run(ctx); return nil })
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

// Close gives back what New opened; Run must have returned.
func (e *Engine) Close() error {
	var errs []error
	for _, v := range e.vaults.Opened() {
		if v.HasEnded() { // a call that still waits for its disk may use the index
			errs = append(errs, v.Catalog.Close())
		}
	}
	if e.journal != nil {
		errs = append(errs, e.journal.Close())
		database.CheckClosed(filepath.Join(e.state, journalFile))
	}
	if e.lock != nil {
		errs = append(errs, e.lock.Close())
	}
	return errors.Join(errs...)
}

// ignoreCancel makes the end of the context, by which everything here stops, no error.
func ignoreCancel(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// keepFor is how long a finished dispatch is remembered. Answers that no note has are kept for good.
const keepFor = 90 * 24 * time.Hour

// pruneDaily forgets old dispatches, and what agents were sent whose answers cannot be undone any
// more, now and then once a day.
func (e *Engine) pruneDaily(ctx context.Context) error {
	for {
		if _, err := e.journal.Prune(ctx, time.Now().Add(-keepFor), time.Now().Add(-journal.UndoFor)); err != nil && ctx.Err() == nil {
			e.log.Warn("forget old dispatches", "error", err)
		}
		if due.Sleep(ctx, 24*time.Hour) != nil {
			return nil
		}
	}
}
