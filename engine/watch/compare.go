package watch

import (
	"context"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// compareFolder applies a listing to the snapshot: first what went, then what is new
// or different, then the folders below.
func (c *comparer) compareFolder(ctx context.Context, f *folder, l disk.Listing, m manner) error {
	now := time.Now()
	f.times, f.plain = l.Times.Digest(), l.Plain
	if l.Times.IsFresh(now) {
		c.revisits.addPath(f.path, now)
	}
	slices.SortFunc(l.Entries, func(a, b disk.Entry) int { return strings.Compare(a.Name, b.Name) })
	if err := c.clearMissing(f, l.Entries, m); err != nil {
		return err
	}
	if len(f.notes) == 0 {
		f.notes = slices.Grow(f.notes, countFiles(l.Entries))
	}
	entered := make(map[string]bool)
	for _, e := range l.Entries {
		if e.Type == disk.File {
			c.recordNote(f, e.Name, e.Stamp, now, m.forEntry(e))
			continue
		}
		if e.Type == disk.Unclear {
			c.rememberUnreached(f.join(e.Name))
			continue
		}
		i, known := f.findSubfolder(e.Name)
		if e.Type != disk.Folder || known && (e.NameOnly || f.subs[i].id == e.ID) {
			continue
		}
		if err := c.enterFolder(ctx, f, e.Name, e.ID, m); err != nil {
			return err
		}
		entered[f.join(e.Name)] = true
	}
	l.Release()
	if m.scope < scopeTree {
		return nil
	}
	return c.visitSubfolders(ctx, f, m, entered)
}

// visitSubfolders visits the folders in f, but those that were entered already.
func (c *comparer) visitSubfolders(ctx context.Context, f *folder, m manner, entered map[string]bool) error {
	for _, sub := range slices.Clone(f.subs) {
		if entered[sub.path] || sub.gone {
			continue
		}
		if err := c.visitFolder(ctx, sub, sub.id, m); err != nil {
			return err
		}
	}
	return nil
}

// clearMissing forgets what a listing no longer holds. Reading a folder while
// names in it are being changed may skip one that was there all the time, so
// each is asked for by its own name before it is given up.
func (c *comparer) clearMissing(f *folder, entries []disk.Entry, m manner) error {
	var names []string
	for _, n := range f.notes {
		if !listsName(entries, n.name, disk.File) {
			names = append(names, n.name)
		}
	}
	for _, sub := range f.subs {
		_, name := splitPath(sub.path)
		if !listsName(entries, name, disk.Folder) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		e, err := disk.Inspect(c.root.Abs(f.join(name)))
		if err != nil && !disk.IsAbsent(err) {
			continue
		}
		if err != nil || !listsName(entries, name, e.Type) && listsRespelled(entries, name) {
			e.Type = disk.Other
		}
		if err := c.clearName(f, name, e.Type, m); err != nil {
			return err
		}
	}
	return nil
}

// listsName reports whether sorted entries have the name as k, or as something that
// may be k.
func listsName(entries []disk.Entry, name string, k disk.Type) bool {
	i, ok := slices.BinarySearchFunc(entries, name, func(e disk.Entry, name string) int {
		return strings.Compare(e.Name, name)
	})
	return ok && (entries[i].Type == k || entries[i].Type == disk.Unclear)
}

// listsRespelled reports whether a name that is not listed is listed in another
// spelling. Where the system takes both for the same name, asking for the old
// one finds the new one.
func listsRespelled(entries []disk.Entry, name string) bool {
	for _, e := range entries {
		if disk.SameName(e.Name, name) {
			return true
		}
	}
	return false
}

func countFiles(entries []disk.Entry) int {
	n := 0
	for _, e := range entries {
		if e.Type == disk.File {
			n++
		}
	}
	return n
}
