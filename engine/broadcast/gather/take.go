package gather

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"vaultdispatcher/engine/broadcast/material"
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

// takeNote uses a note, or what stands below one of its headings.
func (g *gathering) takeNote(rel, heading string, rank material.Rank) {
	if g.seen[rel] {
		return
	}
	g.seen[rel] = true
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
	n := convertNote(rel, p, rank, len(g.bases[strings.ToLower(filename.TrimExtension(path.Base(rel)))]) == 1)
	if n := stepOf(p); n > 1 {
		g.leaveNote(rel, fmt.Sprintf("it is so long that one in %d of its sections was read", n))
	}
	if heading != "" {
		n.Blocks = keepBelow(n.Blocks, heading)
	}
	g.set.Notes = append(g.set.Notes, n)
}

// keepBelow are the blocks below a heading, with those below the headings in it.
func keepBelow(blocks []material.Block, heading string) []material.Block {
	return slices.DeleteFunc(slices.Clone(blocks), func(b material.Block) bool {
		return !slices.ContainsFunc(slices.Concat(b.Path, b.Anchor), func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), heading) })
	})
}

func (g *gathering) leaveNote(name, why string) {
	g.set.Left = append(g.set.Left, material.Left{Rel: name, Why: why})
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

// titleOf is what the set is about.
func (g *gathering) titleOf(r Request) string {
	switch s := r.Order.Sources; {
	case len(s) > 0 && s[0].Tag != "":
		return s[0].Tag
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
