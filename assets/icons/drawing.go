package main

import (
	"image"
	"image/color"
)

// The paper is 1024 units wide and high.
const paper = 1024

type point struct{ x, y int64 }

// stroke is a line drawn with a round pen, or an area with a round rim. One point
// makes a disc.
type stroke struct {
	points       []point
	radius       int64
	closed, fill bool
}

// glyph is one icon: a body in its colour, and a mark on it.
type glyph struct {
	name  string
	body  color.NRGBA
	shape []stroke
	mark  []stroke
}

// glyphs are told apart by their outline and by their colour. The colours are of
// middle lightness, which light and dark panels both show.
var glyphs = []glyph{
	{
		name: "idle", body: color.NRGBA{R: 0x0e, G: 0x8a, B: 0x7d, A: 0xff}, // a note, and the sign of a quote
		shape: []stroke{{points: []point{{290, 290}, {734, 290}, {734, 734}, {290, 734}}, radius: 210, closed: true, fill: true}},
		mark:  []stroke{{points: []point{{420, 312}, {636, 512}, {420, 712}}, radius: 68}},
	},
	{
		name: "busy", body: color.NRGBA{R: 0x2f, G: 0x6f, B: 0xde, A: 0xff}, // somebody is thinking
		shape: []stroke{{points: []point{{512, 512}}, radius: 436}},
		mark: []stroke{
			{points: []point{{290, 512}}, radius: 84}, {points: []point{{512, 512}}, radius: 84}, {points: []point{{734, 512}}, radius: 84},
		},
	},
	{
		name: "paused", body: color.NRGBA{R: 0xb8, G: 0x6e, B: 0x00, A: 0xff},
		shape: []stroke{
			{points: []point{{296, 226}, {296, 798}}, radius: 146}, {points: []point{{728, 226}, {728, 798}}, radius: 146},
		},
	},
	{
		name: "error", body: color.NRGBA{R: 0xd9, G: 0x36, B: 0x36, A: 0xff},
		shape: []stroke{{points: []point{{512, 184}, {856, 808}, {168, 808}}, radius: 108, closed: true, fill: true}},
		mark: []stroke{
			{points: []point{{512, 350}, {512, 560}}, radius: 66}, {points: []point{{512, 756}}, radius: 72},
		},
	},
	{
		name: "offline", body: color.NRGBA{R: 0x7a, G: 0x7f, B: 0x87, A: 0xff}, // the note again, hollow and struck out
		shape: []stroke{
			{points: []point{{250, 250}, {774, 250}, {774, 774}, {250, 774}}, radius: 60, closed: true},
			{points: []point{{160, 864}, {864, 160}}, radius: 54},
		},
	},
}

// covers reports whether a stroke covers a point, if its pen were more units wider.
func (s stroke) covers(p point, more int64) bool {
	last := len(s.points) - 1
	around := s.fill
	for i, a := range s.points {
		b := a
		switch {
		case i < last:
			b = s.points[i+1]
		case s.closed:
			b = s.points[0]
		}
		if near(p, a, b, s.radius+more) {
			return true
		}
		around = around && cross(a, b, p) >= 0
	}
	return around
}

func cross(a, b, p point) int64 { return (b.x-a.x)*(p.y-a.y) - (b.y-a.y)*(p.x-a.x) }

// near reports whether p is at most r from the line between a and b.
func near(p, a, b point, r int64) bool {
	length := (b.x-a.x)*(b.x-a.x) + (b.y-a.y)*(b.y-a.y)
	along := (p.x-a.x)*(b.x-a.x) + (p.y-a.y)*(b.y-a.y)
	if along > 0 && along < length {
		off := cross(a, b, p)
		return off*off <= r*r*length
	}
	if along >= length && length > 0 {
		a = b
	}
	return (p.x-a.x)*(p.x-a.x)+(p.y-a.y)*(p.y-a.y) <= r*r
}

// rim is the thin edge around a body, for panels of the body's own colour.
const rim = 44

// coloured is the colour of one point of an icon.
func coloured(g glyph, p point) color.NRGBA {
	switch {
	case covered(g.mark, p, 0):
		return color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	case covered(g.shape, p, 0):
		return g.body
	case covered(g.shape, p, rim):
		return color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xb0}
	}
	return color.NRGBA{}
}

// template is the same in black, with holes for marks.
func template(g glyph, p point) color.NRGBA {
	if covered(g.shape, p, 0) && !covered(g.mark, p, 0) {
		return color.NRGBA{A: 0xff}
	}
	return color.NRGBA{}
}

func covered(strokes []stroke, p point, more int64) bool {
	for _, s := range strokes {
		if s.covers(p, more) {
			return true
		}
	}
	return false
}

// fineness is how many points of a pixel are looked at, in each direction. A large
// image needs fewer.
func fineness(size int) int {
	if size > 48 {
		return 3
	}
	return 8
}

// render draws an icon with smooth edges: a pixel is the mean of its points.
func render(g glyph, size int, ink func(glyph, point) color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			img.SetNRGBA(x, y, pixel(g, size, x, y, ink))
		}
	}
	return img
}

func pixel(g glyph, size, x, y int, ink func(glyph, point) color.NRGBA) color.NRGBA {
	fine := fineness(size)
	at := func(pixel, part int) int64 {
		return int64(2*(fine*pixel+part)+1) * paper / int64(2*fine*size)
	}
	var r, gr, b, a uint32
	for i := range fine * fine {
		c := ink(g, point{at(x, i%fine), at(y, i/fine)})
		alpha := uint32(c.A)
		r, gr, b, a = r+uint32(c.R)*alpha, gr+uint32(c.G)*alpha, b+uint32(c.B)*alpha, a+alpha
	}
	if a == 0 {
		return color.NRGBA{}
	}
	return color.NRGBA{R: uint8(r / a), G: uint8(gr / a), B: uint8(b / a), A: uint8(a / uint32(fine*fine))}
}
