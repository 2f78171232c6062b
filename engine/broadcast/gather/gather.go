// Package gather finds what something is made of: the notes that an order names, those that
// these link to, and what the vault says elsewhere.
//
//	set, err := gather.Collect(ctx, library, gather.Request{Order: o, Note: "Today.md"})
//
// # Promises
//
// It reads notes through its [Library] and touches nothing else. A note that the library does not
// list, or that it gives a reason against, is never read; it is named with its reason where the
// order named it. What no one named is only taken where it is not private. Every other note that was
// found and not used is in [material.Set.Omitted].
package gather

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/broadcast/order"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/recall/terms"
)

// Library is the vault, as far as it may be read.
type Library struct {
	Notes      func(ctx context.Context) ([]string, error)                   // all that may be used
	Page       func(ctx context.Context, rel string) (*page.Page, error)     // one of them
	Neighbours func(ctx context.Context, rel, text string) ([]string, error) // notes that speak of the same, the best first
	Matches    func(ctx context.Context, subject string) ([]Place, error)    // places about a subject, the best first
	WhyNot     func(rel string) string                                       // why a note must not be used, or nothing
	Private    func(rel string) bool                                         // not to be taken unasked
}

// Place is a note, or the section below one of its headings. With Says, only the text that it accepts counts, and no
// property.
type Place struct {
	Rel, Heading string
	Says         func(text string) bool
}

// Request is what is asked for, and where.
type Request struct {
	Order  order.Order
	Note   string // the note that asks
	Around string // the lines around the question
}

// How many notes are used at most, by how they were found.
const (
	mostNamed   = 60
	mostLinked  = 12
	mostRelated = 5
)

// gathering is one request at work.
type gathering struct {
	Library
	ctx     context.Context
	notes   []string
	bases   map[string][]string // notes by their names in lower case
	visited map[string]bool
	heads   map[string][]string // headings taken, by note; a note taken whole has no entry
	pages   map[string]*page.Page
	set     material.Set
}

// Collect finds the sources of a request. The set may be empty.
func Collect(ctx context.Context, from Library, r Request) (material.Set, error) {
	all, err := from.Notes(ctx)
	if err != nil {
		return material.Set{}, fmt.Errorf("list the notes: %w", err)
	}
	g := &gathering{Library: from, ctx: ctx, notes: all, bases: make(map[string][]string), visited: make(map[string]bool), heads: make(map[string][]string), pages: make(map[string]*page.Page)}
	for _, rel := range all {
		base := strings.ToLower(filename.TrimExtension(path.Base(rel)))
		g.bases[base] = append(g.bases[base], rel)
	}
	r.Order.Sources = g.placeFolders(r)
	g.takeNamed(r)
	switch {
	case len(r.Order.Sources) > 0:
	case r.Order.Topic != "":
		g.takeTopic(r)
	case r.Note != "":
		g.takeNote(r.Note, "", material.Named)
		for _, s := range order.Parse(r.Around).Sources { // links in the section of the question
			g.takeSource(r.Note, s, material.Linked)
		}
	}
	if r.Order.Related && len(g.set.Notes) > 0 {
		g.takeLinked()
		g.takeRelated(r)
	}
	g.countLinks()
	g.set.Title, g.set.Named = g.titleOf(r), nameAll(r.Order.Sources)
	return g.set, ctx.Err()
}

// takeNamed takes what the order names.
func (g *gathering) takeNamed(r Request) {
	for _, s := range r.Order.Sources {
		g.takeSource(r.Note, s, material.Named)
	}
}

func (g *gathering) takeSource(asking string, s order.Source, rank material.Rank) {
	switch {
	case s.Tag != "":
		g.takeTagged(s.Tag)
	case s.Folder != "":
		g.takeFolder(s.Folder)
	default:
		rel := g.resolveLink(asking, s.Note)
		if rel == "" && g.isFolder(s.Note) {
			g.takeFolder(s.Note)
			return
		}
		if rel == "" {
			if rank == material.Named {
				g.leaveNote(s.Note, "no note of this name is there, or it is excluded"+g.suggestNote(s.Note))
			}
			return
		}
		g.takeNote(rel, s.Heading, rank)
	}
}

// resolveLink finds the note that a link means: by its path, by its path beside the asking note,
// by its name; of several the one with the shortest path.
func (g *gathering) resolveLink(asking, name string) string {
	name = strings.Trim(strings.TrimSpace(name), "/")
	want := strings.ToLower(path.Clean(filename.TrimExtension(name)))
	beside := strings.ToLower(path.Join(path.Dir(asking), want))
	best := ""
	for _, rel := range g.bases[path.Base(want)] {
		switch is := strings.ToLower(filename.TrimExtension(rel)); {
		case is == want || is == beside:
			return rel
		case strings.HasSuffix(is, "/"+want) && (best == "" || len(rel) < len(best)):
			best = rel
		}
	}
	return best
}

// takeTopic takes what is about the words of the order.
func (g *gathering) takeTopic(r Request) {
	if list := g.findNames(r.Order.Topic); len(list) > 1 {
		for _, rel := range list {
			g.takeNote(rel, "", material.Named)
		}
		return
	}
	list, err := g.Matches(g.ctx, r.Order.Topic)
	for _, at := range list {
		if at.Rel == r.Note || g.Private(at.Rel) || len(g.set.Notes) >= mostRelated && !g.visited[at.Rel] || at.Says != nil && g.visited[at.Rel] {
			continue
		}
		if g.takeNote(at.Rel, at.Heading, material.Named); at.Says != nil {
			g.keepSaying(at)
		}
	}
	if err == nil && len(g.set.Notes) == 0 {
		g.leaveNote("“"+g.findStrange(r)+"”", "no note is about it")
	}
}

// findStrange returns the words of the order's subject that no note is about, or the whole subject where that is so of each word or
// of none.
func (g *gathering) findStrange(r Request) string {
	var strange []string
	isKnown := false // one of the words
	for _, word := range splitNames(r.Order.Topic) {
		if len(terms.SearchWords(word)) == 0 {
			continue
		}
		list, err := g.Matches(g.ctx, word)
		if err != nil || slices.ContainsFunc(list, func(at Place) bool { return at.Rel != r.Note && !g.Private(at.Rel) }) {
			isKnown = true
			continue
		}
		strange = append(strange, word)
	}
	if !isKnown || len(strange) == 0 {
		return r.Order.Topic
	}
	return strings.Join(strange, " ")
}

// splitNames returns the words of names that stand side by side.
func splitNames(text string) []string {
	return strings.Fields(strings.NewReplacer(",", " ", "、", " ").Replace(text))
}

// findNames are the notes whose names a text is made of; none where it has another word as well.
func (g *gathering) findNames(text string) (list []string) {
	words := splitNames(strings.ToLower(text))
	for len(words) > 0 {
		n, rel := len(words), ""
		for ; n > 0; n-- {
			if found := g.bases[strings.Join(words[:n], " ")]; len(found) > 0 && !g.Private(found[0]) {
				rel = found[0]
				break
			}
		}
		if rel == "" {
			return nil
		}
		list, words = append(list, rel), words[n:]
	}
	return list
}

// keepSaying keeps of the note that was taken last what says it.
func (g *gathering) keepSaying(at Place) {
	n := len(g.set.Notes) - 1
	if n < 0 || g.set.Notes[n].Rel != at.Rel {
		return // it was left out
	}
	note := &g.set.Notes[n]
	note.Properties = nil
	note.Blocks = slices.DeleteFunc(note.Blocks, func(b material.Block) bool { return !at.Says(b.Text) })
}

// takeLinked takes the notes that the one note asked for links to.
func (g *gathering) takeLinked() {
	n := 0
	for _, ref := range g.pages[g.set.Notes[0].Rel].References {
		rel := g.resolveLink(g.set.Notes[0].Rel, ref.Path)
		if rel == "" || g.visited[rel] || g.Private(rel) {
			continue
		}
		if n++; n > mostLinked {
			g.leaveNote(rel, "enough notes were linked")
			continue
		}
		g.takeNote(rel, "", material.Linked)
	}
}

// takeRelated takes notes that speak of the same as the one note asked for.
func (g *gathering) takeRelated(r Request) {
	n := g.set.Notes[0]
	list, err := g.Neighbours(g.ctx, n.Rel, n.Title+"\n"+r.Order.Topic)
	if err != nil {
		return
	}
	taken := 0
	for _, rel := range list {
		if taken < mostRelated && rel != r.Note && !g.Private(rel) && !g.visited[rel] {
			g.takeNote(rel, "", material.Related)
			taken++
		}
	}
}
