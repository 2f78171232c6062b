package gather

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/broadcast/order"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/recall/page"
)

// This file takes the text of a note, once it is said which.

// readPage is a page, read once.
func (g *gathering) readPage(rel string) (*page.Page, error) {
	if p := g.pages[rel]; p != nil {
		return p, nil
	}
	p, err := g.Page(g.ctx, rel)
	if err == nil {
		g.pages[rel] = p
	}
	return p, err
}

// takeNote uses a note, or the section below one of its headings.
func (g *gathering) takeNote(rel, heading string, rank material.Rank) {
	if g.visited[rel] {
		if rank == material.Named {
			g.widenNote(rel, heading)
		}
		return
	}
	g.visited[rel] = true
	if why := g.WhyNot(rel); why != "" {
		g.leaveNote(rel, why)
		return
	}
	if len(g.set.Notes) >= mostNamed+mostLinked+mostRelated || rank == material.Named && len(g.set.Notes) >= mostNamed {
		g.leaveNote(rel, fmt.Sprintf("more than %d notes were named", mostNamed))
		return
	}
	p, err := g.readPage(rel)
	if err != nil {
		g.leaveNote(rel, "it cannot be read now")
		return
	}
	n := g.convert(rel, p, rank)
	if heading != "" {
		if n.Blocks = keepBelow(n.Blocks, heading); len(n.Blocks) == 0 {
			g.visited[rel] = false
			g.leaveNote(rel+"#"+heading, noHeading)
			return
		}
		g.heads[rel] = []string{heading}
	}
	if n := stepOf(p); n > 1 {
		g.leaveNote(rel, fmt.Sprintf("it is so long that one in %d of its sections was read", n))
	}
	g.set.Notes = append(g.set.Notes, n)
}

// suggestNote names the only note whose name differs in one letter from name, and returns "" without one or with
// several. It suggests no private note.
func (g *gathering) suggestNote(name string) string {
	wanted, found := []rune(strings.ToLower(path.Base(filename.TrimExtension(name)))), ""
	for base, list := range g.bases {
		if !isOneOff(wanted, []rune(base)) || g.Private(list[0]) || g.WhyNot(list[0]) != "" {
			continue
		}
		if found != "" {
			return ""
		}
		found = filename.TrimExtension(path.Base(list[0]))
	}
	if found == "" {
		return ""
	}
	return "; did you mean [[" + found + "]]?"
}

// isOneOff reports whether two names differ in one letter that is another, missing or too many.
func isOneOff(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b) < 4 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return slices.Equal(a[min(len(a), i+1-len(b)+len(a)):], b[min(len(b), i+1):]) && (len(a) < len(b) || i < len(a))
}

const noHeading = "the note has no text below such a heading"

func (g *gathering) convert(rel string, p *page.Page, rank material.Rank) material.Note {
	return convertNote(rel, p, rank, len(g.bases[strings.ToLower(filename.TrimExtension(path.Base(rel)))]) == 1)
}

// widenNote takes one more section of a note that is a source already, or with no heading all of it.
func (g *gathering) widenNote(rel, heading string) {
	i := slices.IndexFunc(g.set.Notes, func(n material.Note) bool { return n.Rel == rel })
	if i < 0 || len(g.heads[rel]) == 0 {
		return
	}
	all := g.convert(rel, g.pages[rel], material.Named).Blocks
	switch {
	case heading == "":
		g.heads[rel], g.set.Notes[i].Blocks = nil, all
	case len(keepBelow(all, heading)) == 0:
		g.leaveNote(rel+"#"+heading, noHeading)
	default:
		g.heads[rel] = append(g.heads[rel], heading)
		g.set.Notes[i].Blocks = keepBelow(all, g.heads[rel]...)
	}
}

// keepBelow are the blocks below a heading, with those below the headings in it.
func keepBelow(blocks []material.Block, headings ...string) []material.Block {
	return slices.DeleteFunc(slices.Clone(blocks), func(b material.Block) bool {
		return !slices.ContainsFunc(slices.Concat(b.Path, b.Anchor), func(h string) bool {
			return slices.ContainsFunc(headings, func(heading string) bool { return strings.EqualFold(strings.TrimSpace(h), heading) })
		})
	})
}

func (g *gathering) leaveNote(name, why string) {
	g.set.Omitted = append(g.set.Omitted, material.Left{Rel: name, Reason: why})
}

// countLinks counts how often the notes of the set link to one another.
func (g *gathering) countLinks() {
	at := make(map[string]int)
	for i, n := range g.set.Notes {
		at[n.Rel] = i
	}
	for _, n := range g.set.Notes {
		for _, ref := range g.pages[n.Rel].References {
			if i, there := at[g.resolveLink(n.Rel, ref.Path)]; there && g.set.Notes[i].Rel != n.Rel {
				g.set.Notes[i].Links++
			}
		}
	}
}

// nameAll is what the order names, so that another order of the same title is told from it; "" for nothing.
func nameAll(sources []order.Source) string {
	var names []string
	for _, s := range sources {
		switch {
		case s.Tag != "":
			names = append(names, "#"+s.Tag)
		case s.Folder != "":
			names = append(names, s.Folder+"/")
		default:
			names = append(names, strings.TrimSuffix(s.Note+"#"+s.Heading, "#"))
		}
	}
	return strings.Join(names, ", ")
}

// titleOf is what the set is about.
func (g *gathering) titleOf(r Request) string {
	switch s := r.Order.Sources; {
	case len(s) > 0 && s[0].Tag != "":
		return s[0].Tag
	case len(s) > 0 && s[0].Folder == order.AllNotes:
		return "All notes"
	case len(s) > 0 && s[0].Folder != "":
		return path.Base(s[0].Folder)
	case len(s) > 0 && s[0].Heading != "":
		return s[0].Heading
	case len(s) == 0 && r.Order.Topic != "" && len(g.set.Notes) > 0 && g.set.Notes[0].Rel != r.Note:
		return r.Order.Topic
	case len(g.set.Notes) > 0:
		return g.set.Notes[0].Title
	}
	return filename.TrimExtension(path.Base(r.Note))
}
