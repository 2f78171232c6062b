package shown

import (
	"bytes"
	"encoding/json"
	"html"
	"path"
	"regexp"
	"slices"
	"strings"
)

// card is a node of a canvas (https://jsoncanvas.org/spec/1.0/).
type card struct{ ID, Text, File, Subpath string }

type edge struct{ FromNode, ToNode string }

// Limits of a map. A larger one is not drawn. A map with many cards begins folded below so many levels.
const (
	mostCards   = 400
	mostLevels  = 20
	fewUnfolded = 60 // cards
	unfolded    = 2  // levels
)

// Map returns the canvas of a mind map as lists that fold, or "" for one that cannot be drawn.
func (o Opened) Map() string {
	var c struct {
		Nodes []card
		Edges []edge
	}
	if json.Unmarshal(o.Canvas, &c) != nil || len(c.Nodes) == 0 || len(c.Nodes) > mostCards || len(c.Edges) > mostCards {
		return ""
	}
	m := mindMap{isLarge: len(c.Nodes) > fewUnfolded, children: make(map[string][]string), cards: make(map[string]card)}
	isBelow := make(map[string]bool)
	for _, n := range c.Nodes {
		m.cards[n.ID] = n
	}
	for _, e := range c.Edges {
		m.children[e.FromNode], isBelow[e.ToNode] = append(m.children[e.FromNode], e.ToNode), true
	}
	for _, n := range c.Nodes {
		if !isBelow[n.ID] {
			m.list(n.ID, 0)
		}
	}
	if m.output.Len() == 0 {
		return "" // a cycle
	}
	return "<ul>" + m.output.String() + "</ul>"
}

// mindMap is a map as it is written. A card is written once, below the first that leads to it.
type mindMap struct {
	isLarge  bool
	children map[string][]string
	cards    map[string]card // that are not written yet
	output   strings.Builder
}

// list writes a card and all below it.
func (m *mindMap) list(id string, level int) {
	n, isThere := m.cards[id]
	if !isThere || level == mostLevels {
		return
	}
	delete(m.cards, id)
	label := html.EscapeString(n.label())
	if len(m.children[id]) == 0 {
		m.output.WriteString("<li><span>" + label + "</span></li>")
		return
	}
	open := " open"
	if m.isLarge && level >= unfolded {
		open = ""
	}
	m.output.WriteString("<li><details" + open + "><summary>" + label + "</summary><ul>")
	for _, next := range m.children[id] {
		m.list(next, level+1)
	}
	m.output.WriteString("</ul></details></li>")
}

// label is what a card says: its text, or the heading or note that it shows.
func (n card) label() string {
	if n.File == "" {
		return n.Text
	}
	if _, head, ok := strings.Cut(n.Subpath, "#"); ok {
		return head[strings.LastIndex(head, "#")+1:]
	}
	return strings.TrimSuffix(path.Base(n.File), ".md")
}

// tags are all that the Broadcaster writes into the page of its slides.
var tags = []string{
	"!DOCTYPE html>", "html>", "head>", "title>", "style>", "body>", "section>", "h1>", "h2>", "ul>", "ol>", "li>", "cite>", "footer>",
	`meta charset="utf-8">`, `meta name="viewport" content="width=device-width">`,
	`meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
}

// imports is how a style loads another; CSS may write any letter as an escape.
var imports = regexp.MustCompile(`(?i)@[a-z-]*(\\|import)`)

// isOurPage reports whether a page has only elements that the Broadcaster writes. A page from another writer could
// ask a browser for more than a policy can forbid, such as to look up a name.
func isOurPage(page []byte) bool {
	parts := bytes.Split(page, []byte("<"))
	if len(parts) < 2 || len(bytes.TrimSpace(parts[0])) > 0 || imports.Match(page) {
		return false
	}
	for _, part := range parts[1:] {
		part = bytes.TrimPrefix(part, []byte("/"))
		if !slices.ContainsFunc(tags, func(tag string) bool { return bytes.HasPrefix(part, []byte(tag)) }) {
			return false
		}
	}
	return true
}
