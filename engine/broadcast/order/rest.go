package order

import (
	"slices"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// This file sorts the words of a line that are neither options nor sources.

// The columns of the tables that are read in a way of their own.
const (
	chinese  = 4
	japanese = 5
	columns  = 6
)

var (
	token = lazyregexp.New(`[\pL\pN_'’-]+`)
	names = lazyregexp.New(`[\["#]|(?:^|\s)\S+/(?:[\s),.;]|$)|\b(?:kind|length|lang|language|for|voices|from):`) // where a source or an option begins
)

// readRest fills Topic, which the remaining words of a line are about, the wishes that nothing here fulfils, and Rest.
func (o *Order) readRest(line, text string, lang int) {
	rest := without(text, Kinds)
	before, after, isAbout := cutAbout(rest, lang)
	switch {
	case len(o.Sources) > 0:
		o.Topic = strip(rest, lang)
		o.Rest = strip(without(rest, Later), lang)
	case isAbout:
		o.Topic, o.Rest = strip(o.subjectIn(text, rest, after, lang), lang), strip(before, lang)
	default:
		o.Topic = strip(rest, lang)
	}
	head := line
	if at := names().FindStringIndex(line); at != nil {
		head = line[:at[0]]
	}
	if at := findWord(head, Kinds, Later); at.name != "" {
		head = head[:at.start]
	}
	if !isAbout || lang != japanese {
		head, _, _ = cutAbout(head, lang)
	}
	head = strip(without(head, lengths), lang)
	follows := isAbout || len(o.Sources) > 0
	if head == "" && o.Kind == "" { // the verb may come last
		head, follows = o.Topic, false
	}
	switch at := findWord(head, others); {
	case at.name != "" && (at.start == 0 || lang >= chinese && o.Kind == ""):
		o.Foreign = head[at.start:at.end]
	case o.Kind == "" && o.Unknown == "" && head != "" && follows:
		o.Foreign = head
	}
}

// subjectIn is the part of a text that stands where after does in rest, which is the text without the names of kinds: flashcards may be
// the subject of a briefing. Where a second kind is asked for, or how the subject is to be made, those names stay out.
func (o *Order) subjectIn(text, rest, after string, lang int) string {
	part := text[len(rest)-len(after):]
	if lang == japanese {
		part = text[:len(after)]
	}
	if o.Second != "" || asKind().MatchString(part) || findWord(text[:len(text)-len(part)], Kinds, Later).name == "" && lang != japanese {
		return after
	}
	return part
}

// languageOf is the column of the tables that has most of a text's words; of equal ones the first.
func languageOf(text string) int {
	counts := [columns]int{}
	lower := toLower(text)
	for _, rows := range [][]row{scaffold, Kinds, Later, others} {
		for _, r := range rows {
			for n, w := range r.Words {
				if len(w) > 1 && indexWord(lower, w) >= 0 {
					counts[r.langs[n]]++
				}
			}
		}
	}
	best := 0
	for lang, n := range counts {
		if n > counts[best] {
			best = lang
		}
	}
	return best
}

// without is a text without the words of a table.
func without(text string, rows []row) string {
	for at := findWord(text, rows); at.name != ""; at = findWord(text, rows) {
		text = text[:at.start] + strings.Repeat(" ", at.end-at.start) + text[at.end:]
	}
	return text
}

// cutAbout parts a text at the first word that leads to what something is about. In Japanese that comes before it.
func cutAbout(text string, lang int) (before, after string, found bool) {
	at := place{start: len(text)}
	lower := toLower(text)
	for n, w := range scaffold[1].Words {
		if l := scaffold[1].langs[n]; l != 0 && l != lang {
			continue
		}
		if i := indexWord(lower, w); i >= 0 && i < at.start {
			at = place{"about", 0, i, i + len(w)}
		}
	}
	if at.name == "" {
		return text, "", false
	}
	if lang == japanese {
		return text[at.end:], text[:at.start], true
	}
	return text[:at.start], text[at.end:], true
}

// strip is a text without the words of English and of its own language that name nothing. Where there are no
// blanks between words they are taken from its ends alone.
func strip(text string, lang int) string {
	set, ends := make(map[string]bool), []string(nil)
	for _, r := range scaffold {
		for n, w := range r.Words {
			switch l := r.langs[n]; {
			case l != 0 && l != lang:
			case l >= chinese:
				ends = append(ends, w)
			default:
				set[w] = true
			}
		}
	}
	text = token().ReplaceAllStringFunc(text, func(word string) string {
		lower := toLower(word)
		parts := strings.FieldsFunc(lower, func(r rune) bool { return strings.ContainsRune("-'’", r) }) // fais-moi, what's
		if set[lower] || len(parts) > 1 && !slices.ContainsFunc(parts, func(part string) bool { return !set[part] }) {
			return " "
		}
		return word
	})
	text = trim(strings.Join(strings.Fields(text), " "))
	for again := true; again; {
		again = false
		for _, w := range ends {
			if cut := trim(strings.TrimSuffix(strings.TrimPrefix(text, w), w)); cut != text {
				text, again = cut, true
			}
		}
	}
	return text
}

func trim(text string) string { return strings.Trim(text, " &.,;:!?()。，、？！；：（）") }
