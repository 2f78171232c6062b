package kinds

import (
	"bytes"
	"strings"
	"unicode"

	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/wording"
)

// Cards are made of terms, of questions with their answers, of sentences whose bold words can be left out, and of
// properties. They are written as the plugin Spaced Repetition reads them (a question, a line "?", the answer;
// https://www.stephenmwangi.com/obsidian-spaced-repetition/flashcards/), and as a table that
// Anki imports (https://docs.ankiweb.net/importing/text-files.html), whose first column is the same when
// a card is made again. Of the deck package apkg makes what Anki opens itself.

const (
	mostCards = 200
	leastCard = 2
)

// card is one side and the other.
type card struct {
	Front, Back string
	Sentence    material.Sentence
}

func makeCards(p *plan) bool {
	list := p.listCards()
	if len(list) < leastCard {
		return false
	}
	p.printCards(list[:min(len(list), mostCards)])
	return true
}

func (p *plan) printCards(list []card) {
	p.Head = []string{"tags: [flashcards]"}
	p.print("#flashcards/%s\n\n", tagOf(p.Title))
	var table bytes.Buffer
	table.WriteString("#separator:tab\n#html:false\n#columns:Front\tBack\tSource\n")
	for _, c := range list {
		front := c.Front
		if strings.HasPrefix(front, "#") {
			front = `\` + front // else it is a tag
		}
		p.print("%s\n?\n%s\n\n", putInline(front), p.quotePart(c.Back, c.Sentence))
		n := p.Notes[c.Sentence.Note]
		side := Card{asAnki(c.Front), asAnki(c.Back), n.Title, n.Rel}
		p.Deck = append(p.Deck, side)
		table.WriteString(quoteCell(side.Front) + "\t" + quoteCell(side.Back) + "\t" + quoteCell(side.Source) + "\n")
	}
	p.Files = []File{{".tsv", table.Bytes()}}
	p.Lead = "The first asks: " + asHeading(list[0].Front)
	p.Count = wording.Count(len(list), "card")
}

var cardsForm = draft.Form{
	Product: "flashcards", Item: "one card, which asks for one fact", Words: 500,
	Fields: []draft.Field{{Name: "front", Meaning: "what is asked, which has one answer"}, {Name: "back", Meaning: "the answer, as short as it can be"}},
}

func fillCards(p *plan, parts []draft.Part) bool {
	var list []card
	seen := make(map[string]bool)
	for _, i := range parts[0].Items {
		at := sentenceOf(i, "back")
		if front := material.PlainQuestion(i.Text["front"]); front != "" && !seen[strings.ToLower(front)] {
			seen[strings.ToLower(front)] = true
			list = append(list, card{front, at.Text, at})
		}
	}
	if len(list) == 0 {
		return false
	}
	p.printCards(list)
	return true
}

// listCards are all cards of the set, each front once.
func (p *plan) listCards() []card {
	var list []card
	seen := make(map[string]bool)
	add := func(front, back string, at material.Sentence) {
		if front = material.PlainQuestion(front); front != "" && !seen[strings.ToLower(front)] {
			seen[strings.ToLower(front)] = true
			list = append(list, card{front, back, at})
		}
	}
	for _, q := range p.Questions(p.reach) {
		add(q.Text, q.Answers[0].Text, q.Answers[0])
	}
	for _, t := range p.listEntries() {
		add(t.Name, t.Meaning, t.Sentence)
	}
	for _, s := range p.Sentences() {
		if p.Notes[s.Note].Rank > p.reach {
			continue
		}
		if word, rest, ok := s.CutBold(); ok {
			add(rest, word, s)
		}
	}
	for n, note := range p.Notes {
		for _, f := range note.Facts() {
			if note.Rank <= p.reach {
				add(note.Title+": "+f.Key+"?", f.Value, material.Sentence{Note: n, Block: material.NoBlock})
			}
		}
	}
	return list
}

// writeCell is a text as one cell of a table that a spreadsheet reads: on one line, and no formula
// (https://owasp.org/www-community/attacks/CSV_Injection).
func writeCell(text string) string {
	text = strings.Join(strings.Fields(withoutControls(text)), " ")
	if text != "" && strings.ContainsRune("=+-@\t", rune(text[0])) {
		text = "'" + text
	}
	return text
}

// quoteCell is a cell of a table without the quotes of package csv: a line that begins with # is no comment in them.
func quoteCell(text string) string {
	if text = writeCell(text); strings.Contains(text, `"`) || strings.HasPrefix(text, "#") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// asAnki is a side of a card as Anki shows it (https://docs.ankiweb.net/math.html).
func asAnki(text string) string { return material.EachPart(text, material.Plain, `\(`, `\[`) }

// withoutControls is a text without what a terminal obeys; line ends and tabs stay.
func withoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// tagOf is a title as a tag.
func tagOf(title string) string {
	tag := strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 0x7f)
	}), "-")
	if strings.Trim(tag, "0123456789-") == "" {
		tag = "deck-" + tag
	}
	return strings.Trim(tag, "-")
}
