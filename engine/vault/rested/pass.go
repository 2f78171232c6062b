package rested

import (
	"path"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// Pass is the reading of all notes of a vault once, except those that are held. A nil Pass holds and
// keeps no notes.
type Pass struct {
	set    *Set
	root   string
	notes  []Note
	fresh  []reading
	folder string // the last that was asked for
	isOwn  bool   // it is on the file system of the vault's
}

// reading is a note that held nothing, and since when it was read.
type reading struct {
	note  int
	start time.Time
}

// Begin begins a pass over the notes of the vault at root, as they were just seen, in their order.
func (s *Set) Begin(root string, notes []Note) *Pass {
	return &Pass{set: s, root: root, notes: notes}
}

// Holds reports whether a note, by its place in the pass, need not be read.
func (p *Pass) Holds(note int) bool { return p != nil && p.set.Holds(p.notes[note]) }

// Keep remembers a note that held nothing, if it has not changed since it was seen. A link is never
// remembered, nor what is mounted in the vault, for these may be on any file system. It touches the
// disk.
func (p *Pass) Keep(note int, begun time.Time) {
	rel := p.notes[note].Rel
	e, err := disk.Inspect(filepath.Join(p.root, filepath.FromSlash(rel)))
	if err == nil && e.Type == disk.File && !e.Shared && e.Stamp == p.notes[note].Stamp && p.holdsFolder(path.Dir(rel)) {
		p.fresh = append(p.fresh, reading{note, begun})
	}
}

// holdsFolder reports whether a folder is on the file system of the vault's. The notes of a folder follow each other.
func (p *Pass) holdsFolder(folder string) bool {
	if p.folder != folder {
		e, err := disk.Inspect(filepath.Join(p.root, filepath.FromSlash(folder)))
		root, failed := disk.Inspect(p.root)
		p.folder, p.isOwn = folder, err == nil && failed == nil && e.ID.Dev == root.ID.Dev
	}
	return p.isOwn
}

// Stamps are those of the notes of the pass; nil where they are not to be relied on.
func (p *Pass) Stamps() []disk.Stamp {
	if p == nil {
		return nil
	}
	stamps := make([]disk.Stamp, len(p.notes))
	for i, n := range p.notes {
		stamps[i] = n.Stamp
	}
	return stamps
}

// End saves what is remembered now that all notes were read. standing asks what the journal
// remembers by now of the lines of the notes that are new to the set.
func (p *Pass) End(standing func(fresh []string) (map[string]uint64, error)) error {
	if p == nil {
		return nil
	}
	if len(p.fresh) > 0 {
		names := make([]string, len(p.fresh))
		for i, r := range p.fresh {
			names[i] = p.notes[r.note].Rel
		}
		sums, err := standing(names)
		if err != nil {
			return err
		}
		for _, r := range p.fresh {
			n := p.notes[r.note]
			n.Standing = sums[n.Rel]
			p.set.Keep(n, r.start)
		}
	}
	return p.set.Save()
}
