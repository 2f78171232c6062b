package shown

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"path"
	"regexp"
	"slices"
	"strings"
)

// card is a node of a canvas (https://jsoncanvas.org/spec/1.0/).
type card struct {
	ID                  string
	X, Y, Width, Height float64
	Text, File, Subpath string
}

type edge struct{ FromNode, ToNode string }

// Limits of a drawing. One that goes beyond them is not drawn.
const (
	mostCards = 400
	farthest  = 1e6
	perLine   = 26 // letters
	mostLines = 4
)

// Drawing is the canvas of a map as SVG, "" where there is none that can be drawn.
func (o Opened) Drawing() string {
	var c struct {
		Nodes []card
		Edges []edge
	}
	if json.Unmarshal(o.Canvas, &c) != nil || len(c.Nodes) == 0 || len(c.Nodes) > mostCards || len(c.Edges) > mostCards {
		return ""
	}
	left, top, right, bottom := c.Nodes[0].X, c.Nodes[0].Y, c.Nodes[0].X, c.Nodes[0].Y
	byID := make(map[string]card)
	for _, n := range c.Nodes {
		for _, v := range []float64{n.X, n.Y, n.Width, n.Height} {
			if v > farthest || v < -farthest {
				return ""
			}
		}
		if n.Width < 1 || n.Height < 1 {
			return ""
		}
		byID[n.ID] = n
		left, top = min(left, n.X), min(top, n.Y)
		right, bottom = max(right, n.X+n.Width), max(bottom, n.Y+n.Height)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg role="img" aria-label="%s" viewBox="%.0f %.0f %.0f %.0f" width="%.0f" height="%.0f">`,
		html.EscapeString(o.Title), left-10, top-10, right-left+20, bottom-top+20, (right-left)/2, (bottom-top)/2)
	for _, e := range c.Edges {
		from, ok := byID[e.FromNode]
		to, also := byID[e.ToNode]
		if ok && also {
			x, y, tx, ty := from.X+from.Width, from.Y+from.Height/2, to.X, to.Y+to.Height/2
			fmt.Fprintf(&b, `<path d="M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f"></path>`, x, y, (x+tx)/2, y, (x+tx)/2, ty, tx, ty)
		}
	}
	for _, n := range c.Nodes {
		n.draw(&b)
	}
	b.WriteString("</svg>")
	return b.String()
}

// draw draws a card, with as much of its text as it has room for.
func (n card) draw(b *strings.Builder) {
	fmt.Fprintf(b, `<rect x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="12"></rect>`, n.X, n.Y, n.Width, n.Height)
	lines := wrapText(n.label())
	for i, line := range lines {
		y := n.Y + n.Height/2 + (float64(i)-float64(len(lines)-1)/2)*32
		fmt.Fprintf(b, `<text x="%.0f" y="%.0f">%s</text>`, n.X+n.Width/2, y, html.EscapeString(line))
	}
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

func wrapText(text string) (lines []string) {
	for _, word := range strings.Fields(text) {
		if letters := []rune(word); len(letters) > perLine {
			word = string(letters[:perLine-1]) + "…"
		}
		if n := len(lines); n > 0 && len([]rune(lines[n-1]))+1+len([]rune(word)) <= perLine {
			lines[n-1] += " " + word
		} else if n == mostLines {
			lines[n-1] += " …"
			return lines
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// tags are all that the Broadcaster writes into the page of its slides.
var tags = []string{
	"!DOCTYPE html>", "html>", "head>", "title>", "style>", "body>", "section>", "h1>", "h2>", "ul>", "ol>", "li>", "cite>", "footer>",
	`meta charset="utf-8">`, `meta name="viewport" content="width=device-width">`,
	`meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
}

// imports is how a style loads another; CSS may write any letter as an escape.
var imports = regexp.MustCompile(`(?i)@[a-z-]*(\\|import)`)

// isOurPage reports whether a page consists of nothing that the Broadcaster does not write: a page that
// somebody else put in its place could ask a browser for more than a policy can forbid, such as to look up a name.
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
