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
func (c *comparer) lookAtPath(ctx context.Context, rel string, m manner) error {
	if rel == "" {
		if m.scope == scopeRenewed {
			c.absent = true
			return errGone
		}
		return c.visitFolder(ctx, c.snap.folders[""], c.id, m)
	}
	if c.folding {
		spelled, odd := c.spellPath(rel)
		if odd != nil {
			if err := c.visitFolder(ctx, odd, odd.id, m.forNames()); err != nil {
				return err
			}
			spelled, _ = c.spellPath(rel)
		}
		rel = spelled
	}
	if note, ok := evictedNote(rel); ok {
		rel = note
	}
	rel = c.cutToKnown(rel)
	noFile, noFolder := c.opts.Ignore(rel, false), c.opts.Ignore(rel, true)
	if noFile && noFolder {
		return nil
	}
	e, err := disk.Inspect(c.root.Abs(rel))
	if err != nil && !disk.IsAbsent(err) {
		c.rememberUnreached(rel)
		return nil
	}
	if err != nil || e.Type == disk.File && noFile || e.Type == disk.Folder && noFolder {
		e.Type = disk.Other
	}
	dir, name := splitPath(rel)
	f := c.snap.folders[dir]
	if err := c.clearName(f, name, e.Type, m); err != nil {
		return err
	}
	switch e.Type {
	case disk.Folder:
		if m.basis == basisRepeat {
			m.basis = basisPoll // a note in it that was read too early has a revisit of its own
		}
		return c.enterFolder(ctx, f, name, e.ID, m)
	case disk.File:
		if m.basis == basisHint {
			m.basis = basisNamed
		}
		c.recordNote(f, strings.Clone(name), e.Stamp, time.Now(), m.forEntry(e))
	}
	return nil
}

// cutToKnown cuts a path off behind its first component that the snapshot does not
// know as a folder: that is where to look first, the rest follows from it.
func (c *comparer) cutToKnown(rel string) string {
	for at := 0; ; {
		i := strings.IndexByte(rel[at:], '/')
		if i < 0 {
			return rel
		}
		at += i
		if c.snap.folders[rel[:at]] == nil {
			return rel[:at]
		}
		at++
	}
}

// visitFolder compares one folder, last seen as id, with the disk.
func (c *comparer) visitFolder(ctx context.Context, f *folder, id disk.Ident, m manner) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.restatFolder(f, id, m) {
		if m.scope < scopeTree {
			return nil
		}
		return c.visitSubfolders(ctx, f, m, nil)
	}
	l, err := c.readFolder(f, id, m)
	switch {
	case err != nil && f.path == "":
		return fmt.Errorf("%w: %w", errGone, err)
	case err != nil && disk.IsAbsent(err):
		dir, name := splitPath(f.path)
		return c.clearName(c.snap.folders[dir], name, disk.Other, m)
	case err != nil:
		if !c.unreadable[f.path] {
			c.unreadable[f.path] = true
			c.opts.Log.Warn("a folder cannot be read, keeping what is known of it", "root", c.root.Path, "folder", f.path, "err", err)
		}
		return nil
	}
	if c.unreadable[f.path] {
		delete(c.unreadable, f.path)
		m.scope = max(m.scope, scopeTree) // the folders below it could not be looked at either
	}
	if l.ID != id {
		c.checkDevice(f, l.ID)
		m = m.forNewFolder()
	}
	return c.compareFolder(ctx, f, l, m)
}

// restatFolder brings the notes of a folder up to date without listing it, where that
// will do, and reports whether it did.
func (c *comparer) restatFolder(f *folder, id disk.Ident, m manner) bool {
	if !m.usesTurns() || m.lists || c.unreadable[f.path] || c.revisits.isWaiting(f.path) {
		return false
	}
	if c.folders != nil {
		if err := c.folders.Arm(f.path, id, false); err != nil {
			return false // the listing says what became of it
		}
	}
	now := time.Now()
	return f.restatNotes(c.root, id, func(i int, e disk.Entry) {
		if m.basis == basisReturn || e.Stamp.Mark() != f.notes[i].mark || e.Stamp.IsFresh(now) || !c.revisits.isEmpty() {
			c.recordNote(f, f.notes[i].name, e.Stamp, now, m.forEntry(e))
		}
	})
}

// checkDevice looks for a file system of its own where a folder is not the one that was
// known by its name.
func (c *comparer) checkDevice(f *folder, id disk.Ident) {
	dir, _ := splitPath(f.path)
	if above := c.snap.folders[dir]; above != f && above != nil && above.id.Dev != id.Dev {
		c.crossed(f.path)
	}
}

// rememberUnreached remembers a name that is there, but out of reach for now. Of more than
// so many the next comparison takes care.
func (c *comparer) rememberUnreached(rel string) {
	if len(c.unreached) < source.MaxHints {
		c.unreached[rel] = true
	}
}

// readFolder watches a folder and then lists it: whatever is put into it from the
// first step on is announced, and what was there before the second is in the
// list. The folder was last seen as id; if it turns out to be another, the watch
// may be on either, and both steps are taken again.
func (c *comparer) readFolder(f *folder, id disk.Ident, m manner) (disk.Listing, error) {
	const attempts = 3
	anew := m.scope == scopeRenewed
	for attempt := 1; ; attempt++ {
		if c.folders != nil {
			if err := c.folders.Arm(f.path, id, anew); err != nil {
				return disk.Listing{}, err
			}
		}
		l, err := disk.ListFolder(c.root.Abs(f.path), func(name string, dir bool) disk.Want { return c.wantOf(f, name, dir, m.usesTurns() && !anew) })
		if err != nil {
			return disk.Listing{}, err
		}
		f.id = l.ID
		if l.ID == id {
			return l, nil
		}
		if attempt == attempts {
			c.hints.Add(f.path, source.Subtree)
			return l, nil
		}
		id, anew = l.ID, true
	}
}

// wantOf says what to find out about a name. With each, the folders that are known
// will tell themselves what they are.
func (c *comparer) wantOf(f *folder, name string, dir, each bool) disk.Want {
	known := false
	if dir {
		_, known = f.findSubfolder(name)
	} else {
		_, known = f.findNote(name)
	}
	switch {
	case known && dir && each:
		return disk.KeepName
	case known || !c.opts.Ignore(f.join(name), dir):
		return disk.StatName
	}
	return disk.SkipName
}

// enterFolder visits a folder that may be new. One that is new, or not the folder that
// was known by this name, is read to its leaves with watches of its own.
func (c *comparer) enterFolder(ctx context.Context, f *folder, name string, id disk.Ident, m manner) error {
	i, known := f.findSubfolder(name)
	fresh := !known || f.subs[i].id != id || m.scope == scopeRenewed
	sub := c.snap.addFolder(f, name)
	if fresh {
		c.checkDevice(sub, id)
		m = m.forNewFolder()
	}
	return c.visitFolder(ctx, sub, id, m)
}
