package kinds

import "vaultdispatcher/engine/broadcast/draft"

// A study guide is what tells most, the terms, and the questions of the notes, whose answers are folded away.

const (
	usualGuide    = 250 // words of the main points
	mostTerms     = 12
	mostQuestions = 12
)

var guideParts = []string{"point", "term", "question"}

func makeStudyGuide(p *plan) bool {
	list := p.Sentences()
	terms, asked := p.Terms(p.reach), p.Questions(p.reach)
	if len(list) < 4 || len(asked)+len(terms) < 2 {
		return false
	}
	chosen, _ := p.choose(list, usualGuide)
	p.print("## Main points\n\n")
	for _, i := range chosen {
		p.print("- %s\n", p.quoteSentence(list[i]))
	}
	p.Lead = p.quoteSentence(list[chosen[0]])
	if terms = terms[:min(len(terms), mostTerms)]; len(terms) > 0 {
		p.print("\n## Terms\n\n")
		for _, t := range terms {
			p.print("- %s\n", p.define(t))
		}
	}
	asked = asked[:min(len(asked), mostQuestions)]
	if len(asked) > 0 {
		p.print("\n## Questions\n\n")
	}
	for _, q := range asked {
		p.print("> [!question]- %s\n", asHeading(q.Text))
		for _, a := range q.Answers {
			p.print("> %s\n", p.quoteSentence(a))
		}
		p.print("\n")
	}
	p.Count = countEach(guideParts, len(chosen), len(terms), len(asked))
	return true
}

var guideForm = draft.Form{
	Product: "a study guide", Item: "a main point, a term with what it means, or a question with its answer", IsLong: true, Words: 2 * usualGuide,
	Plan: "The first segments are the main points; then comes one of the terms, and last one of questions to test oneself, with their answers. ",
	Fields: []draft.Field{
		{Name: "term", Meaning: "the term that is explained; empty where the item is none", IsOptional: true},
		{Name: "question", Meaning: "the question that the text answers; empty where there is none", IsOptional: true},
		{Name: "text", Meaning: "the point, the meaning or the answer, in one to three sentences"},
	},
}

func fillStudyGuide(p *plan, parts []draft.Part) bool {
	points, terms, asked := 0, 0, 0
	for _, part := range parts {
		p.printTitle(part)
		for _, i := range part.Items {
			switch {
			case i.Text["question"] != "":
				asked++
				p.print("\n> [!question]- %s\n> %s\n\n", asHeading(i.Text["question"]), p.quoteItem(i, "text"))
			case i.Text["term"] != "":
				terms++
				p.print("- **%s**: %s\n", asHeading(i.Text["term"]), p.quoteItem(i, "text"))
			default:
				points++
				p.print("- %s\n", p.quoteItem(i, "text"))
			}
		}
		p.print("\n")
	}
	p.lead(parts, "text")
	p.Count = countEach(guideParts, points, terms, asked)
	return true
}
