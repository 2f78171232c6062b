package gather

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/broadcast/order"
)

// This file takes the notes of a folder.

// placeFolders returns the sources of an order, with the folder of the note that asks where that is meant.
func (g *gathering) placeFolders(r Request) (list []order.Source) {
	for _, s := range r.Order.Sources {
		if s.Folder == order.ThisFolder {
			if r.Note == "" {
				g.leaveNote("“this folder”", "no note asks")
				continue
			}
			if s.Folder = path.Dir(r.Note); s.Folder != order.AllNotes {
				s.Folder = "/" + s.Folder
			}
		}
		list = append(list, s)
	}
	return list
}

// inFolder are the notes of a folder, by its path or the end of one; of one that begins with a slash by its path alone.
func (g *gathering) inFolder(folder string) []string {
	isRooted := strings.HasPrefix(folder, "/")
	folder = "/" + strings.ToLower(strings.Trim(folder, "/")) + "/"
	var list []string
	for _, rel := range g.notes {
		at := strings.Index("/"+strings.ToLower(path.Dir(rel))+"/", folder)
		if folder == "/"+order.AllNotes+"/" || at == 0 || at > 0 && !isRooted {
			list = append(list, rel)
		}
	}
	return list
}

// suggestQuotes says how a folder is named of whose name only the last word was taken. It names none that is
// no source.
func (g *gathering) suggestQuotes(word string) string {
	for _, rel := range g.notes {
		name := path.Base(path.Dir(rel))
		if strings.HasSuffix(strings.ToLower(name), " "+strings.ToLower(word)) && !g.Private(rel) && g.WhyNot(rel) == "" {
			return `a name with spaces needs quotes: "` + name + `/"`
		}
	}
	return ""
}

func (g *gathering) isFolder(name string) bool { return name != "" && len(g.inFolder(name)) > 0 }

func (g *gathering) takeFolder(folder string) {
	list := g.inFolder(folder)
	if len(list) == 0 {
		g.leaveNote(folder+"/", cmp.Or(g.suggestQuotes(folder), "no folder of this name holds notes"))
	}
	isHidden := len(list) > 0
	for _, rel := range g.bestFirst(folder, list) {
		if !g.Private(rel) || g.WhyNot(rel) == "" { // nor is its name told
			g.takeNote(rel, "", material.Named)
			isHidden = false
		}
	}
	if isHidden {
		g.leaveNote(folder+"/", g.WhyNot(list[0]))
	}
}

// bestFirst are the notes of a list that is longer than what is taken: first those that speak of what the folder is
// called, then others from all over it, and then the rest.
func (g *gathering) bestFirst(folder string, list []string) []string {
	if len(list) <= mostNamed {
		return list
	}
	near, _ := g.Neighbours(g.ctx, "", path.Base(folder))
	first := slices.DeleteFunc(near, func(rel string) bool { return !slices.Contains(list, rel) })
	for i := 0; i < len(list); i += len(list)/mostNamed + 1 {
		first = append(first, list[i])
	}
	return append(first, list...) // each is taken once
}
