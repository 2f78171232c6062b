package kinds

import (
	"html"
	"strings"

	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/wording"
)

// Slides are made of the sentences that tell most, one slide for each note or section. One markdown file serves the
// slides of Obsidian and Marp, which both part them at "---" (https://help.obsidian.md/plugins/slides,
// https://marpit.marp.app/markdown). The page beside it opens by itself and runs nothing.

const (
	usualSlides = 320 // words
	mostPoints  = 4   // on a slide
)

// slide is one slide.
type slide struct {
	Title  string
	Points []material.Sentence
}

func makeSlides(p *plan) bool {
	list := p.Sentences()
	if len(list) < 3 {
		return false
	}
	chosen, _ := p.choose(list, usualSlides)
	p.printSlides(p.dealSlides(list, chosen))
	return true
}

func (p *plan) printSlides(deck []slide) {
	p.Head = []string{"marp: true", "paginate: true"}
	p.isDeck = true
	p.print("# %s\n\n%s\n", asHeading(p.Title), "From your notes")
	for _, s := range deck {
		p.print("\n---\n\n## %s\n\n", asHeading(s.Title))
		for _, point := range s.Points {
			p.print("- %s\n", p.quoteSentence(point))
		}
	}
	p.print("\n---\n")
	p.Files = []File{{".html", p.writePage(deck)}}
	p.Lead = p.quoteSentence(deck[0].Points[0])
	p.Count = wording.Count(len(deck)+2, "slide")
}

var slidesForm = draft.Form{
	Product: "slides", Item: "one point of a slide, at most twenty words", IsLong: true, Words: usualSlides,
	Plan:   "Each segment is one slide with at most four points. ",
	Fields: []draft.Field{{Name: "point", Meaning: "the point"}},
}

func fillSlides(p *plan, parts []draft.Part) bool {
	var deck []slide
	for _, part := range parts {
		for n, i := range part.Items {
			if n%mostPoints == 0 {
				deck = append(deck, slide{Title: material.Plain(part.Title)})
			}
			last := &deck[len(deck)-1]
			last.Points = append(last.Points, sentenceOf(i, "point"))
		}
	}
	p.printSlides(deck)
	return true
}

// dealSlides puts sentences on slides, below the names of their sections or notes. A note that one slide does not hold
// has one for each of its sections.
func (p *plan) dealSlides(list []material.Sentence, chosen []int) []slide {
	points := make(map[string]int)
	for _, i := range chosen {
		points[p.partOf(list[i])]++
	}
	var deck []slide
	for _, i := range chosen {
		title := p.partOf(list[i])
		if _, block := p.Place(list[i]); points[title] > mostPoints && block.Heading() != "" && block.Heading() != title {
			title += ": " + block.Heading()
		}
		if n := len(deck) - 1; n < 0 || deck[n].Title != title || len(deck[n].Points) == mostPoints {
			deck = append(deck, slide{Title: title})
		}
		last := &deck[len(deck)-1]
		last.Points = append(last.Points, list[i])
	}
	return deck
}

// pageHead begins a page that loads and runs nothing: its policy allows its own style alone.
const pageHead = `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>`

const pageStyle = `</title>
<style>
html { scroll-snap-type: y mandatory; font: 3.2vmin/1.5 system-ui, sans-serif; color: #1d2430; background: #f6f5f2 }
body { margin: 0 }
section { box-sizing: border-box; min-height: 100vh; padding: 8vmin 10vmin; scroll-snap-align: start; display: flex; flex-direction: column; justify-content: center; border-bottom: 1px solid #d9d5cc; position: relative; counter-increment: slide }
section::after { content: counter(slide); position: absolute; right: 5vmin; bottom: 4vmin; font-size: .62em; color: #5d6675 }
h1 { font-size: 2.2em; margin: 0 0 .3em; color: #0b6b61 } h2 { font-size: 1.5em; margin: 0 0 .6em; color: #0b6b61 }
li { margin: 0 0 .6em } cite, footer { font-size: .62em; font-style: normal; color: #5d6675 }
@media (prefers-color-scheme: dark) { html { color: #e8e6e1; background: #15181d } section { border-color: #333a45 } h1, h2 { color: #7bd3c6 } cite, footer, section::after { color: #9aa4b2 } }
@media print { section { height: 100vh; break-after: page } }
</style>
</head>
<body>
`

// origin says who wrote the slides.
func (p *plan) origin() string {
	if p.Author != "" {
		return "From your notes, written by " + p.Author + "."
	}
	return "From your notes; no model wrote this."
}

// writePage is the deck as a page. All text of notes is escaped.
func (p *plan) writePage(deck []slide) []byte {
	var b strings.Builder
	title := html.EscapeString(asHeading(p.Title))
	b.WriteString(pageHead + title + pageStyle + "<section><h1>" + title + "</h1><footer>" + html.EscapeString(p.origin()) + "</footer></section>\n")
	for _, s := range deck {
		b.WriteString("<section><h2>" + html.EscapeString(asHeading(s.Title)) + "</h2><ul>\n")
		for _, point := range s.Points {
			note, block := p.Place(point)
			where := note.Title
			if h := block.Heading(); h != "" {
				where += " › " + h
			}
			b.WriteString("<li>" + html.EscapeString(point.Plain) + " <cite>" + html.EscapeString(material.Plain(where)) + "</cite></li>\n")
		}
		b.WriteString("</ul></section>\n")
	}
	b.WriteString("<section><h2>Sources</h2><ol>\n")
	for _, n := range p.Used {
		b.WriteString("<li>" + html.EscapeString(material.Plain(p.Notes[n].Title)) + "</li>\n")
	}
	b.WriteString("</ol></section>\n</body>\n</html>\n")
	return []byte(withoutControls(b.String()))
}
