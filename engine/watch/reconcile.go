package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/watch/disk"
	"vaultdispatcher/engine/watch/source"
)

// offlinePause is how long a vault that is gone is left alone before it is
// looked for again.
const offlinePause = 2 * time.Second

// reconciler is the one Watcher there is. It lives through the absences of its
// vault; what it does while the vault is there is a [session].
type reconciler struct {
	opts      Options
	hints     *source.Hints
	firstPass chan struct{}
	opener    source.Opener
	mount     func(abs string) (disk.Mount, error)

	mounts func(root string) map[string]string
	pulse  time.Duration // usualPulse, but for tests
	grace  time.Duration // stopGrace, but for tests

	// These belong to the goroutine of Run.
	snap   *snapshot
	rootID disk.Ident // of the root when it was last compared
	absent bool       // the root itself was seen to go
	recent *recent

	distrust     string // why notifications are not used any more
	loggedReason string // the reason for polling that the log knows
	proof        proof  // of the source

	mu        sync.Mutex // guards the fields below
	running   bool
	departure chan struct{} // closed when the Run ends that was left behind; nil = none was
	stats     Stats
	published Stats // as Changed was told of them last
}

func newReconciler(opts Options) *reconciler {
	return &reconciler{
		opts:      opts,
		hints:     source.NewHints(),
		firstPass: make(chan struct{}),
		opener:    source.Open,
		mount:     disk.FindMount,
		mounts:    disk.MountsBelow,
		pulse:     usualPulse,
		grace:     stopGrace,
		snap:      newSnapshot(),
		recent:    newRecent(),
		stats:     Stats{State: Stopped},
	}
}

// Rescan implements [Watcher].
func (r *reconciler) Rescan() { r.hints.AddAll() }

// Look implements [Watcher].
func (r *reconciler) Look(rel string) { r.hints.Add(rel, source.Here) }

// Ready implements [Watcher].
func (r *reconciler) Ready() <-chan struct{} { return r.firstPass }

// Stats implements [Watcher].
func (r *reconciler) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.stats
	s.Overflows = r.hints.Overflows()
	return s
}

// Run implements [Watcher].
func (r *reconciler) Run(ctx context.Context, sink func(Event)) error {
	switch ok, err := r.beginRun(ctx); {
	case err != nil:
		return nil
	case !ok:
		return fmt.Errorf("watching %s: already running", r.opts.Root)
	}
	events := &gate{sink: sink}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer r.endRun()
		r.watchUntilDone(ctx, events.passEvent)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
	}
	grace := time.NewTimer(r.grace)
	defer grace.Stop()
	select {
	case <-ended:
		return nil
	case <-grace.C:
		events.closeGate()
		r.leaveBehind()
		return fmt.Errorf("watching %s: %w", r.opts.Root, ErrUnanswered)
	}
}

// watchUntilDone watches the vault through its absences until ctx ends.
func (r *reconciler) watchUntilDone(ctx context.Context, sink func(Event)) {
	r.recent = newRecent()
	for {
		compared := false
		root, id, err := r.locateVault()
		if err == nil {
			compared, err = r.watchOnce(ctx, root, id, sink)
		}
		if ctx.Err() != nil {
			return
		}
		if compared {
			continue // it was there a moment ago: look at once where it is now
		}
		r.setOffline(err)
		r.pauseOffline(ctx)
	}
}

// pauseOffline waits until it is time to look for the vault again.
func (r *reconciler) pauseOffline(ctx context.Context) {
	timer := time.NewTimer(offlinePause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-r.hints.Wake:
	case <-timer.C:
	}
}

// locateVault finds the folder of the vault. A folder that was exchanged for an empty
// one is no vault whose notes were all deleted: it is the place where a disk
// used to be mounted, or a synchronisation program that has not begun.
func (r *reconciler) locateVault() (root string, id disk.Ident, err error) {
	if root, err = r.resolveRoot(); err != nil {
		return "", disk.Ident{}, err
	}
	e, err := disk.Inspect(root)
	if err != nil {
		return "", disk.Ident{}, err
	}
	if e.Type != disk.Folder {
		return "", disk.Ident{}, fmt.Errorf("%s is not a folder", root)
	}
	if r.snap.notes > 0 && (r.absent || e.ID != r.rootID) {
		if empty, err := disk.IsEmpty(root, r.opts.Probe); err != nil || empty {
			return "", disk.Ident{}, errors.Join(err, fmt.Errorf("the folder is empty, it held %d notes", r.snap.notes))
		}
	}
	return root, e.ID, nil
}

// resolveRoot follows the links that lead to the vault.
func (r *reconciler) resolveRoot() (string, error) {
	root, err := filepath.EvalSymlinks(r.opts.Root)
	if err != nil { // of links in a circle it tells its own name; the system names the path
		if _, refused := os.Stat(r.opts.Root); refused != nil {
			err = refused
		}
	}
	if err != nil || r.opts.Target == "" || root == r.opts.Target {
		return root, err
	}
	a, errA := os.Stat(root)
	b, errB := os.Stat(r.opts.Target)
	if errA == nil && errB == nil && os.SameFile(a, b) {
		return r.opts.Target, nil // in another spelling
	}
	return "", fmt.Errorf("%s now points to %s (was %s); restart the engine to follow it",
		r.opts.Root, root, r.opts.Target)
}

// watchOnce spends one session with the vault and reports whether it got as far as
// comparing it once.
func (r *reconciler) watchOnce(ctx context.Context, root string, id disk.Ident, sink func(Event)) (compared bool, err error) {
	s := newSession(r, root, id, sink)
	defer s.closeSession()
	if err := s.sweepVault(ctx, true); err != nil {
		return false, err
	}
	s.fallBackToPolling()
	r.rootID, r.absent = id, false
	if r.Stats().State == Offline {
		r.opts.Log.Info("the vault is back", "root", root)
	}
	s.publishStats()
	r.becomeReady()
	return true, s.loop(ctx)
}

// beginRun waits for the end of a Run that was left behind; ok is false where another one
// is at work. The error is that of ctx.
func (r *reconciler) beginRun(ctx context.Context) (ok bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.departure != nil {
		ended := r.departure
		r.mu.Unlock()
		select {
		case <-ended:
		case <-ctx.Done():
			err = ctx.Err()
		}
		if r.mu.Lock(); err != nil {
			return false, err
		}
	}
	if r.running {
		return false, nil
	}
	r.running = true
	r.stats.State = Starting
	r.notifyChanged()
	return true, nil
}

// leaveBehind lets the next Run wait for this one.
func (r *reconciler) leaveBehind() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running {
		r.departure = make(chan struct{})
	}
}

func (r *reconciler) endRun() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running = false
	if r.departure != nil {
		close(r.departure)
		r.departure = nil
	}
	r.stats.State, r.stats.Source, r.stats.Reason = Stopped, "", ""
	r.stats.Watches = 0
	r.notifyChanged()
}

// notifyChanged tells of other stats. The caller holds mu.
func (r *reconciler) notifyChanged() {
	now := r.stats
	now.LastScan, now.ScanTook, now.Rescans, now.Hints, now.Misses = time.Time{}, 0, 0, 0, 0
	if now != r.published {
		r.published = now
		r.opts.Changed()
	}
}

func (r *reconciler) becomeReady() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stats.FirstPass.IsZero() {
		r.stats.FirstPass = time.Now()
		close(r.firstPass)
		r.notifyChanged()
	}
}

// isFirstPass reports whether the first pass is still to be completed.
func (r *reconciler) isFirstPass() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stats.FirstPass.IsZero()
}

func (r *reconciler) setOffline(why error) {
	r.mu.Lock()
	was := r.stats.State
	r.stats.State, r.stats.Reason = Offline, syserr.Plain(why)
	r.stats.Watches = 0
	r.notifyChanged()
	r.mu.Unlock()
	if was != Offline {
		r.opts.Log.Warn("the vault is offline", "root", r.opts.Root, "err", why)
	}
}
