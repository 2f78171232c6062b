package kinds

import (
	"slices"
	"strings"

	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/wording"
)

// A FAQ has the headings and lines that ask, with the text below them, and the questions asked in the notes before,
// with their answers.

const mostAsked = 40

func makeFAQ(p *plan) bool {
	list := append(p.Questions(p.reach), p.askedBefore()...)
	if len(list) < 2 {
		return false
	}
	p.printQuestions(list[:min(len(list), mostAsked)])
	return true
}

func (p *plan) printQuestions(list []material.Question) {
	for _, q := range list {
		p.print("## %s\n\n", asHeading(q.Text))
		if q.Day != "" {
			p.print("*Asked on %s.*\n\n", q.Day)
		}
		for _, a := range q.Answers {
			p.print("%s\n\n", p.quoteSentence(a))
		}
		p.HasAnswers = p.HasAnswers || q.ByAgent
	}
	p.Lead = "It begins with “" + asHeading(list[0].Text) + "”: " + p.quoteSentence(list[0].Answers[0])
	p.Count = wording.Count(len(list), "question")
}

var faqForm = draft.Form{
	Product: "a list of questions and answers", Item: "a question that a reader would ask, with its answer", Words: 500,
	Fields: []draft.Field{{Name: "question", Meaning: "one question that ends in a question mark"}, {Name: "answer", Meaning: "its answer, in one to three sentences"}},
}

func fillFAQ(p *plan, parts []draft.Part) bool {
	var list []material.Question
	for _, i := range parts[0].Items {
		list = append(list, material.Question{Text: material.Plain(i.Text["question"]), Answers: []material.Sentence{sentenceOf(i, "answer")}})
	}
	p.printQuestions(list)
	return true
}

// asks matches a question, which ends with a question mark or begins with an asking word. A request to do something
// does not match.
var asks = lazyregexp.New(`(?i)^.*\pL.*[?？]\s*$|^(?:what|who|whose|when|where|why|how|which|is|are|was|were|do|does|did|can|could|should|will|would|has|have|was|wer|wie|wo|wann|warum|wieso|welche[rsn]?|kann|gibt|ist|sind|hat)\s`)

// askedBefore are the questions that were answered in the notes, the newest first, each once.
func (p *plan) askedBefore() []material.Question {
	var list []material.Question
	for _, a := range p.Asked {
		same := func(q material.Question) bool { return strings.EqualFold(q.Text, a.Question) }
		if p.Notes[a.Note].Rank > p.reach || !asks().MatchString(a.Question) || slices.ContainsFunc(list, same) {
			continue
		}
		q := material.Question{Text: a.Question, Day: a.Day, ByAgent: a.ByAgent}
		for _, text := range a.Answer {
			q.Answers = append(q.Answers, material.Sentence{Text: text, Plain: material.Plain(text), Note: a.Note, Block: material.NoBlock})
		}
		list = append(list, q)
	}
	return list
}
