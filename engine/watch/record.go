package watch

import (
	"time"
	"vaultdispatcher/engine/watch/disk"
)

// recordNote brings one note up to date. A note that is only in the cloud is known,
// and not reported before it is here: to read it would fetch it.
func (c *comparer) recordNote(f *folder, name string, st disk.Stamp, now time.Time, m manner) {
	if c.mayBeStale(f, name, m) {
		return
	}
	before := c.snap.notes
	changed := c.snap.putNote(f, name, st)
	if changed && m.basis == basisCheck && now.UnixNano()-max(st.MTime, st.CTime) > int64(overdue) {
		c.misses++
	}
	blind := m.basis == basisNamed && st.CTime == 0 // a save may put the rest back, as rsync -t does
	isNews := changed || blind || m.basis == basisRepeat
	if !isNews && m.basis != basisReturn && !st.IsFresh(now) && c.revisits.isEmpty() || st.IsAway() {
		return // as nearly always in a comparison, which should make no garbage
	}
	rel := f.join(name)
	isLive := changed && c.poller != nil && m.via != ViaStart
	if isLive {
		c.poller.hot.addNote(rel, max(st.MTime, now.UnixNano()))
	}
	if isNews || m.isHinted() && c.revisits.isWaiting(rel) || m.basis == basisReturn && c.recent.wasReported(rel) {
		c.reportNote(Event{Path: rel, Kind: Changed, Via: m.via, New: c.snap.notes > before && m.via != ViaStart, Stamp: st, Saved: m.basis != basisReturn})
	}
	if st.IsFresh(now) || isLive && c.poller.remote {
		c.revisits.addPath(rel, now) // the clock of another machine may be off
	}
}

// mayBeStale reports whether what was found out about a note may be older than what
// is known: the rounds of a remote poller ask for the hot ones in a surer way.
func (c *comparer) mayBeStale(f *folder, name string, m manner) bool {
	if c.poller == nil || !c.poller.remote || m.basis == basisOpened || m.basis == basisRepeat {
		return false
	}
	_, known := f.findNote(name)
	return known && c.poller.hot.isHot(f.join(name))
}

// clearName forgets the note and the folder known by a name, except for the one that
// is of kind k, and reports the notes that go. It asks first whether the vault
// is still there. A note that has gone to the cloud is still known.
func (c *comparer) clearName(f *folder, name string, k disk.Type, m manner) error {
	_, isNote := f.findNote(name)
	isNote = isNote && k != disk.File
	i, isFolder := f.findSubfolder(name)
	isFolder = isFolder && k != disk.Folder
	if !isNote && !isFolder {
		return nil
	}
	if err := c.checkRoot(); err != nil {
		return err
	}
	if isNote && k == disk.Other {
		left, back := c.isEvicted(f, name)
		if left {
			c.snap.putNote(f, name, evicted)
		}
		isNote = !left && !back
	}
	if isNote {
		c.snap.dropNote(f, name)
		c.reportNote(Event{Path: f.join(name), Kind: Removed, Via: m.via})
	}
	if isFolder {
		c.snap.removeFolder(f.subs[i], func(gone *folder) { c.forgetFolder(gone, m) })
	}
	return nil
}

// forgetFolder ends what depends on a folder that has left the snapshot.
func (c *comparer) forgetFolder(gone *folder, m manner) {
	if c.folders != nil {
		c.folders.Disarm(gone.path)
	}
	delete(c.unreadable, gone.path)
	for _, n := range gone.notes {
		c.reportNote(Event{Path: gone.join(n.name), Kind: Removed, Via: m.via})
	}
}

// reportNote passes an event to the sink, as a save if its times tell so too.
func (c *comparer) reportNote(e Event) {
	now := time.Now()
	if e.Via == ViaStart {
		c.recent.addAllReported(now)
	} else {
		c.recent.addReported(e.Path, now)
		c.mu.Lock()
		c.stats.LastEvent = now
		if e.Via == ViaRescan {
			c.stats.Misses++
		}
		c.mu.Unlock()
	}
	if c.poller != nil {
		c.poller.endRest(now)
	}
	e.Time, e.Saved = now, e.Kind == Removed || e.Saved && e.Stamp.IsSave(now, c.poller.longestPause())
	c.sink(e)
}
