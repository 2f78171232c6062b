package kinds

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A canvas is written as https://jsoncanvas.org/spec/1.0/ says: cards with a place and a size, and lines
// between them.

// Sizes of cards, and of the room that each has for itself.
const (
	cardWidth  = 360
	cardHeight = 160
	columnStep = 480
	rowStep    = 200
)

type canvas struct {
	Nodes []canvasNode `json:"nodes"`
	Edges []canvasEdge `json:"edges"`
}

type canvasNode struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	X       int    `json:"x"`
	Y       int    `json:"y"`
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	Color   string `json:"color,omitempty"`
	Text    string `json:"text,omitempty"`
	File    string `json:"file,omitempty"`
	Subpath string `json:"subpath,omitempty"`
}

type canvasEdge struct {
	ID       string `json:"id"`
	FromNode string `json:"fromNode"`
	FromSide string `json:"fromSide"`
	ToNode   string `json:"toNode"`
	ToSide   string `json:"toSide"`
}

// drawCanvas lays a map out from left to right. Each leaf has its own row. A card with leaves is halfway down their
// rows, one column further left, so that no two cards touch.
func (p *plan) drawCanvas(root *node) []byte {
	c := canvas{Nodes: []canvasNode{}, Edges: []canvasEdge{}}
	rows := 0
	p.placeNode(&c, root, 0, &rows)
	text, err := json.MarshalIndent(c, "", "\t")
	if err != nil {
		return nil
	}
	return append(text, '\n')
}

// placeNode adds a node and those below it, and returns its id and its row, counted in half rows.
func (p *plan) placeNode(c *canvas, n *node, depth int, rows *int) (id string, row int) {
	id = fmt.Sprintf("n%d", len(c.Nodes)+1)
	at := len(c.Nodes)
	c.Nodes = append(c.Nodes, canvasNode{})
	first, last := -1, 0
	for _, child := range n.Children {
		below, its := p.placeNode(c, child, depth+1, rows)
		if first < 0 {
			first = its
		}
		last = its
		c.Edges = append(c.Edges, canvasEdge{ID: "e" + below, FromNode: id, FromSide: "right", ToNode: below, ToSide: "left"})
	}
	if row = (first + last) / 2; first < 0 {
		row = 2 * *rows
		*rows++
	}
	card := canvasNode{ID: id, X: depth * columnStep, Y: row * rowStep / 2, Width: cardWidth, Height: cardHeight}
	if n.Note >= 0 && !n.IsItem {
		card.Type, card.File = "file", p.Notes[n.Note].Rel
		if len(n.Anchor) > 0 {
			card.Subpath = "#" + strings.Join(n.Anchor, "#")
		}
	} else {
		card.Type, card.Text = "text", n.text()
	}
	if depth == 0 {
		card.Color = "5"
	}
	c.Nodes[at] = card
	return id, row
}
