// Package plot draws bars, lines and sparklines as SVG that a page holds, without a script.
//
//	chart := plot.Chart{Title: "Answers a day", Labels: days, Series: series, Format: wording.Number[float64]}
//	chart.Bars()        // or Lines; a template.HTML
//	chart.Rows()        // the same as a table
//
// A picture is as wide as its place: what is across is a share of the width, what is up is in pixels, so that text keeps its size.
// Colours are those of the classes c0 to c5 of the page's style, and of axis, limit and text. All texts are escaped.
package plot

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
)

// Series is one row of values, one for each label.
type Series struct {
	Name   string
	Values []float64 // below 0 = no value
	Colour int       // 0 to [Colours] - 1
}

// Chart is what is drawn.
type Chart struct {
	Title  string // is read out in place of the picture
	Labels []string
	Series []Series
	Format func(float64) string
	Side   func(float64) string // is shorter, for the side of the picture; nil = Format
	Limit  float64              // is drawn as a line; 0 = none
	Ticks  []float64            // those that may have a line, on a scale that grows by factors; none = an even scale from 0
}

// Colours is how many there are.
const Colours = 6

// The picture, in pixels from its top: the plot, and below it the labels.
const (
	top, bottom, height = 14.0, 164.0, 186.0
	left                = 9.0 // of a hundred, for what is written beside the plot
	fewestLabel         = 7   // places from one label to the next
)

// Seconds is a length of time for the side of a picture.
func Seconds(s float64) string {
	switch {
	case s < 0:
		return ""
	case s < 10:
		return fmt.Sprintf("%.1g s", max(s, .1))
	case s < 60:
		return fmt.Sprintf("%.0f s", s)
	case s < 3600:
		return fmt.Sprintf("%.0f min", s/60)
	case s < 24*3600:
		return fmt.Sprintf("%.0f h", s/3600)
	}
	return fmt.Sprintf("%.0f days", s/24/3600)
}

// Thousands is a number in thousands or millions, for the side of a picture.
func Thousands(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.3g M", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%.3g k", v/1e3)
	}
	return fmt.Sprintf("%.0f", v)
}

// Share is a part of a whole; empty where it is nothing.
func Share(part, whole int) string {
	if part == 0 || whole == 0 {
		return ""
	}
	return fmt.Sprintf("%d (%d%%)", part, (100*part+whole/2)/whole)
}

// IsEmpty reports whether there is nothing to draw.
func (c Chart) IsEmpty() bool { return c.largest() <= 0 }

// largest is the largest value, of stacks where the scale is even.
func (c Chart) largest() float64 {
	return slices.Max(append(c.sums(), 0))
}

// sums are how high each place is.
func (c Chart) sums() []float64 {
	sums := make([]float64, len(c.Labels))
	for _, s := range c.Series {
		for i, v := range s.Values {
			if len(c.Ticks) > 0 {
				sums[i] = max(sums[i], v)
			} else {
				sums[i] += max(v, 0)
			}
		}
	}
	return sums
}

// ticks are the values that have a line, from the lowest.
func (c Chart) ticks() (all []float64) {
	most := max(c.largest(), c.Limit)
	if len(c.Ticks) > 0 {
		first, least := 0, math.Inf(1)
		for _, s := range c.Series {
			for _, v := range s.Values {
				if v >= 0 {
					least = min(least, v)
				}
			}
		}
		for first < len(c.Ticks)-2 && c.Ticks[first+1] <= least {
			first++
		}
		last := first + 1
		for last < len(c.Ticks)-1 && c.Ticks[last] < most {
			last++
		}
		return c.Ticks[first : last+1]
	}
	for step := 0.0; ; step += stepOf(most / 3) {
		if all = append(all, step); step >= most && len(all) > 1 {
			return all
		}
	}
}

// stepOf is a round number that is at least so much: 1, 2 or 5 and zeros.
func stepOf(v float64) float64 {
	zeros := math.Pow(10, math.Floor(math.Log10(max(v, 1e-9))))
	for _, n := range []float64{1, 2, 5} {
		if n*zeros >= v {
			return n * zeros
		}
	}
	return 10 * zeros
}

// scale returns how far from the top a value is.
func (c Chart) scale(ticks []float64) func(float64) float64 {
	low, high := ticks[0], ticks[len(ticks)-1]
	return func(v float64) float64 {
		share := (v - low) / (high - low)
		if len(c.Ticks) > 0 {
			share = math.Log(max(v, low)/low) / math.Log(high/low)
		}
		return bottom - min(max(share, 0), 1)*(bottom-top)
	}
}

// picture is an SVG that is being drawn.
type picture struct{ strings.Builder }

func (p *picture) add(format string, args ...any) {
	for i, arg := range args {
		if text, is := arg.(string); is {
			args[i] = template.HTMLEscapeString(text)
		}
	}
	fmt.Fprintf(p, format, args...)
}

// begin draws what both kinds have: the lines of the ticks with their numbers, the labels, and the limit.
func (c Chart) begin(p *picture) (y func(float64) float64) {
	ticks := c.ticks()
	y = c.scale(ticks)
	side := c.Side
	if side == nil {
		side = c.Format
	}
	p.add(`<svg class="plot" role="img" width="100%%" height="%.0f" aria-label="%s">`, height, c.Title)
	for i, tick := range ticks {
		if i > 0 && side(tick) == side(ticks[i-1]) {
			continue // halves of whole numbers
		}
		p.add(`<line class="axis" x1="%.0f%%" x2="100%%" y1="%.1f" y2="%.1f"/><text x="%.1f%%" y="%.1f" text-anchor="end">%s</text>`, left, y(tick), y(tick), left-.8, y(tick)+4, side(tick))
	}
	for i, label := range c.Labels {
		if behind := len(c.Labels) - 1 - i; behind%fewestLabel == 0 {
			x, anchor := c.place(i)+c.width()/2, "middle"
			if behind == 0 {
				x, anchor = 100, "end"
			}
			p.add(`<text x="%.2f%%" y="%.0f" text-anchor="%s">%s</text>`, x, height-6, anchor, label)
		}
	}
	if c.Limit > 0 {
		p.add(`<line class="limit" x1="%.0f%%" x2="100%%" y1="%.1f" y2="%.1f"/>`, left, y(c.Limit), y(c.Limit))
	}
	return y
}

// width is the share of the width that a place has, and place where one begins.
func (c Chart) width() float64      { return (100 - left) / float64(max(1, len(c.Labels))) }
func (c Chart) place(i int) float64 { return left + float64(i)*c.width() }

// Bars draws a bar at each place, the series one upon the other.
func (c Chart) Bars() template.HTML {
	var p picture
	y := c.begin(&p)
	for i, label := range c.Labels {
		sum := 0.0
		for _, s := range c.Series {
			if s.Values[i] <= 0 {
				continue
			}
			from := y(sum)
			sum += s.Values[i]
			p.add(`<rect class="c%d" x="%.2f%%" width="%.2f%%" y="%.1f" height="%.1f"><title>%s</title></rect>`, s.Colour,
				c.place(i)+c.width()*.12, c.width()*.76, y(sum), max(from-y(sum), 1), label+", "+s.Name+": "+c.Format(s.Values[i]))
		}
	}
	p.add(`</svg>`)
	return template.HTML(p.String())
}

// Lines draws a point for each value, and a line to that of the place before.
func (c Chart) Lines() template.HTML {
	var p picture
	y := c.begin(&p)
	for _, s := range c.Series {
		for i, v := range s.Values {
			if v < 0 {
				continue
			}
			x := c.place(i) + c.width()/2
			if i > 0 && s.Values[i-1] >= 0 {
				p.add(`<line class="c%d" x1="%.2f%%" y1="%.1f" x2="%.2f%%" y2="%.1f"/>`, s.Colour, x-c.width(), y(s.Values[i-1]), x, y(v))
			}
			p.add(`<circle class="c%d" cx="%.2f%%" cy="%.1f" r="3.5"><title>%s</title></circle>`, s.Colour, x, y(v), c.Labels[i]+", "+s.Name+": "+c.Format(v))
		}
	}
	p.add(`</svg>`)
	return template.HTML(p.String())
}

// Spark draws small bars without axes, 1 em high.
func Spark(title string, values []float64) template.HTML {
	var p picture
	p.add(`<svg class="spark" role="img" viewBox="0 0 %d 20" aria-label="%s">`, 4*len(values), title)
	most := max(1, slices.Max(append([]float64{0}, values...)))
	for i, v := range values {
		h := max(1, 20*v/most)
		p.add(`<rect class="c%d" x="%d" width="3" y="%.1f" height="%.1f"/>`, min(1, int(v)), 4*i, max(0, 20-h), h)
	}
	p.add(`</svg>`)
	return template.HTML(p.String())
}

// Row is a place and its values in words.
type Row struct {
	Label string
	Cells []Cell
}

// Cell is a value of a series.
type Cell struct{ Name, Text string }

// Rows are the places that have a value, the last first.
func (c Chart) Rows() (rows []Row) {
	for i, label := range slices.Backward(c.Labels) {
		row, has := Row{Label: label}, false
		for _, s := range c.Series {
			text := ""
			if v := s.Values[i]; v > 0 || v == 0 && len(c.Ticks) > 0 {
				text, has = c.Format(v), true
			}
			row.Cells = append(row.Cells, Cell{s.Name, text})
		}
		if has {
			rows = append(rows, row)
		}
	}
	return rows
}
