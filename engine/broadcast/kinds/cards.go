package kinds

import (
	"bytes"
	"strings"
	"unicode"

	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/lazyregexp"
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
	At          material.Sentence
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
		p.print("%s\n?\n%s\n\n", putInline(front), p.quotePart(c.Back, c.At))
		n := p.Notes[c.At.Note]
		side := Card{asAnki(c.Front), asAnki(c.Back), n.Title, n.Rel}
		p.Deck = append(p.Deck, side)
		table.WriteString(quoteCell(side.Front) + "\t" + quoteCell(side.Back) + "\t" + quoteCell(side.Source) + "\n")
	}
	p.Files = []File{{".tsv", table.Bytes()}}
	p.Lead = "The first asks: " + asHeading(list[0].Front)
	p.Count = wording.Count(len(list), "card")
}

var cardsForm = draft.Form{
	What: "flashcards", Item: "one card, which asks for one fact", Words: 500,
	Fields: []draft.Field{{Name: "front", What: "what is asked, which has one answer"}, {Name: "back", What: "the answer, as short as it can be"}},
}

func fillCards(p *plan, parts []draft.Part) bool {
	var list []card
	seen := make(map[string]bool)
	for _, i := range parts[0].Items {
		at := sentenceOf(i, "back")
		if front := asFront(i.Text["front"]); front != "" && !seen[strings.ToLower(front)] {
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
		if front = asFront(front); front != "" && !seen[strings.ToLower(front)] {
			seen[strings.ToLower(front)] = true
			list = append(list, card{front, back, at})
		}
	}
	for _, q := range p.findQuestions() {
		add(q.Text, q.Answers[0].Text, q.Answers[0])
	}
	for _, t := range p.listEntries() {
		add(t.Name, t.Meaning, t.At)
	}
	for _, s := range p.Sentences() {
		if p.Notes[s.Note].Rank > p.reach {
			continue
		}
		if word, rest, ok := cutBold(s.Text); ok {
			add(rest, word, s)
		}
	}
	for n, note := range p.Notes {
		for _, f := range factsOf(note) {
			if note.Rank <= p.reach {
				add(note.Title+": "+f.Key+"?", f.Value, material.Sentence{Note: n, Block: material.NoBlock})
			}
		}
	}
	return list
}

// cutBold leaves the first bold words out of a sentence.
func cutBold(text string) (word, rest string, ok bool) {
	before, after, found := strings.Cut(text, "**")
	word, after, closed := strings.Cut(after, "**")
	if !found || !closed || len(strings.Fields(word)) > 5 || !isName(material.Plain(word)) || len(strings.Fields(before+after)) < 4 || strings.TrimSpace(before) == "" {
		return "", "", false
	}
	return word, strings.Join(strings.Fields(before+" … "+after), " "), true
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

// formula is one as Obsidian reads it: no blank within its signs, and no digit behind, as prices have.
var formula = lazyregexp.New(`\$\$([^$]+)\$\$|\$([^\s$](?:[^$\n]*[^\s$])?)\$($|[^0-9$])`)

// eachPart puts a text together anew out of its words and its formulas.
func eachPart(text string, words func(string) string, math func(block, inline string) string) string {
	var b strings.Builder
	put := func(part string) {
		said := words(part)
		if said == "" {
			return
		}
		if b.Len() > 0 && strings.HasPrefix(part, " ") {
			b.WriteByte(' ')
		}
		b.WriteString(said)
		if strings.HasSuffix(part, " ") {
			b.WriteByte(' ')
		}
	}
	for m := formula().FindStringSubmatchIndex(text); m != nil; m = formula().FindStringSubmatchIndex(text) {
		put(text[:m[0]])
		if m[2] >= 0 {
			b.WriteString(math(text[m[2]:m[3]], ""))
			text = text[m[1]:]
		} else {
			b.WriteString(math("", text[m[4]:m[5]]))
			text = text[m[6]:]
		}
	}
	put(text)
	return strings.TrimSpace(b.String())
}

// asFront is a question without its markup; its formulas stay.
func asFront(text string) string {
	keep := func(block, inline string) string {
		if block != "" {
			return "$$" + block + "$$"
		}
		return "$" + inline + "$"
	}
	return strings.Trim(eachPart(text, func(part string) string { return material.Plain(unlinked.Replace(part)) }, keep), " :")
}

// asAnki is a side of a card as Anki shows it (https://docs.ankiweb.net/math.html).
func asAnki(text string) string {
	return eachPart(text, material.Plain, func(block, inline string) string {
		if block != "" {
			return `\[` + block + `\]`
		}
		return `\(` + inline + `\)`
	})
}

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
