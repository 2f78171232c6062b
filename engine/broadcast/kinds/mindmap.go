package kinds

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/wording"
)

// A mind map is made of the headings of the notes, or where there are few, of their nested lists. It is a
// diagram of Mermaid, a list of links, and a canvas whose cards open their sections.

const (
	mostNodes   = 150
	leastNodes  = 3
	mostLabel   = 60 // letters
	mostBranchs = 5  // levels below the middle
)

// node is one topic of a map.
type node struct {
	Label    string
	Note     int      // -1 for the middle of several notes
	Anchor   []string // nil for a note itself, or an item of a list
	IsItem   bool
	Children []*node
}

func makeMindMap(p *plan) bool {
	root := p.drawOutline()
	if root.countNodes() < leastNodes+1 {
		return false
	}
	p.printMap(root)
	return true
}

func (p *plan) printMap(root *node) {
	p.print("```mermaid\nmindmap\n")
	p.drawNode(root, 1)
	p.print("```\n\n## Where it stands\n\n")
	for _, child := range root.Children {
		p.listNode(child, 0)
	}
	p.Files = []File{{".canvas", p.drawCanvas(root)}}
	p.Lead = "Its branches: " + strings.Join(listLabels(root.Children, 8), ", ") + "."
	p.Count = wording.Count(root.countNodes()-1, "topic")
}

var mindMapForm = draft.Form{
	Product: "a mind map", Item: "one topic; a topic comes before those below it", Words: 120,
	Fields: []draft.Field{{Name: "topic", Meaning: "the topic in one to six words"}, {Name: "under", Meaning: "the topic of an earlier item that it belongs to; empty for a main branch", IsOptional: true}},
}

func fillMindMap(p *plan, parts []draft.Part) bool {
	root := &node{Label: p.Title, Note: -1}
	at, depths := make(map[string]*node), make(map[*node]int)
	for _, i := range parts[0].Items[:min(len(parts[0].Items), mostNodes)] {
		s := sentenceOf(i, "topic")
		if asLabel(s.Text) == "" {
			continue
		}
		_, block := p.Place(s)
		n := &node{Label: s.Text, Note: s.Note, Anchor: block.Anchor}
		above := at[strings.ToLower(material.Plain(i.Text["under"]))]
		if above == nil || depths[above] >= mostBranchs {
			above = root
		}
		depths[n] = depths[above] + 1
		above.Children = append(above.Children, n)
		if key := strings.ToLower(s.Text); at[key] == nil {
			at[key] = n
		}
	}
	if root.countNodes() < leastNodes+1 {
		return false
	}
	p.printMap(root)
	return true
}

func (n *node) countNodes() int {
	sum := 1
	for _, c := range n.Children {
		sum += c.countNodes()
	}
	return sum
}

func listLabels(nodes []*node, most int) []string {
	var list []string
	for _, n := range nodes[:min(most, len(nodes))] {
		list = append(list, asHeading(shorten(n.Label)))
	}
	return list
}

// drawOutline is the map: one note with its headings, or several with theirs below them.
func (p *plan) drawOutline() *node {
	var named []int
	for n := range p.Notes {
		if p.Notes[n].Rank <= p.reach {
			named = append(named, n)
		}
	}
	left := mostNodes
	root := &node{Label: p.Title, Note: -1}
	if len(named) == 1 {
		root.Note = named[0]
		root.Children = p.listHeadings(named[0], &left)
		return root
	}
	for _, n := range named {
		if left--; left < 0 {
			break
		}
		root.Children = append(root.Children, &node{Label: p.Notes[n].Title, Note: n})
	}
	for _, c := range root.Children { // every note before the headings of the first
		each := left/max(1, len(root.Children)) + 4
		before := each
		c.Children = p.listHeadings(c.Note, &each)
		left -= before - each
		if left <= 0 {
			break
		}
	}
	return root
}

// listHeadings are the headings of a note as a tree; its list items where it has hardly any heading.
func (p *plan) listHeadings(n int, left *int) []*node {
	root := &node{}
	headings := 0
	at := []*node{root}
	for _, b := range p.Notes[n].Blocks {
		if b.Kind != material.Heading || material.IsPointers(b.Text) || *left <= 0 || asLabel(b.Text) == "" || len(b.Path) > mostBranchs {
			continue
		}
		headings++
		*left--
		for len(at) > len(b.Path) {
			at = at[:len(at)-1]
		}
		parent, child := at[len(at)-1], &node{Label: b.Text, Note: n, Anchor: b.Anchor}
		parent.Children = append(parent.Children, child)
		at = append(at, child)
	}
	if headings >= 2 {
		return root.Children
	}
	return append(root.Children, p.listBranches(n, left)...)
}

// listBranches are the items of a note as a tree, by how far they are indented.
func (p *plan) listBranches(n int, left *int) []*node {
	root := &node{}
	type open struct {
		depth int
		node  *node
	}
	at := []open{{-1, root}}
	isBelow, above := false, 0 // the depth of the last item that is no topic; those below it are none either
	for _, b := range p.Notes[n].Blocks {
		if b.Kind != material.Item || material.IsPointers(b.Heading()) || *left <= 0 || isBelow && b.Depth > above || asLabel(b.Text) == "" {
			continue
		}
		if isBelow, above = !material.IsTopic(material.Plain(b.Text)), b.Depth; isBelow {
			continue
		}
		for len(at) > 1 && at[len(at)-1].depth >= b.Depth {
			at = at[:len(at)-1]
		}
		if len(at) > mostBranchs {
			continue
		}
		*left--
		label, _, _ := strings.Cut(b.Text, "\n") // what is behind it is in the item as well
		parent, child := at[len(at)-1].node, &node{Label: label, Note: n, Anchor: b.Anchor, IsItem: true}
		parent.Children = append(parent.Children, child)
		at = append(at, open{b.Depth, child})
	}
	return withoutAnnouncements(root.Children)
}

// withoutAnnouncements are the topics without those that announce others, with a colon, and have none below them.
func withoutAnnouncements(nodes []*node) []*node {
	return slices.DeleteFunc(nodes, func(n *node) bool {
		n.Children = withoutAnnouncements(n.Children)
		return len(n.Children) == 0 && (strings.HasSuffix(n.Label, ":") || strings.HasSuffix(n.Label, "："))
	})
}

// drawNode prints a node and those below it as Mermaid reads them: a text in quotes may hold
// brackets and signs, and what would link, load or style there is no longer such.
// https://mermaid.js.org/syntax/mindmap.html
func (p *plan) drawNode(n *node, depth int) {
	p.print("%sn%d[\"%s\"]\n", strings.Repeat("  ", depth), p.nextID(), strings.ReplaceAll(n.text(), `"`, "#quot;"))
	for _, c := range n.Children {
		p.drawNode(c, depth+1)
	}
}

// text returns the label of a node. It is never empty, because neither a map nor a canvas takes an empty label.
func (n *node) text() string { return cmp.Or(asLabel(n.Label), "…") }

func (p *plan) nextID() int { p.ids++; return p.ids }

var (
	calls    = lazyregexp.New(`(?i)\b(url|image|src|expression)\s*\(`)
	unlinked = strings.NewReplacer("[[", `\[\[`) // what stood in code
	unsigned = strings.NewReplacer("<", "‹", ">", "›", "&", "+", ";", ",", "`", "", "%%", "%", "$$", "$", "![", "[", "](", "] (", "@", "", "#", "♯", "{", "(", "}", ")", "\\", "/", "\u0000", "")
)

// asLabel is the text of a node: short, on one line, and nothing but text.
func asLabel(text string) string {
	text = strings.Join(strings.Fields(material.Plain(text)), " ")
	for old := ""; old != text; {
		old = text
		text = calls().ReplaceAllString(unsigned.Replace(text), "$1 ")
	}
	return shorten(text)
}

// shorten is a text that a node has room for: its first sentence, up to a word.
func shorten(text string) string {
	if parts := material.Split(text); utf8.RuneCountInString(text) > mostLabel && len(parts) > 0 {
		text = parts[0]
	}
	if runes := []rune(text); len(runes) > mostLabel {
		text = string(runes[:mostLabel-1])
		if at := strings.LastIndexByte(text, ' '); at > mostLabel/2 {
			text = text[:at]
		}
		text = strings.TrimRight(text, " ,.:") + "…"
	}
	return strings.TrimSpace(text)
}

// listNode prints a node as a link, below its parent.
func (p *plan) listNode(n *node, depth int) {
	note := p.Notes[n.Note]
	p.useNote(n.Note)
	text := putInline(unlinked.Replace(asLabel(n.Label)))
	if !n.IsItem {
		text = note.Link(n.Anchor, asLabel(n.Label))
	}
	p.print("%s- %s\n", strings.Repeat("\t", depth), text)
	for _, c := range n.Children {
		p.listNode(c, depth+1)
	}
}
