package kinds

import (
	"slices"
	"strings"

	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/wording"
)

// A quiz asks which term a meaning belongs to, with three others to choose from, and what the notes
// themselves ask. The answers are folded away.

const (
	mostQuiz  = 30
	leastQuiz = 2
	choices   = 4
)

func makeQuiz(p *plan) bool {
	terms, asked := p.listEntries(), p.listCards()
	if len(terms) < choices {
		terms = nil
	}
	names := make(map[string]bool)
	for _, t := range terms {
		names[strings.ToLower(asHeading(t.Name))] = true
	}
	asked = slices.DeleteFunc(asked, func(c card) bool {
		return names[strings.ToLower(c.Front)] || len(terms) == 0 && !strings.HasSuffix(c.Front, "?") && !strings.Contains(c.Front, "…")
	})
	terms, asked = terms[:min(len(terms), mostQuiz)], asked[:min(len(asked), mostQuiz)]
	if len(terms)+len(asked) < leastQuiz {
		return false
	}
	n := 0
	for i, t := range terms {
		n++
		p.print("## %d. Which is it: %s?\n\n", n, strings.TrimRight(asHeading(withoutName(t)), ".?!"))
		p.printChoices(asHeading(t.Name), otherNames(terms, i), t.Sentence)
	}
	for _, c := range asked {
		n++
		p.print("## %d. %s\n\n> [!success]- Answer\n> %s\n\n", n, asHeading(c.Front), p.quotePart(c.Back, c.Sentence))
	}
	p.Lead = "The answers are folded away below their questions."
	p.Count = wording.Count(n, "question")
	return true
}

// withoutName is a meaning that does not give its term away.
func withoutName(t material.Term) string {
	meaning := material.Plain(t.Meaning)
	fold := func(text string) string { return strings.ReplaceAll(strings.ToLower(text), "-", " ") }
	if i := strings.Index(fold(meaning), fold(t.Name)); i >= 0 && i+len(t.Name) <= len(meaning) {
		meaning = meaning[:i] + "…" + meaning[i+len(t.Name):]
	}
	return meaning
}

// otherNames are the names of the terms that follow one in the list, as many as there are wrong choices.
func otherNames(terms []material.Term, i int) []string {
	var names []string
	for k := 1; k < choices; k++ {
		names = append(names, terms[(i+k)%len(terms)].Name)
	}
	return names
}

// printChoices prints the right answer among the others, and folds away which one it is. The place of the right
// answer follows from its letters: a quiz that is made again has the same places, and one answer does not tell the
// next.
func (p *plan) printChoices(answer string, others []string, at material.Sentence) {
	right := len(answer)
	for _, b := range []byte(answer) {
		right += int(b)
	}
	right %= choices
	for n, name := range slices.Insert(slices.Clone(others), right, answer) {
		p.print("- %c) %s\n", 'A'+n, asHeading(name))
	}
	p.print("\n> [!success]- Answer\n> %c) %s\n\n", 'A'+right, p.quotePart("**"+answer+"**", at))
}

var quizForm = draft.Form{
	Product: "a quiz", Item: "one question with its right answer and three wrong ones", Words: 500,
	Fields: []draft.Field{
		{Name: "question", Meaning: "the question, which the passages answer"}, {Name: "answer", Meaning: "the right answer, short"},
		{Name: "wrong", Meaning: "wrong answers of the same kind and length, each different", Count: choices - 1},
	},
	Check: func(i draft.Item) string {
		all := append(slices.Clone(i.Lists["wrong"]), i.Text["answer"])
		for n, text := range all {
			all[n] = strings.ToLower(asHeading(text))
		}
		slices.Sort(all)
		if len(slices.Compact(all)) != choices || all[0] == "" {
			return "has the same answer twice"
		}
		return ""
	},
}

func fillQuiz(p *plan, parts []draft.Part) bool {
	items := parts[0].Items
	for n, i := range items {
		p.print("## %d. %s\n\n", n+1, asHeading(i.Text["question"]))
		p.printChoices(asHeading(i.Text["answer"]), i.Lists["wrong"], sentenceOf(i, "answer"))
	}
	p.Lead = "The answers are folded away below their questions."
	p.Count = wording.Count(len(items), "question")
	return true
}
