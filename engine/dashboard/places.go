package dashboard

import (
	"html/template"
	"os"
	"path/filepath"
	"slices"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/patience"
)

// noteName names a note by its vault and its path there, with slashes.
type noteName struct{ vault, file string }

// noteLocation are where a note is.
type noteLocation struct {
	Path string       // on this machine; empty where its vault is not configured now
	Open template.URL // the note in Obsidian, where its vault is one of Obsidian's
	Gone bool         // no file is there

	root api.Root
}

// placesOf returns where notes are, in their order. On a disk that does not respond
// they are not looked for; a look that hangs is left behind, since a system call
// cannot be ended.
func (d *Dashboard) placesOf(notes ...noteName) []noteLocation {
	places := make([]noteLocation, len(notes))
	roots := d.backend.Roots()
	for i, n := range notes {
		at := slices.IndexFunc(roots, func(r api.Root) bool { return r.Name == n.vault })
		if file := filepath.FromSlash(n.file); at >= 0 && filepath.IsLocal(file) {
			places[i] = noteLocation{Path: filepath.Join(roots[at].Path, file), root: roots[at]}
		}
	}
	found, responds := patience.Await(func() []noteLocation {
		looked := slices.Clone(places)
		for i := range looked {
			looked[i].look()
		}
		return looked
	})
	if !responds {
		return places
	}
	return found
}

// look asks the disk whether the note is there and who can open it.
func (w *noteLocation) look() {
	if w.Path == "" || w.root.Silent != "" {
		return
	}
	if _, err := os.Lstat(w.Path); err != nil {
		w.Gone = true
		return
	}
	w.Open = template.URL(client.ObsidianLink(w.root.Path, w.Path))
}
