// Package apps has the files and marks of note apps and their plugins, with their meaning. Each app has a file here
// with its row, which adds itself to the list below; all rooms ask this package. The package is pure.
//
//	for _, s := range apps.Settings() { ... } // files of settings that name templates
//	why := apps.WhyBin("vx_recycle_bin")      // the kind of a folder without notes
//
// # Promises
//
// Every row links its source. A place that counts only beside another file of its app is no more than a candidate
// ([Kept]): the disk decides.
package apps

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// App is what a note app, or a plugin of one, means. An empty field means nothing.
type App struct {
	Settings     []Setting // its files of settings that name templates
	Places       []Place   // where nothing is a note
	Daily        *Daily    // its settings of daily notes
	Acts         []Act     // forms of text that it obeys, and an answer must not have
	BlockKeys    []string  // keys of properties, as in "key:: value", that make a block of an outline a template
	Tags         []string  // tags in the properties, and those below them, that make a note a template
	Placeholders []string  // expressions for what is filled in when a note is made from a template
}

// all are the rows, in the order of the names of their files.
var all []App

// add adds a row to the list.
func add(a App) App {
	all = append(all, a)
	return a
}

// Setting is a file of settings, in JSON, that names templates.
type Setting struct {
	File    string   // its path in the vault
	Folders []string // keys, at any depth, whose texts are folders of templates; "key/sub" is the folder sub in that of key
	Notes   []string // keys, at any depth, whose texts are templates themselves, with .md or without
}

// Settings are the files that name templates.
var Settings = sync.OnceValue(func() (list []Setting) {
	for _, a := range all {
		list = append(list, a.Settings...)
	}
	return list
})

// Place is a folder without notes, or a file that is not a note.
type Place struct {
	Path        string   // the folder: the end of its path, in lower case
	Item        string   // or an expression for the names of files
	Companions  []string // names; a file with one of them has to be beside it; empty = the folder's name is enough
	Description string   // the kind of the folder, behind "the folder X is", or the owner of the file
}

// bins are the folders whose name says enough, by their names in lower case.
var bins = sync.OnceValue(func() map[string]string {
	names := make(map[string]string)
	for _, p := range places() {
		if len(p.Companions) == 0 {
			names[p.Path] = p.Description
		}
	}
	return names
})

func places() (list []Place) {
	for _, a := range all {
		list = append(list, a.Places...)
	}
	return list
}

// WhyBin returns the kind of a folder that holds no notes, by its name, or "". The text fits behind "the folder X
// is".
func WhyBin(folder string) string { return bins()[strings.ToLower(folder)] }

// IsInBin reports whether a path of a vault has a folder that holds no notes, by its name.
func IsInBin(rel string) bool {
	for folder := range strings.SplitSeq(path.Dir(rel), "/") {
		if WhyBin(folder) != "" {
			return true
		}
	}
	return false
}

// candidates are the places that need something beside them.
var candidates = sync.OnceValue(func() (list []candidate) {
	for _, p := range places() {
		if len(p.Companions) > 0 {
			list = append(list, candidate{p, strings.Split(p.Path, "/"), regexp.MustCompile(p.Item)})
		}
	}
	return list
})

type candidate struct {
	Place
	parts []string
	item  *regexp.Regexp
}

// Candidate is a place that a path is in, or is, if a companion is beside it.
type Candidate struct {
	Place
	Folder string // the path of the place, where that is a folder
	Parent string // the folder that has to have one of Beside in it, "" for the top of the vault
}

// Kept returns the places that a path of a vault may lie in, or be, as the disk says.
func Kept(rel string) (found []Candidate) {
	var parts []string
	for _, c := range candidates() {
		if c.Path == "" {
			if dir, name := path.Split(rel); c.item.MatchString(name) {
				found = append(found, Candidate{Place: c.Place, Parent: path.Clean("./" + dir)})
			}
			continue
		}
		if parts == nil {
			parts = strings.Split(rel, "/")
		}
		for i := 0; i+len(c.parts) <= len(parts); i++ {
			if end := i + len(c.parts); slices.EqualFunc(parts[i:end], c.parts, strings.EqualFold) {
				found = append(found, Candidate{c.Place, path.Join(parts[:end]...), path.Clean("./" + path.Join(parts[:i]...))})
			}
		}
	}
	return found
}

// Daily is where an app says which note is that of a day.
type Daily struct {
	File   string                          // its file of settings
	Plugin string                          // the id that Obsidian's list of plugins has while it is on; "" = it is a part of the app
	Read   func(text []byte) (Days, error) // what the file says
}

// Days are settings of the notes of days.
type Days struct {
	Enabled        bool
	Folder, Format string // the format as Obsidian writes one
}

// Dailies are the settings of daily notes, the one that counts before others first.
func Dailies() (list []Daily) {
	for _, a := range all {
		if a.Daily != nil {
			list = append(list, *a.Daily)
		}
	}
	slices.SortStableFunc(list, func(a, b Daily) int { return strings.Compare(b.Plugin, a.Plugin) })
	return list
}
