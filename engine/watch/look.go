package watch

import (
	"context"
	"fmt"
	"strings"
	"time"

	"vaultdispatcher/engine/watch/disk"
	"vaultdispatcher/engine/watch/source"
)

// lookAtPath brings the snapshot up to date at one path and reports what differs. It
// fails only when the session must end.
func (s *session) lookAtPath(ctx context.Context, rel string, m manner) error {
	s.answers.noteAnswer()
	if rel == "" {
		if m.scope == scopeRenewed {
			s.lost = true
			return errGone
		}
		return s.visitFolder(ctx, s.snap.folders[""], s.id, m)
	}
	if s.folding {
		spelled, odd := s.spellPath(rel)
		if odd != nil {
			if err := s.visitFolder(ctx, odd, odd.id, m.forNames()); err != nil {
				return err
			}
			spelled, _ = s.spellPath(rel)
		}
		rel = spelled
	}
	if note, ok := evictedNote(rel); ok {
		rel = note
	}
	rel = s.cutToKnown(rel)
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
	dir, name := splitPath(rel)
	f := s.snap.folders[dir]
	if err := s.clearName(f, name, e.Type, m); err != nil {
		return err
	}
	switch e.Type {
	case disk.Folder:
		if m.basis == basisRepeat {
			m.basis = basisPoll // a note in it that was read too early has a revisit of its own
		}
		return s.enterFolder(ctx, f, name, e.ID, m)
	case disk.File:
		if m.basis == basisHint {
			m.basis = basisNamed
		}
		s.recordNote(f, strings.Clone(name), e.Stamp, time.Now(), m.forEntry(e))
	}
	return nil
}

// cutToKnown cuts a path off behind its first component that the snapshot does not
// know as a folder: that is where to look first, the rest follows from it.
func (s *session) cutToKnown(rel string) string {
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

// visitFolder compares one folder, last seen as id, with the disk.
func (s *session) visitFolder(ctx context.Context, f *folder, id disk.Ident, m manner) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.answers.noteAnswer()
	if s.restatFolder(f, id, m) {
		if m.scope < scopeTree {
			return nil
		}
		return s.visitSubfolders(ctx, f, m, nil)
	}
	l, err := s.readFolder(f, id, m)
	switch {
	case err != nil && f.path == "":
		return fmt.Errorf("%w: %w", errGone, err)
	case err != nil && disk.IsAbsent(err):
		dir, name := splitPath(f.path)
		return s.clearName(s.snap.folders[dir], name, disk.Other, m)
	case err != nil:
		if !s.unreadable[f.path] {
			s.unreadable[f.path] = true
			s.opts.Log.Warn("a folder cannot be read, keeping what is known of it", "root", s.root.Path, "folder", f.path, "err", err)
		}
		return nil
	}
	if s.unreadable[f.path] {
		delete(s.unreadable, f.path)
		m.scope = max(m.scope, scopeTree) // what was below it could not be looked at either
	}
	if l.ID != id {
		s.checkDevice(f, l.ID)
		m = m.forNewFolder()
	}
	return s.compareFolder(ctx, f, l, m)
}

// restatFolder brings the notes of a folder up to date without listing it, where that
// will do, and reports whether it did.
func (s *session) restatFolder(f *folder, id disk.Ident, m manner) bool {
	if !m.usesTurns() || m.lists || s.unreadable[f.path] || s.revisits.isWaiting(f.path) {
		return false
	}
	if s.folders != nil {
		if err := s.folders.Arm(f.path, id, false); err != nil {
			return false // the listing says what became of it
		}
	}
	now := time.Now()
	return f.restatNotes(s.root, id, func(i int, e disk.Entry) {
		if m.basis == basisReturn || e.Stamp.Mark() != f.notes[i].mark || e.Stamp.IsFresh(now) || !s.revisits.isEmpty() {
			s.recordNote(f, f.notes[i].name, e.Stamp, now, m.forEntry(e))
		}
	})
}

// checkDevice looks for a file system of its own where a folder is not the one that was
// known by its name.
func (s *session) checkDevice(f *folder, id disk.Ident) {
	dir, _ := splitPath(f.path)
	if above := s.snap.folders[dir]; above != f && above != nil && above.id.Dev != id.Dev {
		s.crossDevice(f.path)
	}
}

// missedOut remembers a name that is there, but out of reach for now. Of more than
// so many the next comparison takes care.
func (s *session) missedOut(rel string) {
	if len(s.unreached) < source.MaxHints {
		s.unreached[rel] = true
	}
}

// readFolder watches a folder and then lists it: whatever is put into it from the
// first step on is announced, and what was there before the second is in the
// list. The folder was last seen as id; if it turns out to be another, the watch
// may be on either, and both steps are taken again.
func (s *session) readFolder(f *folder, id disk.Ident, m manner) (disk.Listing, error) {
	const attempts = 3
	anew := m.scope == scopeRenewed
	for attempt := 1; ; attempt++ {
		if s.folders != nil {
			if err := s.folders.Arm(f.path, id, anew); err != nil {
				return disk.Listing{}, err
			}
		}
		l, err := disk.ListFolder(s.root.Abs(f.path), func(name string, dir bool) disk.Want { return s.wantOf(f, name, dir, m.usesTurns() && !anew) })
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

// wantOf says what to find out about a name. With each, the folders that are known
// will tell themselves what they are.
func (s *session) wantOf(f *folder, name string, dir, each bool) disk.Want {
	known := false
	if dir {
		_, known = f.findSubfolder(name)
	} else {
		_, known = f.findNote(name)
	}
	switch {
	case known && dir && each:
		return disk.KeepName
	case known || !s.opts.Ignore(f.join(name), dir):
		return disk.StatName
	}
	return disk.SkipName
}

// enterFolder visits a folder that may be new. One that is new, or not the folder that
// was known by this name, is read to its leaves with watches of its own.
func (s *session) enterFolder(ctx context.Context, f *folder, name string, id disk.Ident, m manner) error {
	i, known := f.findSubfolder(name)
	fresh := !known || f.subs[i].id != id || m.scope == scopeRenewed
	sub := s.snap.addFolder(f, name)
	if fresh {
		s.checkDevice(sub, id)
		m = m.forNewFolder()
	}
	return s.visitFolder(ctx, sub, id, m)
}

// recordNote brings one note up to date. A note that is only in the cloud is known,
// and not reported before it is here: to read it would fetch it.
func (s *session) recordNote(f *folder, name string, st disk.Stamp, now time.Time, m manner) {
	if s.mayBeStale(f, name, m) {
		return
	}
	changed := s.snap.putNote(f, name, st)
	if changed && m.basis == basisCheck && now.UnixNano()-max(st.MTime, st.CTime) > int64(overdue) {
		s.missed++
	}
	blind := m.basis == basisNamed && st.CTime == 0 // a save may put the rest back, as rsync -t does
	if !changed && m.basis != basisReturn && m.basis != basisRepeat && !blind && !st.IsFresh(now) && s.revisits.isEmpty() || st.IsAway() {
		return // as nearly always in a comparison, which should make no garbage
	}
	rel := f.join(name)
	if changed && s.poller != nil && m.via != ViaStart {
		s.poller.hot.addNote(rel, max(st.MTime, now.UnixNano()))
	}
	if changed || m.basis == basisRepeat || blind || m.isHinted() && s.revisits.isWaiting(rel) || m.basis == basisReturn && s.recent.wasReported(rel) {
		s.reportNote(rel, Changed, m.via, st)
	}
	if st.IsFresh(now) || changed && m.via != ViaStart && s.poller != nil && s.poller.remote {
		s.revisits.addPath(rel, now) // the clock of another machine may be off
	}
}

// mayBeStale reports whether what was found out about a note may be older than what
// is known: the rounds of a remote poller ask for the hot ones in a surer way.
func (s *session) mayBeStale(f *folder, name string, m manner) bool {
	if s.poller == nil || !s.poller.remote || m.basis == basisOpened || m.basis == basisRepeat {
		return false
	}
	_, known := f.findNote(name)
	return known && s.poller.hot.isHot(f.join(name))
}

// clearName forgets the note and the folder known by a name, except for the one that
// is of kind k, and reports the notes that go. It asks first whether the vault
// is still there. A note that has gone to the cloud is still known.
func (s *session) clearName(f *folder, name string, k disk.Type, m manner) error {
	_, isNote := f.findNote(name)
	isNote = isNote && k != disk.File
	i, isFolder := f.findSubfolder(name)
	isFolder = isFolder && k != disk.Folder
	if !isNote && !isFolder {
		return nil
	}
	if err := s.checkRoot(); err != nil {
		return err
	}
	if isNote && k == disk.Other && s.hasPlaceholder(f, name) {
		s.snap.putNote(f, name, evicted)
		isNote = false
	}
	if isNote {
		s.snap.dropNote(f, name)
		s.reportNote(f.join(name), Removed, m.via, disk.Stamp{})
	}
	if isFolder {
		s.snap.removeFolder(f.subs[i], func(gone *folder) { s.forgetFolder(gone, m) })
	}
	return nil
}

// forgetFolder ends what depends on a folder that has left the snapshot.
func (s *session) forgetFolder(gone *folder, m manner) {
	if s.folders != nil {
		s.folders.Disarm(gone.path)
	}
	delete(s.unreadable, gone.path)
	for _, n := range gone.notes {
		s.reportNote(gone.join(n.name), Removed, m.via, disk.Stamp{})
	}
}
