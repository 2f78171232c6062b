package kinds

import (
	"cmp"
	"slices"

	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/wording"
)

// A reading list has the notes themselves, each with the first sentence of its text, which defines it. Notes that the
// others link to, and that say more of the common subject, come first.

func makeReadingList(p *plan) bool {
	if len(p.Notes) < 2 {
		return false
	}
	list := p.Sentences()
	ranking := p.rankSentences(list)
	best, first := make(map[int]float64), make(map[int]material.Sentence) // by note
	for i, s := range list {
		best[s.Note] = max(best[s.Note], ranking.Scores[i])
		if _, block := p.Place(s); first[s.Note].Text == "" && block.Kind == material.Paragraph {
			first[s.Note] = s
		}
	}
	value := func(n int) float64 {
		note := p.Notes[n]
		return float64(note.Links)/2 - float64(note.Rank) + best[n]
	}
	order := make([]int, len(p.Notes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(value(b), value(a)) })
	for at, n := range order {
		note := p.Notes[n]
		p.useNote(n)
		p.print("%d. %s", at+1, note.Link(nil, note.Title))
		if words := countWords(note); words > 0 {
			p.print(" · %s", wording.Count(max(1, (words+199)/200), "minute"))
		}
		if note.Links > 0 {
			p.print(" · linked by %d of these", note.Links)
		}
		if s, there := first[n]; there {
			p.print("  \n   %s", putInline(s.Text)) // two spaces break the line
		}
		p.print("\n")
	}
	begin := p.Notes[order[0]]
	p.Lead = "It begins with " + begin.Link(nil, begin.Title) + "."
	p.Count = wording.Count(len(order), "note")
	return true
}

// countWords is how long a note is.
func countWords(n material.Note) (words int) {
	for _, b := range n.Blocks {
		for i := range b.Text {
			if b.Text[i] == ' ' || b.Text[i] == '\n' {
				words++
			}
		}
	}
	return words
}

var readingListForm = draft.Form{
	Product: "a reading list, in the order in which the notes are best read", Item: "one note, with what a reader finds in it; each note is there once", Words: 300,
	Fields: []draft.Field{{Name: "why", Meaning: "what is found there and why it is read at this place, in one sentence"}},
}

func fillReadingList(p *plan, parts []draft.Part) bool {
	n := 0
	for _, i := range parts[0].Items {
		note := p.Notes[i.Sources[0].Note]
		if p.cited[i.Sources[0].Note] > 0 {
			continue
		}
		n++
		p.useNote(i.Sources[0].Note)
		p.print("%d. %s  \n   %s\n", n, note.Link(nil, note.Title), putInline(material.Plain(i.Text["why"])))
	}
	first := p.Notes[p.Used[0]]
	p.Lead = "It begins with " + first.Link(nil, first.Title) + "."
	p.Count = wording.Count(n, "note")
	return true
}
