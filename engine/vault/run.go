package vault

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/notes"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/vault/behind"
	"vaultdispatcher/engine/vault/burst"
	"vaultdispatcher/engine/vault/folder"
	"vaultdispatcher/engine/vault/follow"
	"vaultdispatcher/engine/vault/indexing"
	"vaultdispatcher/engine/vault/rested"
	"vaultdispatcher/engine/watch"
)

// Run follows the vault until ctx ends. A vault whose disk does not respond by then
// is left behind: a system call that hangs cannot be ended.
func (v *Vault) Run(ctx context.Context) error {
	ended := make(chan error, 1)
	go func() {
		err := v.openAndFollow(ctx)
		close(v.end) // before Run returns
		ended <- err
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
		v.abandoned.Store(true)
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
	err := v.followAll(ctx)
	if v.abandoned.Load() {
		return err // the file may be that of the next engine, which has the same port
	}
	if err := errors.Join(listen.RemoveServerFile(v.Root, v.opts.Port), v.Condition.beacon.End(v.Root)); err != nil {
		v.log.Debug("remove the engine's files", "error", err)
	}
	return err
}

// followAll runs the goroutines of an open vault. That which finds out whether the disk responds
// is the first: all else may wait for the disk.
func (v *Vault) followAll(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return v.Condition.keep(ctx) })
	if err := v.announceEngine(ctx); err != nil && ctx.Err() == nil {
		v.log.Warn("announce the vault", "error", err)
	}
	v.Condition.find()
	v.engine.VaultOpened(v)
	g.Go(func() error { return v.forgetForever(ctx) })
	g.Go(func() error { return v.watchSaves(ctx) })
	g.Go(func() error { return v.debounce.Run(ctx, func(ev watch.Event) { v.handleChange(ctx, ev) }) })
	g.Go(func() error { return v.first.run(ctx) })
	g.Go(func() error { return v.runWakes(ctx) })
	g.Go(func() error { v.Catalog.indexer.Run(ctx); return nil })
	g.Go(v.Condition.probeExchange)
	g.Go(func() error { return v.Catalog.index.Embed(ctx) })
	return g.Wait()
}

// watchSaves runs the watcher while it is switched on.
func (v *Vault) watchSaves(ctx context.Context) error {
	for ctx.Err() == nil {
		on, changed := v.Watching.Position()
		if !on {
			select {
			case <-changed:
			case <-ctx.Done():
			}
			continue
		}
		running, stop := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- v.Watcher.Run(running, v.handleEvent) }()
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
			_ = due.Sleep(ctx, indexing.Again) // the loop asks
		}
	}
	return nil
}

// handleEvent takes an event from the watcher; it waits for a look at most where the event is one of a start.
func (v *Vault) handleEvent(ev watch.Event) {
	if ev.Via != watch.ViaStart {
		if ev.Kind == watch.Removed {
			v.gone.add(ev.Path)
		}
		v.addChange(ev)
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.first.backlog = append(v.first.backlog, rested.Note{Rel: ev.Path, Stamp: ev.Stamp})
	if saved := time.Unix(0, ev.Stamp.MTime); !v.judged && v.isSinceGiven(saved) {
		v.addChange(watch.Event{Path: ev.Path, Kind: ev.Kind, Time: saved, Via: watch.ViaNative, Stamp: ev.Stamp})
	}
}

// goneNotes are the notes that the watcher has seen go, until the next look takes them.
type goneNotes struct {
	mu   sync.Mutex
	rels []string
}

func (g *goneNotes) add(rel string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rels = append(g.rels, rel)
}

// tell tells a follower of them. The caller holds the mu of the vault.
func (g *goneNotes) tell(f *follow.Follower) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, rel := range g.rels {
		f.Went(rel)
	}
	g.rels = nil
}

// addChange has a change wait for its look: behind others, where many notes changed the same way.
func (v *Vault) addChange(ev watch.Event) {
	way := burst.Edited
	switch {
	case ev.Via == watch.ViaRescan:
		way = burst.Found
	case ev.Kind == watch.Removed:
		way = burst.Gone
	case ev.New:
		way = burst.Made
	}
	ev.Crowded = v.crowd.Add(ev.Path, way, time.Now())
	v.debounce.Add(ev)
}

// handleChange follows one debounced event. The note is indexed beside it.
func (v *Vault) handleChange(ctx context.Context, ev watch.Event) {
	v.announceReturned(ctx)
	v.Catalog.indexer.Add(ev.Path, ev.Crowded)
	v.reviewCopies(ev.Path, ev.Crowded)
	trigger, source := "watch", foreign
	if ev.Via == watch.ViaRescan {
		trigger = "reconcile"
	}
	if ev.Saved {
		source = saved
	}
	v.lookQuietly(ctx, Save{Rel: ev.Path, Time: ev.Time, Trigger: trigger, New: ev.New, Crowded: ev.Crowded, source: source, stamp: ev.Stamp})
}

// lookAtAny is lookQuietly for what may be no note but was looked at on a person's request. Of
// such a file it keeps no reports, since no later look would remove them.
func (v *Vault) lookAtAny(ctx context.Context, s Save) {
	if v.lookQuietly(ctx, s); notes.WhyNot(s.Rel, v.opts.Config.Exclude) != "" {
		v.engine.KeepUntaken(v.Root, s.Rel, nil, time.Time{})
	}
}

// lookQuietly is look for a caller that needs no result but whether the note held nothing; it logs errors.
func (v *Vault) lookQuietly(ctx context.Context, s Save) (isPlain bool) {
	seen, err := v.look(ctx, s)
	if err != nil && !isNotExist(err) && !behind.IsSilent(err) && ctx.Err() == nil {
		v.log.Warn("look at a note", "note", s.Rel, "error", err)
	}
	return err == nil && seen.isPlain
}

// look follows one save from the note's bytes to queued dispatches. Looking twice is harmless: an
// answered marker is gone from the text, a claimed one belongs to its dispatch, and the rest
// settles from when it was first seen. When its context ends, look stops and the note is looked
// at again later. It touches the disk.
func (v *Vault) look(ctx context.Context, s Save) (seen Looked, err error) {
	defer v.engine.StatusChanged()
	defer func() { // after mu is free: no look waits for a decision
		for _, d := range seen.Decisions {
			v.engine.Decide(ctx, d)
		}
	}()
	v.mu.Lock()
	defer v.mu.Unlock()
	select {
	case v.first.looked <- struct{}{}:
	default:
	}

	v.gone.tell(v.follower)
	if was := v.notes.Of(s.Rel).wake; was.owed {
		if s.source < was.source {
			s.source, s.stamp = was.source, was.stamp
		}
		if s.New = s.New || was.New; was.Urgent {
			s.Urgent, s.Trigger = true, was.Trigger
		}
	}
	seen, err = v.lookAt(ctx, s)
	switch {
	case err == nil:
		v.Troubles.Forget(s.Rel)
	case ctx.Err() != nil: // the caller has left; the note is fine
		v.notes.retry(s, time.Now())
	case behind.IsSilent(err): // so is it here; the status of the vault says it
		v.notes.retry(s, time.Now().Add(indexing.Again))
	case isNotExist(err) || v.disk.IsNoNote(s.Rel, err):
		v.Troubles.Forget(s.Rel)
		v.settling.ForgetNote(s.Rel)
		reason := ""
		if errors.Is(err, folder.ErrLarge) {
			reason = fmt.Sprintf("the note is larger than %d MiB, so nothing in it is read; split it into smaller notes", folder.MaxNote>>20)
		}
		if at := v.keepUnread(s, reason, true); !at.IsZero() {
			v.notes.lookAt(s, at)
		}
	default:
		v.keepUnread(s, "the note cannot be looked at now and is tried again: "+syserr.Plain(err), false)
		v.Troubles.Add(s.Rel, err)
		v.notes.retry(s, time.Now().Add(indexing.Again))
	}
	return seen, err
}

// keepUnread remembers why a note could not be read, without a reason that it does not exist, and
// whether that lasts. It returns when to look again to report it; zero means never.
func (v *Vault) keepUnread(s Save, reason string, lasts bool) time.Time {
	var rows []untaken.Row
	if reason != "" {
		rows = []untaken.Row{{Kind: untaken.Unread, Reason: reason, Old: lasts && v.memory.IsOld(s.Rel), Lasts: lasts}}
	}
	return v.engine.KeepUntaken(v.Root, s.Rel, rows, s.Time)
}

// runWakes looks at notes again when their time has come.
func (v *Vault) runWakes(ctx context.Context) error {
	v.notes.wakes.Run(ctx, func(rel string) {
		v.mu.Lock()
		s := v.notes.takeWake(rel)
		v.mu.Unlock()
		if s.Time = time.Now(); s.Rel != "" {
			v.lookAtAny(ctx, s)
		}
	})
	return nil
}

// reviewCopies has the notes indexed again that may be second versions of one that has changed,
// and those looked at whose name says so: whether others are copies may depend on what the one
// that went is called now.
func (v *Vault) reviewCopies(original string, isCrowded bool) {
	all, named := v.Catalog.doubles.Of(original)
	for _, rel := range all {
		v.Catalog.indexer.Add(rel, isCrowded)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, rel := range named {
		v.notes.lookAgain(rel, time.Now())
	}
}
