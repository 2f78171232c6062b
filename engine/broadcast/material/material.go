// Package material is pure text: the notes that something is made of, as sentences that know their places.
//
// Package gather fills a [Set]; the kinds read it with [Set.Sentences], and its facts with [Set.Terms], [Set.Titles],
// [Set.Questions], [Note.Facts] and [Sentence.CutBold].
//
// # Promises
//
// A sentence is here as it is in its note, except for line ends within it and for the
// marks that mean nothing outside of it: names of blocks, footnotes, pictures, targets of
// links that lead from there to beside it, emphasis that does not close.
package material

import (
	"cmp"
	"slices"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// Set is what something is made of.
type Set struct {
	Title   string  // the subject
	Named   string  // the sources that the order names; "" = none
	Notes   []Note  // the best first
	Omitted []Left  // the sources left out, and why
	Asked   []Asked // before, in these notes

	sentences []Sentence // once they were asked for
}

// Asked is a question that was asked in a note and replaced there by its answer.
type Asked struct {
	Question string
	Answer   []string // its first sentences
	Note     int      // which note of the set
	Day      string
	ByAgent  bool // an agent wrote the answer
}

// Left is a source that was not used.
type Left struct{ Rel, Reason string }

// Rank is how near a note is to what was asked for.
type Rank int

// The ranks, the nearest first.
const (
	Named   Rank = iota // the order names it, or it is the note that asks
	Linked              // such a note links to it
	Related             // it speaks of the same
)

// Note is one source.
type Note struct {
	Rel, Title string
	Rank       Rank
	Date       string     // of its name or its properties, as 2026-03-01; "" for none
	Properties []Property // in the order of the note
	Blocks     []Block
	Links      int // how many notes of the set link to it

	// Link is a link to the note, or to a heading of it, with a label.
	Link func(heads []string, label string) string
}

// Property is one line of the front matter.
type Property struct{ Key, Value string }

// Kind is what a block is.
type Kind int

// The kinds of blocks. Code is not among them: nothing is quoted from it.
const (
	Paragraph Kind = iota
	Item           // of a list
	Row            // of a table
	Heading        // Text is the heading, Path ends with it
)

// Block is a part of a note that belongs together.
type Block struct {
	Kind   Kind
	Path   []string // headings above as they are read, outermost first, without one that repeats the title
	Anchor []string // the names that a link to the last of them uses
	Depth  int      // columns an item is indented
	IsTask bool     // an item with a box
	Text   string   // without the marks of list, quote and table

	sentences []string // once they were asked for
}

// Sentences are the sentences of a block.
func (b *Block) Sentences() []string {
	if b.sentences == nil {
		b.sentences = Split(b.Text)
	}
	return b.sentences
}

// Heading is the innermost heading above a block, "" for none.
func (b Block) Heading() string {
	if len(b.Path) == 0 {
		return ""
	}
	return b.Path[len(b.Path)-1]
}

// pointers are headings of lists that lead elsewhere.
var pointers = lazyregexp.New(`(?i)^(?:references|see also|related(?: (?:notes|pages|links|topics))?|links?|(?:further|more) (?:reading|information)|resources|sources|(?:table of )?contents|toc|footnotes|referenzen|quellen|siehe auch|weiterführendes|verweise|inhalt|références|voir aussi|liens|sources|sommaire|referencias|véase también|enlaces|fuentes|参考(?:文献|资料|資料)?|参照|関連項目|参见|相关链接)$`)

// IsPointers reports whether a heading is one of a list that leads elsewhere. Below it is nothing of the note's
// subject.
func IsPointers(heading string) bool { return pointers().MatchString(heading) }

// Sentence is one sentence of a source.
type Sentence struct {
	Text  string // as in its note
	Plain string // as it is read
	Note  int    // which note of the set
	Block int    // which block of that
	First bool   // of its section

	Copies []Sentence // its other places, if an agent wrote it
}

// weights are what a sentence counts for how its note was found.
var weights = map[Rank]float64{Named: 1, Linked: 0.5, Related: 0.35}

// fragment is what a sentence counts that says little by itself: an item of a list that is no whole one, one about what the
// sentence before it names, or an exclamation.
const fragment = 0.5

// Weight is how much a sentence counts when it is chosen, 0 to 1.
func (s *Set) Weight(t Sentence) float64 {
	note, block := s.Place(t)
	if block.Kind == Item && !isWhole(t.Plain) || t.followsOn() || strings.HasSuffix(t.Plain, "!") {
		return fragment * weights[note.Rank]
	}
	return weights[note.Rank]
}

// Place is the note and block of a sentence.
func (s *Set) Place(t Sentence) (*Note, *Block) {
	n := &s.Notes[t.Note]
	return n, &n.Blocks[t.Block]
}

// NoBlock is the block of a sentence from an answer.
const NoBlock = -1

// Cite returns a link to the place of a sentence.
func (s *Set) Cite(t Sentence, label string) string {
	if t.Block == NoBlock {
		return s.Notes[t.Note].Link(nil, label)
	}
	n, b := s.Place(t)
	return n.Link(b.Anchor, label)
}

// mostSentences bounds what is ranked. What is more is left to the notes that are nearer.
const mostSentences = 600

// Sentences are all sentences of the set that may be quoted, in the order of the notes.
func (s *Set) Sentences() []Sentence {
	if s.sentences == nil {
		for i := range s.Notes {
			s.sentences = append(s.sentences, sentencesOf(i, s.Notes[i].Blocks, max(10, mostSentences/len(s.Notes)))...)
		}
	}
	return s.sentences
}

// sentencesOf are the sentences of a note; of a long one those of each section in turn, so that
// no part of it is left out for standing late.
func sentencesOf(note int, blocks []Block, most int) []Sentence {
	var found []Sentence
	var turns []int
	section, nth := "", 0
	seen := make(map[string]bool)
	for i := range blocks {
		b := &blocks[i]
		if b.Kind == Heading || b.Kind == Row || IsPointers(b.Heading()) || isAboveOthers(blocks, i) {
			continue
		}
		if key := join(b.Anchor); key != section {
			section, nth = key, 0
		}
		for _, text := range b.Sentences() {
			plain := Plain(text)
			if seen[plain] || !isSentence(text, plain) || b.Kind == Item && isPhrase(plain) {
				continue
			}
			seen[plain] = true
			found = append(found, Sentence{Text: text, Plain: plain, Note: note, Block: i, First: nth == 0})
			turns = append(turns, nth)
			nth++
		}
	}
	if len(found) <= most {
		return found
	}
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(turns[a], turns[b]) })
	order = order[:most]
	slices.Sort(order)
	kept := make([]Sentence, 0, most)
	for _, i := range order {
		kept = append(kept, found[i])
	}
	return kept
}

// isAboveOthers reports whether a block is the headline of the items below it: it is short and has no stop.
func isAboveOthers(blocks []Block, i int) bool {
	if i+1 == len(blocks) || blocks[i+1].Kind != Item || blocks[i].Kind != Paragraph && (blocks[i].Kind != Item || blocks[i+1].Depth <= blocks[i].Depth) {
		return false
	}
	return !strings.ContainsAny(blocks[i].Text, ".!。！\n") && len(blocks[i].Text) < longestHeadline
}

const longestHeadline = 80

func join(parts []string) string {
	text := ""
	for _, p := range parts {
		text += p + "\n"
	}
	return text
}
