package places

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vaultdispatcher/engine/patience"
)

// likelyNames are what people call a folder of notes, in lower case.
var likelyNames = []string{"notes", "my notes", "notizen", "obsidian", "obsidian vault", "vault", "my vault", "wiki", "zettelkasten",
	"second brain", "logseq", "foam", "dendron", "journal"}

// mostLooked is how many files are looked at for a first note.
const mostLooked = 1000

// Likely returns the folders in a home, and in its Documents, that are named as folders of notes are and hold a note.
// What a disk does not tell in time is not there.
func Likely(m Machine) []string {
	if m.Home == "" {
		return nil
	}
	found, _ := patience.Await(func() (found []string) {
		parents := []string{m.Home, filepath.Join(m.Home, "Documents")}
		if m.System == "darwin" { // which would ask a person whether this program may read the second one
			parents = parents[:1]
		}
		for _, parent := range parents {
			entries, _ := os.ReadDir(parent) // no folder, nothing in it
			for _, e := range entries {
				path := filepath.Join(parent, e.Name())
				if e.IsDir() && slices.Contains(likelyNames, strings.ToLower(e.Name())) && holdsNote(path) {
					found = append(found, path)
				}
			}
		}
		return found
	})
	return found
}

// holdsNote reports whether one of the first files of a folder is a note.
func holdsNote(folder string) (holds bool) {
	looked := 0
	_ = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error { // what cannot be read holds none
		switch looked++; {
		case looked > mostLooked:
			return fs.SkipAll
		case err != nil:
			return nil
		case d.IsDir() && name != folder && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.IsDir() && strings.EqualFold(filepath.Ext(name), ".md"):
			holds = true
			return fs.SkipAll
		}
		return nil
	})
	return holds
}
