package vault

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/notes"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/recall/indexed"
	"vaultdispatcher/engine/vault/burst"
	"vaultdispatcher/engine/vault/indexing"
	"vaultdispatcher/engine/vault/noteindex"
	"vaultdispatcher/engine/vault/rested"
	"vaultdispatcher/engine/vault/templates"
)

// This file is the first reading of a vault: the saves that no watcher saw, the dispatches that
// an earlier engine has left, and the index.

// firstPass is the first reading of a vault, with what waits for it.
type firstPass struct {
	v       *Vault
	looked  chan struct{}      // holds one token when a note was looked at
	backlog []rested.Note      // notes still to be read; the vault's mu guards it, and pending
	pending []journal.Dispatch // of earlier engines, not asked before their note was looked at

	answered []string // notes, in order, into which an earlier engine has written lately
}

// run reads every note once after the first pass: first for markers that came while no engine
// watched, then for the index. New saves do not wait for it.
func (p *firstPass) run(ctx context.Context) error {
	if !p.awaitFirstPass(ctx) {
		return nil
	}
	if p.v.isAway() && p.v.Catalog.index.State().Notes == 0 {
		p.v.Catalog.fill(ctx, nil, nil, nil) // a folder that is to become a vault
	}
	late, ok := p.awaitFolder(ctx)
	if !ok {
		return nil
	}
	found, notes, standing := p.takeBacklog(late)
	remembered := p.readSums(ctx)
	isNew, known := p.findNew(ctx, remembered)
	pass := p.beginPass(ctx, found, remembered)
	if found == nil && !p.isMet() {
		isOld := noteindex.SetOf(standing)
		isNew = func(rel string) bool { return !isOld[rel] } // it came into an empty folder, which is watched
	}
	for {
		err := p.judgeOldMarkers(ctx, notes, standing)
		if err == nil {
			p.v.Troubles.Forget("")
			break
		}
		p.v.Troubles.Add("", err) // a full disk, say
		p.v.log.Warn("meet the vault", "error", err)
		if due.Sleep(ctx, indexing.Again) != nil {
			return nil
		}
	}
	err := p.v.whileLocked(func() error {
		p.v.memory.Begin(remembered, notes, standing)
		return p.v.follower.Begin(ctx, notes)
	})
	if err != nil && ctx.Err() == nil {
		p.v.log.Warn("look for notes that are gone", "error", err)
	}
	if !p.readAll(ctx, notes, pass, isNew) {
		return nil
	}
	err = p.v.whileLocked(func() error { p.v.follower.End(); return p.v.memory.End(ctx) })
	if err == nil {
		err = pass.End(func(fresh []string) (map[string]uint64, error) {
			return p.v.opts.Journal.PastSums(ctx, p.v.Root, fresh...)
		})
	}
	if err != nil && ctx.Err() == nil {
		p.v.log.Warn("remember the lines of notes", "error", err)
	}
	p.resumePending(ctx, notes)
	p.v.Catalog.fill(ctx, notes, pass.Stamps(), known)
	for err != nil && due.Sleep(ctx, indexing.Again) == nil {
		err = p.v.whileLocked(func() error { return p.v.memory.End(ctx) }) // a look would keep them too, and none may come
	}
	return nil
}

// readSums returns the notes of which the journal remembers lines, each with the sum of its lines; nil where they cannot be read.
func (p *firstPass) readSums(ctx context.Context) map[string]uint64 {
	sums, err := p.v.opts.Journal.PastSums(ctx, p.v.Root)
	if err != nil {
		p.v.log.Warn("read what is remembered of notes", "error", err)
		return nil
	}
	return sums
}

// takeBacklog returns the notes of the first pass, and those among them that are older than this
// engine or, in a vault that was never met, older than its first time with an engine. Where the
// folder was empty when the watcher began, and with late, it lists the folder instead.
func (p *firstPass) takeBacklog(late bool) (found []rested.Note, notes, standing []string) {
	p.v.mu.Lock()
	found, p.backlog = p.backlog, nil
	met := p.v.judged
	p.v.mu.Unlock()
	if late || len(found) == 0 {
		notes, standing = p.listNotes(met)
		return nil, notes, standing
	}
	notes = make([]string, len(found))
	for i, n := range found {
		notes[i] = n.Rel
		if met || !p.v.isSinceGiven(time.Unix(0, n.Stamp.MTime)) {
			standing = append(standing, n.Rel)
		}
	}
	return found, notes, standing
}

// awaitFirstPass waits until the vault is watched. If a note of an unwatched vault is looked at,
// it fills the index, since the agent that answers the note searches it.
func (p *firstPass) awaitFirstPass(ctx context.Context) bool {
	for filled := false; ; {
		select {
		case <-p.v.Watcher.Ready():
			return true
		case <-ctx.Done():
			return false
		case <-p.looked:
		}
		if !filled && !p.v.Watching.IsOn() && !p.v.isAway() {
			filled = true
			notes, _ := p.listNotes(true)
			p.v.Catalog.fill(ctx, notes, nil, nil)
		}
	}
}

// resumePending continues the dispatches of an earlier engine, now that every note was looked at
// once: a question that a person edited or deleted meanwhile is not asked again.
func (p *firstPass) resumePending(ctx context.Context, notes []string) {
	p.v.mu.Lock()
	p.v.gone.tell(p.v.follower)
	lost, err := p.v.follower.ListLost(ctx, noteindex.SetOf(notes))
	if err != nil && ctx.Err() == nil {
		p.v.log.Warn("look for notes that were moved", "error", err)
	}
	pending := p.pending
	p.pending = nil
	p.v.mu.Unlock()
	for _, rel := range lost {
		p.v.lookAtAny(ctx, Save{Rel: rel, Time: time.Now(), Trigger: "reconcile", source: foreign})
	}
	for _, d := range pending {
		d, err := p.v.opts.Journal.Get(ctx, d.ID)
		if err == nil && d.Status == journal.Queued {
			p.v.dispatcher.Submit(d)
		}
	}
}

// findNew returns a function that reports whether a note came while no engine ran, or just before
// the last one ended: its index does not know the note, or not for long. For notes that are not
// indexed it asks what is remembered of them, as far as they had quotes. If the vault was not met yet, or the
// last engine is unknown, no note is new. It also returns what the index knows, if it was asked. The caller does not hold mu.
func (p *firstPass) findNew(ctx context.Context, remembered map[string]uint64) (isNew func(rel string) bool, known *indexed.Notes) {
	if !p.isMet() || p.v.Catalog.index.State().Notes == 0 || remembered == nil {
		return func(string) bool { return false }, nil
	}
	known, err := p.v.Catalog.index.Known(ctx)
	if err != nil {
		if ctx.Err() == nil {
			p.v.log.Warn("read what the last engine knew", "error", err)
		}
		return func(string) bool { return false }, nil
	}
	return func(rel string) bool {
		if known.IsLong(rel, burst.Within) {
			return false
		}
		_, had := remembered[rel]
		return !had || len(p.v.opts.Config.Index.Exclude) == 0 || !p.v.Catalog.isUnindexed(rel)
	}, known
}

// A drive that is not there when the engine starts leaves its mount point, an
// empty folder. The engine neither believes that the notes are gone nor judges
// their old markers until the folder has content.

// awaitFolder waits until the vault is there, and compared with the journal. If it has to wait for the folder, it also waits
// until the vault is watched, since only a watcher finds late notes. late reports whether it had to wait for it; ok is false
// when ctx ended first.
func (p *firstPass) awaitFolder(ctx context.Context) (late, ok bool) {
	for {
		on, changed := p.v.Watching.Position()
		away := p.v.isAway()
		if late = late || away; !away && (on || !late) {
			if p.v.announceReturned(ctx); p.v.compared.Load() {
				return late, true
			}
		}
		select {
		case <-p.looked:
		case <-changed:
		case <-time.After(indexing.Again):
		case <-ctx.Done():
			return late, false
		}
	}
}

// listNotes returns the notes of the vault, and those among them that are older than this engine
// or, in a vault that was never met, older than its first time with an engine. The watcher
// reports them as well, but one by one.
func (p *firstPass) listNotes(met bool) (all, old []string) {
	// Unreadable folders are left out; the watcher reports them.
	_ = notes.Walk(p.v.Root, p.v.opts.Config.Exclude, func(rel string, info fs.FileInfo) {
		all = append(all, rel)
		if met && info.ModTime().Before(p.v.opts.Started) || !met && !p.v.isSinceGiven(info.ModTime()) {
			old = append(old, rel)
		}
	})
	return all, old
}

// judgeOldMarkers decides, once in the life of a vault, whether the markers it has when it is
// first watched may start. Until then nothing in it does. standing names those of
// its notes that were not written since it was given to an engine.
func (p *firstPass) judgeOldMarkers(ctx context.Context, notes, standing []string) error {
	if p.isMet() {
		return nil
	}
	isOld, now, meeting := noteindex.SetOf(standing), time.Now(), past.Meeting{Whole: p.v.Condition.doubts.Load()}
	for _, rel := range notes {
		if err := ctx.Err(); err != nil {
			return err
		}
		src, err := p.v.disk.Read(rel)
		if err != nil {
			continue // its look will find out what is wrong with it
		}
		page := note.NewPage(src)
		doc := page.Doc()
		if p.v.memory.IsUntrusted(rel, page) {
			meeting.AddTheirs(rel, src, doc)
		} else if len(doc.Markers) > 0 && isOld[rel] && !p.v.templates.IsModel(rel, doc) {
			parts := templates.FindParts(page)
			meeting.AddOld(rel, src, doc, slices.DeleteFunc(slices.Clone(doc.Markers), func(m note.Marker) bool { _, is := parts.At(m.Line); return is }))
		}
	}
	return p.v.whileLocked(func() error {
		waiting, err := p.v.memory.Meet(ctx, now, meeting)
		if err != nil {
			return fmt.Errorf("meet the vault %s: %w", p.v.Name, err)
		}
		p.v.Condition.doubts.Store(false)
		p.v.notes.lookAtOwed()
		if p.v.judged = true; waiting > 0 && p.v.opts.OldMarkers != nil {
			p.v.opts.OldMarkers(p.v.Name, waiting)
		}
		return nil
	})
}

// isMet reports whether the vault was met, now or by an earlier engine.
func (p *firstPass) isMet() bool {
	p.v.mu.Lock()
	defer p.v.mu.Unlock()
	return p.v.judged
}
