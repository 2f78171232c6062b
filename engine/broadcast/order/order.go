// Package order is pure text: it reads what a person wants to have made, out of the words
// of a question.
//
//	o := order.Parse("study guide of [[Espresso]] length: short")
//
// # Promises
//
// Options win over words, and words inside a link, a tag or a folder name no kind. What is
// not understood stays in [Order.Topic] and is looked for; nothing is refused here.
package order

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// Order is what is to be made.
type Order struct {
	Kind    string   // one of [Kinds], or one of [Later]; "" where none is named
	Also    string   // a second kind that is named together with it, as in quiz and cards
	Unknown string   // what kind: says, where that is no kind
	Words   int      // how long it is to be; 0 = as usual
	Length  string   // what length: says, where that is no length
	Without []string // options that are given and need an agent: "lang", "for", "voices"
	Lang    string   // to write in; "" = as the notes
	For     string   // who reads it
	Voices  []string // who speak
	Sources []Source // what is named, in order, each once
	Topic   string   // the words that are left
}

// Source is one thing that an order names. One field is set, or Note and Heading.
type Source struct{ Note, Heading, Tag, Folder string }

// Kinds are the names of what can be made, each with the words that ask for it.
var Kinds = []struct {
	Name  string
	Words []string
}{
	{"briefing", []string{"briefing", "brief", "summary", "summarise", "summarize", "report", "overview"}},
	{"study-guide", []string{"study guide", "study-guide", "learning guide"}},
	{"faq", []string{"faq", "faqs", "questions and answers", "q&a"}},
	{"timeline", []string{"timeline", "time line", "chronology"}},
	{"glossary", []string{"glossary", "definitions", "terms"}},
	{"table", []string{"comparison table", "comparison", "compare", "table", "csv"}},
	{"reading-list", []string{"reading list", "reading-list", "bibliography"}},
	{"mind-map", []string{"mind map", "mind-map", "mindmap", "canvas"}},
	{"slides", []string{"slides", "slide deck", "slide show", "slideshow", "presentation", "deck"}},
	{"cards", []string{"flashcards", "flash cards", "flashcard", "cards", "anki"}},
	{"quiz", []string{"quiz", "test me"}},
	{"audio", []string{"audio overview", "audio", "podcast", "read aloud", "mp3", "wav"}},
	{"dialogue", []string{"dialogue", "dialog", "conversation"}},
}

// Later are the kinds that cannot be made yet, as [Kinds].
var Later = []struct {
	Name  string
	Words []string
}{
	{"video", []string{"video overview", "video"}},
	{"infographic", []string{"infographic", "poster"}},
}

var (
	link   = lazyregexp.New(`!?\[\[([^\[\]|#\n]*)(?:#([^\[\]|\n]*))?(?:\|[^\[\]\n]*)?\]\]`)
	tag    = lazyregexp.New(`(^|[\s(,])#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)`)
	folder = lazyregexp.New(`(^|[\s(,:])([^\s\[\](),:;"']+/)([\s),.;]|$)`)
	quoted = lazyregexp.New(`"([^"\n]+/)"`) // a folder whose name has blanks
	from   = lazyregexp.New(`(?i)(^|[\s,;(])from:[ \t]*"([^"\n]*)"`)
	words  = lazyregexp.New(`(?i)(^|[\s,;(])(?:(lang|language|for|voices):[ \t]*("[^"\n]*")|(lang|language):[ \t]*([^\s,;"]+))`) // options that name no source
	option = lazyregexp.New(`(?i)(^|[\s,;(])(kind|length|lang|language|for|voices|from):[ \t]*("[^"\n]*"|[^\s,;]+)`)
	number = lazyregexp.New(`^(\d{1,5})\s*(w|words?|min|m|minutes?)?$`)
)

// wordsPerMinute is how fast a text is read aloud.
const wordsPerMinute = 150

// Parse reads an order.
func Parse(instruction string) Order {
	var o Order
	text := straighten(strings.Join(strings.Fields(instruction), " "))
	text = o.takeSpaced(text)
	text = o.takeWords(text)
	text = o.takeSources(text)
	text = o.takeOptions(text)
	if o.Kind == "" && o.Unknown == "" {
		o.Kind = findKind(text)
		o.Also = findAlso(text, o.Kind)
	}
	o.Topic = trimTopic(text)
	return o
}

func (o *Order) addSource(s Source) {
	if !slices.Contains(o.Sources, s) {
		o.Sources = append(o.Sources, s)
	}
}

// takeSources takes links, tags and folders out of a text.
func (o *Order) takeSources(text string) string {
	text = replaceEach(link(), text, func(m []string) string {
		if name := strings.TrimSpace(m[1]); name != "" {
			o.addSource(Source{Note: name, Heading: lastHeading(m[2])})
		}
		return " "
	})
	text = o.takeLinks(text)
	text = replaceEach(from(), text, func(m []string) string {
		o.takeFrom(m[2])
		return m[1]
	})
	text = replaceEach(quoted(), text, func(m []string) string {
		o.addSource(Source{Folder: strings.Trim(m[1], "/")})
		return " "
	})
	text = replaceEach(tag(), text, func(m []string) string {
		o.addSource(Source{Tag: m[2]})
		return m[1]
	})
	return replaceEach(folder(), text, func(m []string) string {
		if strings.Contains(m[2], "//") || strings.Trim(m[2], "/.") == "" {
			return m[0]
		}
		o.addSource(Source{Folder: strings.Trim(m[2], "/")})
		return m[1] + m[3]
	})
}

// lastHeading is the innermost heading of a link to one.
func lastHeading(anchor string) string {
	return strings.TrimSpace(anchor[strings.LastIndexByte(anchor, '#')+1:])
}

func replaceEach(r *regexp.Regexp, text string, with func(m []string) string) string {
	return r.ReplaceAllStringFunc(text, func(found string) string { return with(r.FindStringSubmatch(found)) })
}

// takeOptions takes the options out of a text.
func (o *Order) takeOptions(text string) string {
	return replaceEach(option(), quoteReader(text), func(m []string) string {
		value := valueOf(m[3])
		switch name := strings.ToLower(m[2]); name {
		case "kind":
			if o.Kind = findKind(value); o.Kind == "" {
				o.Unknown = value
			}
		case "length":
			o.setLength(value)
		case "from":
			o.takeFrom(value)
		default:
			o.follow(name, value)
		}
		return m[1]
	})
}

// takeWords takes the options that are words out of a text before a source is looked for in them: a
// language with a slash is no folder.
func (o *Order) takeWords(text string) string {
	return replaceEach(words(), text, func(m []string) string {
		o.follow(strings.ToLower(m[2]+m[4]), valueOf(m[3]+m[5]))
		return m[1]
	})
}

// follow takes an option that only an agent can follow.
func (o *Order) follow(name, value string) {
	name = strings.Replace(name, "language", "lang", 1)
	if !slices.Contains(o.Without, name) {
		o.Without = append(o.Without, name)
	}
	switch name {
	case "lang":
		o.Lang = value
	case "for":
		o.For = value
	case "voices":
		for voice := range strings.SplitSeq(value, ",") {
			if voice = strings.TrimSpace(voice); voice != "" && !slices.Contains(o.Voices, voice) {
				o.Voices = append(o.Voices, voice)
			}
		}
	}
}

// takeFrom takes the value of from:, which is a tag, a folder or a note; one with commas is several.
func (o *Order) takeFrom(value string) {
	for name := range strings.SplitSeq(value, ",") {
		switch name = strings.TrimSpace(name); {
		case name == "":
		case strings.HasPrefix(name, "#"):
			o.addSource(Source{Tag: name[1:]})
		case strings.HasSuffix(name, "/"):
			o.addSource(Source{Folder: strings.Trim(name, "/")})
		default:
			name, heading, _ := strings.Cut(name, "#")
			o.addSource(Source{Note: strings.TrimSpace(name), Heading: lastHeading(heading)})
		}
	}
}

// countWords is how many words a length means.
func countWords(value string) int {
	switch strings.ToLower(value) {
	case "short", "brief":
		return 120
	case "medium", "default":
		return 300
	case "long", "detailed":
		return 800
	}
	m := number().FindStringSubmatch(strings.ToLower(value))
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	if strings.HasPrefix(m[2], "m") {
		n *= wordsPerMinute
	}
	return min(n, 10_000)
}

// findKind is the kind that a text names first, and of those that begin there the one
// with the longest name.
func findKind(text string) string {
	text = toLower(text)
	if m := asKind().FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	found, at, longest := "", len(text), 0
	for _, list := range [][]struct {
		Name  string
		Words []string
	}{Kinds, Later} {
		for _, k := range list {
			for _, w := range append([]string{k.Name}, k.Words...) {
				i := indexWord(text, w)
				if i >= 0 && (i < at || i == at && len(w) > longest) {
					found, at, longest = k.Name, i, len(w)
				}
			}
		}
	}
	return found
}

// toLower leaves every letter in its place: some others are longer or shorter in lower case.
func toLower(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if c >= 'A' && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return string(lower)
}

// indexWord is where a text has a word that stands alone, or -1.
func indexWord(text, word string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		if isEdge(text, i-1) && isEdge(text, i+len(word)) {
			return i
		}
		from = i + len(word)
	}
}

func isEdge(text string, i int) bool {
	return i < 0 || i >= len(text) || !(text[i] >= 'a' && text[i] <= 'z' || text[i] >= '0' && text[i] <= '9' || text[i] >= 0x80 || text[i] == '-')
}

// fillers are words of an order that name nothing to look for.
var fillers = lazyregexp.New(`(?i)\b(?:please|make|create|write|prepare|generate|give|me|us|a|an|the|of|on|about|from|for|with|and|as|short|long|new|this|that|note|notes|page|section|into|out|all|my|our|to|it|in|is|what|together|everything|folder|tag|tagged|linked|here|some|turn|do|sum|up|put|build)\b`)

// trimTopic is what an order names beside its kind.
func trimTopic(text string) string {
	lower := toLower(text)
	for _, k := range Kinds {
		for _, w := range k.Words {
			if i := indexWord(lower, w); i >= 0 {
				text = text[:i] + strings.Repeat(" ", len(w)) + text[i+len(w):]
				lower = toLower(text)
			}
		}
	}
	text = fillers().ReplaceAllString(text, " ")
	return strings.Trim(strings.Join(strings.Fields(text), " "), " .,;:!?()")
}
