// Package order is pure text: it reads what a person wants to have made, out of the words
// of a question.
//
//	o := order.Parse("study guide of [[Espresso]] length: short")
//
// # Promises
//
// Options win over words, and words inside a link, a tag or a folder name no kind. Words that are
// not understood are in [Order.Rest] or [Order.Foreign]; nothing is refused here.
package order

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note/wikilink"
)

// Order is what is to be made.
type Order struct {
	Kind         string   // one of [Kinds], or one of [Later]; "" where none is named
	Second       string   // a second kind that is named together with it, as in quiz and cards
	Unknown      string   // the value of kind: that names no kind
	Words        int      // how long it is to be; 0 = as usual
	Length       string   // the value of length: that is no length
	AgentOptions []string // options that are given and need an agent: "lang", "for", "voices"
	Lang         string   // to write in; "" = as the notes
	Reader       string   // the readers
	Voices       []string // names of the speakers
	Sources      []Source // the sources named, in order, each once
	Topic        string   // the words that say what it is about
	Rest         string   // the words that are no kind, option, source or topic
	Foreign      string   // the thing asked for, if the Broadcaster does not make it
	Prose        string   // the line without its sources and options
	Related      bool     // also notes that the named ones link to, and that speak of the same
}

// Source is one thing that an order names. One field is set, or Note and Heading.
type Source struct{ Note, Heading, Tag, Folder string }

// AllNotes is the folder that all notes are in.
const AllNotes = "."

// ThisFolder stands for the folder of the note that asks. No order spells a folder so.
const ThisFolder = "./"

var (
	tag    = lazyregexp.New(`(^|[\s(,])#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)`)
	folder = lazyregexp.New(`(^|[\s(,:])([^\s\[\](),:;"']+/)([\s),.;]|$)`)
	quoted = lazyregexp.New(`"([^"\n]+/)"`) // a folder whose name has blanks
	from   = lazyregexp.New(`(?i)(^|[\s,;(])from:[ \t]*"([^"\n]*)"`)
	words  = lazyregexp.New(`(?i)(^|[\s,;(])(?:(lang|language|for|voices):[ \t]*("[^"\n]*")|(lang|language):[ \t]*([^\s,;"]+))`) // options that name no source
	option = lazyregexp.New(`(?i)(^|[\s,;(])(kind|length|lang|language|for|voices|from):[ \t]*("[^"\n]*"|[^\s,;]+)`)
	number = lazyregexp.New(`^(\d{1,5})\s*(` + units + `)?$`)
)

// units are those of a length.
const (
	units     = `w|m|` + unitWords
	noUnits   = `pages?|sentences?|paragraphs?|lines|seiten?|sätzen?|satz|absätzen?|zeilen|phrases?|paragraphes?|lignes|páginas?|frases?|párrafos?|líneas` // lengths that are not measured here
	unitWords = `words?|wörtern?|mots|palabras|字|mins?|minutes?|minuten|minutos?|分钟|分鐘|分`
)

// wordsPerMinute is how fast a text is read aloud.
const wordsPerMinute = 150

// Parse reads an order.
func Parse(instruction string) Order {
	var o Order
	text := straighten(renameOptions(strings.Join(strings.Fields(strings.ToValidUTF8(instruction, " ")), " ")))
	if at := findWord(text, related); at.name != "" {
		o.Related, text = true, strings.TrimSpace(text[:at.start]+text[at.end:])
	}
	line := text
	text = o.takeSpaced(text)
	text = o.takeWords(text)
	text = o.takeSources(text)
	text = o.takeLength(o.takeOptions(text))
	o.Prose = text
	if here := findWord(text, thisFolder); here.name != "" {
		o.addSource(Source{Folder: ThisFolder})
		text = text[:here.start] + text[here.end:]
	}
	all := findWord(text, whole)
	if all.name != "" {
		text = text[:all.start] + text[all.end:]
	}
	if o.Kind == "" && o.Unknown == "" {
		o.Kind = findKind(text)
		o.Second = findAlso(text, o.Kind)
	}
	lang := all.lang
	if lang == 0 {
		lang = languageOf(text)
	}
	o.readRest(line, text, lang)
	switch {
	case len(o.Sources) > 0 || trim(without(o.Topic, aFolder)) != "":
	case findWord(text, aFolder).name != "":
		o.Topic, o.Sources = "", []Source{{Folder: ThisFolder}}
	case all.name != "":
		o.Sources = []Source{{Folder: AllNotes}}
	}
	return o
}

func (o *Order) addSource(s Source) {
	if !slices.Contains(o.Sources, s) {
		o.Sources = append(o.Sources, s)
	}
}

// takeSources takes links, tags and folders out of a text.
func (o *Order) takeSources(text string) string {
	text = wikilink.Replace(text, func(l wikilink.Link) string {
		name, heading, _ := strings.Cut(l.To, "#")
		if name = strings.TrimSpace(name); name != "" {
			o.addSource(Source{Note: name, Heading: lastHeading(heading)})
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
	if !slices.Contains(o.AgentOptions, name) {
		o.AgentOptions = append(o.AgentOptions, name)
	}
	switch name {
	case "lang":
		o.Lang = value
	case "for":
		o.Reader = value
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

// wordsOf are the lengths that have a name.
var wordsOf = []int{120, 300, 800}

// countWords is how many words a length means.
func countWords(value string) int {
	value = toLower(value)
	for n, r := range lengths {
		if slices.Contains(r.Words, value) {
			return wordsOf[n]
		}
	}
	m := number().FindStringSubmatch(value)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	if m[2] == "m" || strings.HasPrefix(m[2], "min") || strings.HasPrefix(m[2], "分") {
		n *= wordsPerMinute
	}
	return min(n, 10_000)
}

// findKind returns the kind that a text names first. If several begin there, it returns the one with the longest
// name.
func findKind(text string) string {
	if m := asKind().FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	return findWord(text, Kinds, Later).name
}
