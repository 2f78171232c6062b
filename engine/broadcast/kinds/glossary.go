package kinds

import (
	"cmp"
	"slices"
	"strings"

	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/wording"
)

// A glossary is made of lines that say what something is, and of notes whose first sentence says what
// their title is. It is in alphabetical order.

const mostEntries = 120

func makeGlossary(p *plan) bool {
	list := p.listEntries()
	if len(list) < 2 {
		return false
	}
	p.printTerms(slices.Clone(list[:min(len(list), mostEntries)]))
	return true
}

func (p *plan) printTerms(list []material.Term) {
	slices.SortStableFunc(list, func(a, b material.Term) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	for _, t := range list {
		p.print("- %s\n", p.define(t))
	}
	p.Lead = p.define(list[0])
	p.Count = wording.Count(len(list), "term")
}

// define returns a term with what it means; a sentence that begins with the term in bold has both.
func (p *plan) define(t material.Term) string {
	name, said := "**"+asHeading(t.Name)+"**", p.quotePart(t.Meaning, t.Sentence)
	if strings.HasPrefix(said, name+" ") {
		return said
	}
	return name + ": " + said
}

var glossaryForm = draft.Form{
	Product: "a glossary", Item: "a term with what it means", Words: 400,
	Fields: []draft.Field{{Name: "term", Meaning: "the term as the passages have it"}, {Name: "meaning", Meaning: "what it means there, in one sentence"}},
}

func fillGlossary(p *plan, parts []draft.Part) bool {
	var list []material.Term
	for _, i := range parts[0].Items {
		at := sentenceOf(i, "meaning")
		list = append(list, material.Term{Name: material.Plain(i.Text["term"]), Meaning: at.Text, Sentence: at})
	}
	p.printTerms(list)
	return true
}

// listEntries are the terms of the notes, and the notes themselves where there are several.
func (p *plan) listEntries() []material.Term {
	if p.entries != nil {
		return p.entries
	}
	p.entries = p.Terms(p.reach)
	if len(p.Notes) < 2 || p.Notes[1].Rank > p.reach {
		return p.entries
	}
	known := make(map[string]bool)
	for _, t := range p.entries {
		known[strings.ToLower(t.Name)] = true
	}
	for _, t := range p.Titles(p.reach) {
		if !known[strings.ToLower(t.Name)] {
			p.entries = append(p.entries, t)
		}
	}
	return p.entries
}
