// Package kinds is pure text: what can be made of a set of notes, one file for each kind.
//
//	k, _ := kinds.Find("briefing")
//	made, ok := k.Make(set, kinds.Options{})
//
// A kind plans its contents, fills its template and checks the result. To add one, add its file, its row in [All] and
// its words in package order.
//
// # Promises
//
// The templates belong to this package; the text of notes is data. [Kind.Make] writes only sentences of the notes of
// the set, each with a link to its place; [Kind.Fill] writes what an agent has drafted (package draft), each item
// with links to its sources. Both return false if they find too little, and never an empty work. The text is markdown
// that still has to be made safe by engine/note/sanitize; files beside it are safe as they are.
package kinds

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/broadcast/summary"
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/wording"
)

// Kind is something that can be made.
type Kind struct {
	Name     string
	Title    string
	LooksFor string           // its material, for the sentence that reports too little of it
	make     func(*plan) bool // nil = only an agent can
	form     draft.Form
	fill     func(*plan, []draft.Part) bool
}

// All are the kinds that can be made, the one that nearly every note has material for first.
var All = []Kind{
	{"briefing", "Briefing", "whole sentences", makeBriefing, briefingForm, fillBriefing},
	{"study-guide", "Study guide", "whole sentences, and terms or questions", makeStudyGuide, guideForm, fillStudyGuide},
	{"faq", "Questions and answers", "headings and lines that ask, with text below them, and questions that were answered in the notes", makeFAQ, faqForm, fillFAQ},
	{"timeline", "Timeline", "dates, in sentences, in the names of notes and in their properties", makeTimeline, timelineForm, fillTimeline},
	{"glossary", "Glossary", "lines that say what something is (`**Term**: what it is`), and several notes that are about one thing each", makeGlossary, glossaryForm, fillGlossary},
	{"table", "Comparison", "properties, or headings with one sentence, that several notes have in common", makeTable, tableForm, fillTable},
	{"reading-list", "Reading list", "several notes", makeReadingList, readingListForm, fillReadingList},
	{"mind-map", "Mind map", "at least three headings, or items of lists", makeMindMap, mindMapForm, fillMindMap},
	{"slides", "Slides", "whole sentences", makeSlides, slidesForm, fillSlides},
	{"cards", "Cards", "terms with what they mean, questions with answers, sentences with bold words, and properties", makeCards, cardsForm, fillCards},
	{"quiz", "Quiz", "at least four terms with what they mean, or questions with answers", makeQuiz, quizForm, fillQuiz},
	{"audio", "Audio overview", "whole sentences", makeAudio, dialogueForm, fillDialogue},
	{"dialogue", "Dialogue", "whole sentences, and an agent that writes it", nil, dialogueForm, fillDialogue},
}

// Find returns a kind by its name.
func Find(name string) (Kind, bool) {
	i := slices.IndexFunc(All, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return All[i], true
}

// Options are what an order says beside its kind.
type Options struct {
	Words  int      // how long it is to be; 0 = as usual
	Lang   string   // for an agent; "" = that of the notes
	Reader string   // the readers, for an agent
	Voices []string // names of the speakers in a dialogue
}

// Made is what was made.
type Made struct {
	Body   string   // markdown, not safe yet
	Head   []string // lines for its front matter, ours
	Lead   string   // the first sentence of the work with its link, for the answer
	Count  string   // its size, such as "9 sentences"
	Files  []File   // beside the note
	Deck   []Card   // for a program that asks them again
	Turns  []Turn   // to be read aloud
	Length int      // words of the sentences that were chosen to be as long as is asked for; 0 = it has no such length
	Used   []int    // which notes of the set it quotes, in order

	Author     string // the agent that wrote it; "" = it only quotes
	HasAnswers bool   // of agents, among what is quoted
}

// Card is one side and the other, as text.
type Card struct {
	Front, Back string
	Source      string // the title of the note
	Note        string // its path
}

// File is a file beside a note, with the note's name.
type File struct {
	Ext  string // with its dot
	Text []byte
}

// Make makes a kind of a set of notes; false says that there is too little.
func (k Kind) Make(set *material.Set, o Options) (Made, bool) {
	if len(set.Notes) == 0 || k.make == nil {
		return Made{}, false
	}
	p := &plan{Set: set, Options: o, cited: make(map[int]int)}
	for !k.make(p) || len(p.Used) == 0 {
		if p.reach == material.Linked {
			return Made{}, false
		}
		p = &plan{Set: set, Options: o, cited: make(map[int]int), reach: p.reach + 1}
	}
	return p.finish(k), true
}

// finish puts the title above the text and the sources below it.
func (p *plan) finish(k Kind) Made {
	p.Body = strings.TrimSpace(p.output.String()) + "\n" + p.listSources()
	if !p.isDeck {
		p.Body = fmt.Sprintf("# %s: %s\n\n", k.Title, asHeading(p.Title)) + p.Body
	}
	return p.Made
}

// plan is one thing that is being made.
type plan struct {
	*material.Set
	Options
	Made
	output strings.Builder
	reach  material.Rank // how far away a note may be that something exact is taken from
	cited  map[int]int   // how often each note is quoted

	isDeck bool // the text has a title of its own
	ids    int  // of the nodes of a diagram

	entries []material.Term // of the glossary, once they were asked for
}

func (p *plan) print(format string, args ...any) { fmt.Fprintf(&p.output, format, args...) }

// quoteSentence returns a sentence with the number of its source, which links to its place.
func (p *plan) quoteSentence(s material.Sentence) string {
	return p.quotePart(s.Text, s)
}

// quotePart is a part of a sentence, with the same.
func (p *plan) quotePart(text string, s material.Sentence) string {
	var links []string
	for _, at := range append([]material.Sentence{s}, s.Copies...) {
		p.useNote(at.Note)
		if link := p.Cite(at, fmt.Sprint(p.numberOf(at.Note))); !slices.Contains(links, link) {
			links = append(links, link)
		}
	}
	return putInline(text) + " (" + strings.Join(links, ", ") + ")"
}

// useNote counts a note among those that are quoted.
func (p *plan) useNote(note int) {
	if p.cited[note]++; p.cited[note] == 1 {
		p.Used = append(p.Used, note)
	}
}

// numberOf is the number of a source, by when it was quoted first.
func (p *plan) numberOf(note int) int { return slices.Index(p.Used, note) + 1 }

// listSources is the end of every text: what was quoted, and how often.
func (p *plan) listSources() string {
	var b strings.Builder
	b.WriteString("\n## Sources\n\n")
	for i, n := range p.Used {
		note := p.Notes[n]
		fmt.Fprintf(&b, "%d. %s\n", i+1, note.Link(nil, note.Title))
	}
	switch {
	case p.Author != "":
		fmt.Fprintf(&b, "\n%s wrote this out of these notes; each link leads to the passage that a line was taken from.\n", p.Author)
	case p.HasAnswers:
		b.WriteString("\nEvery sentence stands in its source as it does here; where a question has a day, an agent may have written the answer.\n")
	default:
		b.WriteString("\nEvery sentence stands in its source as it does here; no model wrote this.\n")
	}
	return b.String()
}

// rankSentences says which sentences tell most of the set.
func (p *plan) rankSentences(list []material.Sentence) *summary.Ranking {
	all := make([]summary.Sentence, len(list))
	before := make(map[int]int)
	for i, s := range list {
		all[i] = summary.Sentence{Text: s.Plain, First: s.First, Nth: before[s.Note], Weight: p.Weight(s)}
		before[s.Note]++
	}
	return summary.Rank(all, p.Title)
}

// choose are the sentences that say most, of so many words as are asked for, else as usual, and the scores of all.
func (p *plan) choose(list []material.Sentence, usual int) (chosen []int, scores []float64) {
	ranking := p.rankSentences(list)
	chosen = p.boundOthers(list, ranking.Scores, ranking.Choose(cmp.Or(p.Words, usual)))
	for _, i := range chosen {
		p.Length += wording.Words(list[i].Plain)
	}
	return chosen, ranking.Scores
}

// begins matches the marks that would start a heading, a list, a quote, a table or code at the beginning of a line. A
// sign right before a word or a number does not match, because it has a meaning.
var begins = lazyregexp.New("^(?:[|>:=]+ *|#+|[-+*](?: +|$)|~{3,}|`{3,}|={2,}$|-{3,}(?: +|$))")

// putInline is text of a note within a line of ours: no line of it can begin something.
func putInline(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for cut := begins().FindString(text); cut != ""; cut = begins().FindString(text) {
		if rest, ok := strings.CutPrefix(text, "=="); ok && strings.Count(text, "==")%2 == 0 && strings.TrimLeft(rest, "= ") == rest {
			break // words that are marked
		}
		text = text[len(cut):]
	}
	return text
}

// asHeading is text of a note as a heading of ours.
func asHeading(text string) string {
	return strings.Trim(putInline(material.Plain(material.WithoutBrackets(text))), " #:")
}
