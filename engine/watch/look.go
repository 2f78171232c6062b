package watch

import (
	"context"
	"fmt"
	"strings"
	"time"

	"vaultdispatcher/engine/watch/disk"
	"vaultdispatcher/engine/watch/source"
)

// how says in what manner a path is looked at.
type how struct {
	via  string // for the events that come of it
	told bool   // there is a reason to look: what was read too early counts as changed
	anew bool   // existing watches are not to be trusted
	deep bool   // go into every folder below, not only into new ones
	back bool   // the vault was away: what was reported just before counts as changed
	each bool   // every folder has its turn: the one above need not ask for it
	name bool   // it is this very note that was told of

	thorough bool // list every folder, whatever its times say

	again bool // it was read too early and nothing tells of changes: it counts as changed
	sure  bool // the note was opened, so that its times are not from memory
	proof bool // an old difference is one of which the source should have told
}

// of is how one entry is looked at. Of what is changed through a link, or through
// another name of the same file, no source tells.
func (h how) of(e disk.Entry) how {
	h.proof = h.proof && !e.Shared
	return h
}

// look brings the snapshot up to date at one path and reports what differs. It
// fails only when the session must end.
func (s *session) look(ctx context.Context, rel string, h how) error {
	s.answers.came()
	if rel == "" {
		if h.anew {
			s.lost = true
			return errGone
		}
		return s.visit(ctx, s.snap.folders[""], s.id, h)
	}
	if s.folding {
		spelled, odd := s.spell(rel)
		if odd != nil {
			if err := s.visit(ctx, odd, odd.id, h); err != nil {
				return err
			}
			spelled, _ = s.spell(rel)
		}
		rel = spelled
	}
	if note, ok := evictedNote(rel); ok {
		rel = note
	}
	rel = s.reach(rel)
	noFile, noFolder := s.opts.Ignore(rel, false), s.opts.Ignore(rel, true)
	if noFile && noFolder {
		return nil
	}
	e, err := disk.Inspect(s.root.Abs(rel))
	if err != nil && !disk.IsAbsent(err) {
		s.missedOut(rel)
		return nil
	}
	if err != nil || e.Type == disk.File && noFile || e.Type == disk.Folder && noFolder {
		e.Type = disk.Other
	}
	dir, name := split(rel)
	f := s.snap.folders[dir]
	if err := s.clear(f, name, e.Type, h); err != nil {
		return err
	}
	switch e.Type {
	case disk.Folder:
		return s.enter(ctx, f, name, e.ID, h)
	case disk.File:
		h.name = h.told
		s.record(f, strings.Clone(name), e.Stamp, time.Now(), h.of(e))
	}
	return nil
}

// reach cuts a path off behind its first component that the snapshot does not
// know as a folder: that is where to look first, the rest follows from it.
func (s *session) reach(rel string) string {
	for at := 0; ; {
		i := strings.IndexByte(rel[at:], '/')
		if i < 0 {
			return rel
		}
		at += i
		if s.snap.folders[rel[:at]] == nil {
			return rel[:at]
		}
		at++
	}
}

// visit compares one folder, last seen as id, with the disk.
func (s *session) visit(ctx context.Context, f *folder, id disk.Ident, h how) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.answers.came()
	if s.unlisted(f, id, h) {
		if !h.deep {
			return nil
		}
		return s.descend(ctx, f, h, nil)
	}
	l, err := s.read(f, id, h)
	switch {
	case err != nil && f.path == "":
		return fmt.Errorf("%w: %w", errGone, err)
	case err != nil && disk.IsAbsent(err):
		dir, name := split(f.path)
		return s.clear(s.snap.folders[dir], name, disk.Other, h)
	case err != nil:
		if !s.unreadable[f.path] {
			s.unreadable[f.path] = true
			s.opts.Log.Warn("a folder cannot be read, keeping what is known of it", "root", s.root.Path, "folder", f.path, "err", err)
		}
		return nil
	}
	if s.unreadable[f.path] {
		delete(s.unreadable, f.path)
		h.deep = true // what was below it could not be looked at either
	}
	if l.ID != id {
		h = s.another(f, l.ID, h)
	}
	return s.compare(ctx, f, l, h)
}

// unlisted brings the notes of a folder up to date without listing it, where that
// will do, and reports whether it did.
func (s *session) unlisted(f *folder, id disk.Ident, h how) bool {
	if !h.each || h.anew || h.thorough || s.unreadable[f.path] || s.revisits.has(f.path) {
		return false
	}
	if s.folders != nil {
		if err := s.folders.Arm(f.path, id, false); err != nil {
			return false // the listing says what became of it
		}
	}
	now := time.Now()
	return f.restatNotes(s.root, id, func(i int, e disk.Entry) {
		if h.back || e.Stamp.Mark() != f.notes[i].mark || e.Stamp.IsFresh(now) || !s.revisits.none() {
			s.record(f, f.notes[i].name, e.Stamp, now, h.of(e))
		}
	})
}

// another is how a folder is looked at that is not the one that was known by its
// name: to its leaves, with watches of its own. No source tells of each note in it.
func (s *session) another(f *folder, id disk.Ident, h how) how {
	dir, _ := split(f.path)
	if above := s.snap.folders[dir]; above != f && above != nil && above.id.Dev != id.Dev {
		s.crossed(f.path)
	}
	h.anew, h.deep, h.proof = true, true, false
	return h
}

// missedOut remembers a name that is there, but out of reach for now. Of more than
// so many the next comparison takes care.
func (s *session) missedOut(rel string) {
	if len(s.unreached) < source.MaxHints {
		s.unreached[rel] = true
	}
}

// read watches a folder and then lists it: whatever is put into it from the
// first step on is announced, and what was there before the second is in the
// list. The folder was last seen as id; if it turns out to be another, the watch
// may be on either, and both steps are taken again.
func (s *session) read(f *folder, id disk.Ident, h how) (disk.Listing, error) {
	const attempts = 3
	anew := h.anew
	for attempt := 1; ; attempt++ {
		if s.folders != nil {
			if err := s.folders.Arm(f.path, id, anew); err != nil {
				return disk.Listing{}, err
			}
		}
		l, err := disk.ListFolder(s.root.Abs(f.path), func(name string, dir bool) disk.Want { return s.wants(f, name, dir, h.each && !anew) })
		if err != nil {
			return disk.Listing{}, err
		}
		f.id = l.ID
		if l.ID == id {
			return l, nil
		}
		if attempt == attempts {
			s.hints.Add(f.path, source.Subtree)
			return l, nil
		}
		id, anew = l.ID, true
	}
}

// wants says what to find out about a name. With each, the folders that are known
// will tell themselves what they are.
func (s *session) wants(f *folder, name string, dir, each bool) disk.Want {
	known := false
	if dir {
		_, known = f.sub(name)
	} else {
		_, known = f.find(name)
	}
	switch {
	case known && dir && each:
		return disk.KeepName
	case known || !s.opts.Ignore(f.join(name), dir):
		return disk.StatName
	}
	return disk.SkipName
}

// enter visits a folder that may be new. One that is new, or not the folder that
// was known by this name, is read to its leaves with watches of its own.
func (s *session) enter(ctx context.Context, f *folder, name string, id disk.Ident, h how) error {
	i, known := f.sub(name)
	fresh := !known || f.subs[i].id != id || h.anew
	sub := s.snap.grow(f, name)
	if fresh {
		h = s.another(sub, id, h)
	}
	return s.visit(ctx, sub, id, h)
}

// record brings one note up to date. A note that is only in the cloud is known,
// and not reported before it is here: to read it would fetch it.
func (s *session) record(f *folder, name string, st disk.Stamp, now time.Time, h how) {
	if s.doubtful(f, name, h) {
		return
	}
	changed := s.snap.put(f, name, st)
	if changed && h.proof && now.UnixNano()-max(st.MTime, st.CTime) > int64(overdue) {
		s.missed++
	}
	blind := h.name && st.CTime == 0 // a save may put the rest back, as rsync -t does
	if !changed && !h.back && !h.again && !blind && !st.IsFresh(now) && s.revisits.none() || st.IsAway() {
		return // as nearly always in a comparison, which should make no garbage
	}
	rel := f.join(name)
	if changed && s.poller != nil && h.via != ViaStart {
		s.poller.hot.add(rel, max(st.MTime, now.UnixNano()))
	}
	if changed || h.again || blind || h.told && s.revisits.has(rel) || h.back && s.recent.has(rel) {
		s.report(rel, Changed, h.via, st)
	}
	if st.IsFresh(now) || changed && h.via != ViaStart && s.poller != nil && s.poller.remote {
		s.revisits.add(rel, now) // the clock of another machine may be off
	}
}

// doubtful reports whether what was found out about a note may be older than what
// is known: the rounds of a remote poller ask for the hot ones in a surer way.
func (s *session) doubtful(f *folder, name string, h how) bool {
	if s.poller == nil || !s.poller.remote || h.sure || h.again {
		return false
	}
	_, known := f.find(name)
	return known && s.poller.hot.has(f.join(name))
}

// clear forgets the note and the folder known by a name, except for the one that
// is of kind k, and reports the notes that go. It asks first whether the vault
// is still there. A note that has gone to the cloud is still known.
func (s *session) clear(f *folder, name string, k disk.Type, h how) error {
	_, isNote := f.find(name)
	isNote = isNote && k != disk.File
	i, isFolder := f.sub(name)
	isFolder = isFolder && k != disk.Folder
	if !isNote && !isFolder {
		return nil
	}
	if err := s.alive(); err != nil {
		return err
	}
	if isNote && k == disk.Other && s.evicted(f, name) {
		s.snap.put(f, name, evicted)
		isNote = false
	}
	if isNote {
		s.snap.drop(f, name)
		s.report(f.join(name), Removed, h.via, disk.Stamp{})
	}
	if isFolder {
		s.snap.prune(f.subs[i], func(gone *folder) { s.forget(gone, h) })
	}
	return nil
}

// forget ends what depends on a folder that has left the snapshot.
func (s *session) forget(gone *folder, h how) {
	if s.folders != nil {
		s.folders.Disarm(gone.path)
	}
	delete(s.unreadable, gone.path)
	for _, n := range gone.notes {
		s.report(gone.join(n.name), Removed, h.via, disk.Stamp{})
	}
}
