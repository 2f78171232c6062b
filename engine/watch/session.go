package watch

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/watch/disk"
	"vaultdispatcher/engine/watch/source"
)

const (
	// sweepPause is the least time between two comparisons of the whole vault, however often the kernel overflows.
	sweepPause = time.Second
	// usualPulse is how often the session checks the place of the vault, the mounts in it and the paths that were out
	// of reach, because no source reports changes of them.
	usualPulse = 10 * time.Second
)

var (
	// errGone ends a session: the folder of the vault is no longer the one it was.
	errGone = errors.New("the folder of the vault is gone")
	// errAnew ends a session so that the next one tries to be watched again.
	errAnew = errors.New("trying the notifications again")
)

// session is one uninterrupted stretch of a vault being there: it decides when to look
// and whether the source can be relied on; its comparer looks. All of it belongs to the
// goroutine of Run.
type session struct {
	*comparer
	src    source.Source                                          // nil when the vault is polled
	ask    func(rel string, before disk.Mark) (disk.Entry, error) // stats a hot note: inspectHot, but for tests
	reason string                                                 // the vault is watched or polled

	doubt      string    // why the source does not hear of everything; empty while it does
	suspicious bool      // it may not, so the vault is compared often
	retryAt    time.Time // when to try the source again; zero is never
	probe      probe
	clock      moment // of the latest step

	mounted  map[string]string // the mounts in the vault
	wanted   bool              // a comparison was asked for
	sweepEnd time.Time         // end of the latest comparison
	duration time.Duration     // its duration
	nextBeat time.Time         // when the pulse is felt next
	logged   int               // overflows the log knows of
	passes   int               // comparisons of the whole vault that were begun
}

// newSession opens the source. Earlier hints are void: the comparison that begins the session covers the whole vault.
func newSession(r *reconciler, root string, id disk.Ident, sink func(Event)) *session {
	r.hints.Take()
	c := &comparer{
		reconciler: r,
		root:       disk.NewRoot(root),
		id:         id,
		sink:       sink,
		folding:    disk.FoldsCase(root),
		revisits:   newRevisits(),
		unreadable: make(map[string]bool),
		unreached:  make(map[string]bool),
	}
	s := &session{comparer: c, mounted: r.mounts(root), logged: r.hints.Overflows()}
	c.crossed, s.ask = s.handleMount, s.inspectHot
	s.openSource()
	return s
}

func (s *session) closeSession() { s.closeSource() }

// loop waits for hints and for its own appointments until the vault is gone or
// ctx ends.
func (s *session) loop(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		timer.Reset(time.Until(s.nextAppointment()))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.hints.Wake:
		case <-timer.C:
		}
		if err := s.step(ctx, time.Now()); err != nil {
			return err
		}
		s.publishStats()
	}
}

// step looks at the paths of the hints and does the looks that are due.
func (s *session) step(ctx context.Context, now time.Time) error {
	s.noticeSleep(now)
	s.stepProbe(now)
	paths, all := s.hints.Take()
	s.countHints(len(paths))
	s.wanted = s.wanted || all
	if !s.retryAt.IsZero() && (all || now.After(s.retryAt)) {
		return errAnew
	}
	if s.poller != nil && (all || len(paths) > 0) {
		s.poller.endRest(now)
	}
	for _, rel := range inOrder(paths) {
		if err := s.lookAtPath(ctx, rel, manner{via: ViaNative, basis: basisHint, scope: scopeOf(paths[rel])}); err != nil {
			return err
		}
	}
	repeat := manner{via: ViaRescan}
	if s.poller != nil { // it is one more look of the poller's, and finds no change that somebody should have told of
		repeat = manner{via: ViaPoll, basis: basisRepeat}
	}
	for _, rel := range s.revisits.takeDue(now) {
		if err := s.lookAtPath(ctx, rel, repeat); err != nil {
			return err
		}
	}
	if !now.Before(s.nextBeat) {
		if err := s.lookUnheard(ctx, now); err != nil {
			return err
		}
	}
	if s.poller != nil {
		if err := s.pollDue(ctx, now); err != nil {
			return err
		}
	}
	if !now.Before(s.nextSweep()) {
		if err := s.sweepVault(ctx, s.wanted); err != nil {
			return err
		}
	}
	s.fallBackToPolling()
	return nil
}

// inOrder puts the names that went before those that came, so that a renamed
// note is reported as removed first, and folders before what they hold.
func inOrder(paths map[string]source.Hint) []string {
	return slices.SortedFunc(maps.Keys(paths), func(a, b string) int {
		if paths[a] != paths[b] {
			if paths[a] == source.Subtree {
				return -1
			}
			return 1
		}
		return cmp.Compare(a, b)
	})
}

// sweepVault compares the whole vault. With anew every watch is made again.
func (s *session) sweepVault(ctx context.Context, anew bool) error {
	start := time.Now()
	if lost := s.hints.Overflows(); lost != s.logged {
		s.logged = lost
		s.opts.Log.Warn("change notifications were lost, comparing the vault", "root", s.root.Path, "overflows", lost)
	}
	if err := s.checkPlace(); err != nil {
		return err
	}
	m := s.mannerOfSweep(anew)
	s.misses = 0
	defer s.root.Hold()()
	if err := s.visitFolder(ctx, s.snap.folders[""], s.id, m); err != nil {
		return err
	}
	s.wanted, s.sweepEnd, s.duration = false, time.Now(), time.Since(start)
	s.countSweep(m.via)
	if s.poller != nil && m.via == ViaStart {
		s.poller.hot.seedLatest(s.snap)
		s.revisitLatest(s.sweepEnd)
	}
	if m.basis == basisCheck {
		s.weighComparison()
	}
	return nil
}

// mannerOfSweep is how the whole vault is compared.
func (s *session) mannerOfSweep(anew bool) manner {
	m := manner{via: ViaRescan, scope: scopeTree, basis: basisHint, lists: s.countThorough()}
	if anew {
		m.scope = scopeRenewed
	}
	switch {
	case s.sweepEnd.IsZero():
		m.basis = basisReturn
	case s.src != nil && !anew:
		m.basis = basisCheck
	}
	if s.isFirstPass() {
		m.via = ViaStart
	}
	return m
}

// countThorough counts a comparison of the whole vault and says whether it lists every
// folder. Most believe the times of a folder that its names are the same; for file
// systems where they lie, one of so many believes nothing.
func (s *session) countThorough() bool {
	const oneOf = 24
	s.passes++
	return s.passes%oneOf == 0
}

// lookUnheard looks at places whose changes no source reports.
func (s *session) lookUnheard(ctx context.Context, now time.Time) error {
	s.nextBeat = now.Add(due.UntilBeat(now, s.pulse))
	s.recent.forgetOld(now)
	if err := s.checkPlace(); err != nil {
		return err
	}
	before := s.mounted
	s.mounted = s.mounts(s.root.Path)
	for _, rel := range disk.ChangedMounts(before, s.mounted) {
		if err := s.lookAtPath(ctx, rel, manner{via: ViaRescan, scope: scopeRenewed, basis: basisHint}); err != nil {
			return err
		}
	}
	if err := s.renewEnded(ctx); err != nil {
		return err
	}
	again := slices.Concat(slices.Collect(maps.Keys(s.unreadable)), slices.Collect(maps.Keys(s.unreached)))
	clear(s.unreached)
	for _, rel := range again {
		if err := s.lookAtPath(ctx, rel, manner{via: ViaRescan, basis: basisHint}); err != nil {
			return err
		}
	}
	return nil
}

// renewEnded revisits folders whose watch ended without a notification: a disk that was
// taken out and put back between two beats looks the same as before, and is not watched.
func (s *session) renewEnded(ctx context.Context) error {
	if s.folders == nil {
		return nil
	}
	ended := s.folders.Ended()
	slices.Sort(ended)
	for i, rel := range ended {
		if i > 0 && strings.HasPrefix(rel, ended[i-1]+"/") {
			ended[i] = ended[i-1] // watched again with the folder above
			continue
		}
		if err := s.lookAtPath(ctx, rel, manner{via: ViaRescan, scope: scopeRenewed, basis: basisHint}); err != nil {
			return err
		}
	}
	return nil
}

// checkPlace is checkRoot that also looks where a link to the vault leads.
func (s *session) checkPlace() error {
	if now, err := s.resolveRoot(); err != nil || now != s.root.Path {
		return errors.Join(errGone, err)
	}
	return s.checkRoot()
}

// nextAppointment is the earliest appointment.
func (s *session) nextAppointment() time.Time {
	at := earlier(s.nextBeat, s.nextSweep())
	if s.src != nil && s.opts.Probe != "" {
		at = earlier(at, s.probe.time)
	}
	if s.poller != nil {
		at = earlier(at, s.poller.nextRound())
	}
	if again, ok := s.revisits.nextDue(); ok && again.Before(at) {
		at = again
	}
	return at
}

func (s *session) nextSweep() time.Time {
	if s.wanted {
		return s.sweepEnd.Add(sweepPause)
	}
	switch {
	case s.poller != nil:
		return s.sweepEnd.Add(24 * time.Hour) // its passes are comparisons
	case s.suspicious, s.proof.hasMisses():
		return s.sweepEnd.Add(min(s.opts.Rescan, soon))
	}
	return s.sweepEnd.Add(s.opts.Rescan)
}
