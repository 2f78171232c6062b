package watch

import (
	"strings"

	"vaultdispatcher/engine/watch/disk"
)

// spellPath returns a path in the spelling by which its parts are known, and the first folder with a differently
// spelled part, or nil. A source may report a name as it was typed, or decomposed; two entries for one note would
// have it answered twice.
func (c *comparer) spellPath(rel string) (spelled string, odd *folder) {
	f := c.snap.folders[""]
	parts := strings.Split(rel, "/")
	for i, part := range parts {
		if f == nil {
			break
		}
		if name := f.knownName(part); name != part {
			parts[i] = name
			if odd == nil {
				odd = f
			}
		}
		f = c.snap.folders[f.join(parts[i])]
	}
	return strings.Join(parts, "/"), odd
}

// knownName returns the name in the folder that means the same file as name, or name itself.
func (f *folder) knownName(name string) string {
	if _, ok := f.findNote(name); ok {
		return name
	}
	if _, ok := f.findSubfolder(name); ok {
		return name
	}
	for _, n := range f.notes {
		if disk.SameName(n.name, name) {
			return n.name
		}
	}
	for _, sub := range f.subs {
		if _, its := splitPath(sub.path); disk.SameName(its, name) {
			return its
		}
	}
	return name
}
