package watch

import (
	"strings"

	"vaultdispatcher/engine/watch/disk"
)

// iCloud on macOS before 14 evicts a note and leaves a hidden placeholder with its
// name: of n.md there is .n.md.icloud. The note is not removed; it is downloaded when
// a program reads it. Later systems keep the name, and the stamp says so: see
// [disk.Stamp.IsAway].
// https://eclecticlight.co/2023/10/25/macos-sonoma-has-changed-icloud-drive-radically/
const (
	stubBefore = "."
	stubAfter  = ".icloud"
)

// evicted is the stamp of a note that left only its placeholder here.
var evicted = disk.Stamp{Size: ^0}

// isEvicted reports whether a note of the folder, which was not there, has left its placeholder, or is back: a download
// writes the note before the placeholder goes, so one that left neither is asked for once more.
func (c *comparer) isEvicted(f *folder, name string) (left, back bool) {
	left = c.hasFile(f, stubBefore+name+stubAfter)
	return left, !left && c.hasFile(f, name)
}

func (c *comparer) hasFile(f *folder, name string) bool {
	e, err := disk.Inspect(c.root.Abs(f.join(name)))
	return err == nil && e.Type == disk.File
}

// evictedNote returns the path of the note that the placeholder rel represents. ok is false for another name. A
// change of the placeholder is a change of the note.
func evictedNote(rel string) (note string, ok bool) {
	dir, name := splitPath(rel)
	name, before := strings.CutPrefix(name, stubBefore)
	name, after := strings.CutSuffix(name, stubAfter)
	if !before || !after || name == "" {
		return "", false
	}
	if dir != "" {
		name = dir + "/" + name
	}
	return name, true
}
