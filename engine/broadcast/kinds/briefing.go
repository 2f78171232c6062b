package kinds

import (
	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/wording"
)

// A briefing is what tells most: three sentences in short, then more of each note, or of each
// section where there is one note alone.

const (
	usualBriefing = 300 // words
	leastBriefing = 2   // sentences
	inShort       = 3
)

func makeBriefing(p *plan) bool {
	list := p.Sentences()
	if len(list) < leastBriefing {
		return false
	}
	chosen, scores := p.choose(list, usualBriefing)
	short := bestOf(scores, chosen, min(inShort, (len(chosen)+1)/2))
	p.print("## In short\n\n")
	for _, i := range short {
		p.print("- %s\n", p.quoteSentence(list[i]))
	}
	p.print("\n")
	p.Lead = p.quoteSentence(list[short[0]])
	p.printParts(list, leaveOut(chosen, short))
	p.Count = wording.Count(len(chosen), "sentence")
	return true
}

// partOf names the place of a sentence: its section if the order names one note, else its note.
func (p *plan) partOf(s material.Sentence) string {
	note, block := p.Place(s)
	if h := block.Heading(); h != "" && note.Rank == material.Named && (len(p.Notes) == 1 || p.Notes[1].Rank != material.Named) {
		return h
	}
	return note.Title
}

// printParts prints sentences below the names of their places.
func (p *plan) printParts(list []material.Sentence, chosen []int) {
	last := ""
	for n, i := range chosen {
		part := p.partOf(list[i])
		if n == 0 || part != last {
			p.print("## %s\n\n", asHeading(part))
			last = part
		}
		p.print("%s\n\n", p.quoteSentence(list[i]))
	}
}

// boundOthers leaves out the weaker sentences of notes that the order does not name, so that they are at most half as
// many as the sentences of named notes, rounded up.
func (p *plan) boundOthers(list []material.Sentence, scores []float64, chosen []int) []int {
	var others []int
	for _, i := range chosen {
		if p.Notes[list[i].Note].Rank != material.Named {
			others = append(others, i)
		}
	}
	named := len(chosen) - len(others)
	if named == 0 {
		return chosen
	}
	return leaveOut(chosen, leaveOut(others, bestOf(scores, others, (named+1)/2)))
}

var briefingForm = draft.Form{
	Product: "a briefing", Item: "one point, in one to three sentences", IsLong: true, Words: usualBriefing,
	Plan:   "The first segment is titled \"In short\" and has the two or three points that matter most; the others do not repeat them. ",
	Fields: []draft.Field{{Name: "text", Meaning: "the point"}},
}

func fillBriefing(p *plan, parts []draft.Part) bool {
	n := 0
	for i, part := range parts {
		p.printTitle(part)
		for _, item := range part.Items {
			n++
			if i == 0 {
				p.print("- ")
			}
			p.print("%s\n\n", p.quoteItem(item, "text"))
		}
	}
	p.lead(parts, "text")
	p.Count = wording.Count(n, "point")
	return true
}
