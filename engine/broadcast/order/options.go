package order

import (
	"strconv"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// This file reads what people write in more than one way: options with blanks in them, typographic quotes, links
// of markdown.

var (
	foreign = lazyregexp.New(`(?i)(^|[\s,;(，、])(` + anyOf(options) + `)[ \t]*[:：][ \t]*`)
	curly   = lazyregexp.New(`(?i)\b(kind|length|lang|language|for|voices|from):[ \t]*[“”„]([^“”„"\n]*)[“”„]`)
	spaced  = lazyregexp.New(`(?i)(^|[\s,;(])(?:kind:[ \t]*(` + anyOf(Kinds, Later) + `)|length:[ \t]*(\d{1,5}[ \t]+(?:` + units + `|` + noUnits + `)))\b`)
	asKind  = lazyregexp.New(`(?i)\b(?:(?:as|into)(?: an?)?|brief|als|como|comme) (` + anyOf(Kinds, Later) + `)\b`) // how what is named before or after is to be made
	pair    = lazyregexp.New(`(?i)\b(` + anyOf(Kinds, Later) + `)(?:,| and|, and| und| et| y| &| \+)(?: an?)? (` + anyOf(Kinds, Later) + `)\b`)
	reader  = lazyregexp.New(`(?i)(^|[\s,;(])for:[ \t]*([^\s,;"#]+(?: [^\s,;"#]+)+)`)
	ending  = lazyregexp.New(`(?i)^(?:(?:of|about|from|on|in|as|with|into|and|please)\b|\w+:|(?:an? )?(?:` + anyOf(Kinds, Later) + `)\b)`) // the beginning of another part of an order
	// a length in prose: right before what is made, right behind it, or at the end of the line
	before = lazyregexp.New(`(?i)(?:^|[\s,;(，、\p{Han}\p{Hiragana}])(` + lengthWords + `)(?:[ -]+|的|の)?$`)
	behind = lazyregexp.New(`(?i)^(?:,?[ ]+(` + lengthWords + `)|,?[ ]+(?:` + ofLength + `)[ ]+(` + measured + `))(?:$|[\s,.!?])`)
	atEnd  = lazyregexp.New(`(?i)(?:[,，、][ \t]*(` + lengthWords + `)|[ \t](?:` + ofLength + `)[ \t]+(` + measured + `))(?:,? (?:please|bitte|por favor|svp))?[ .!?。]*$`)

	mdNote = lazyregexp.New(`!?\[[^\[\]\n]*\]\(<?([^()<>:\n]+\.md)(?:#([^()<>\n]*))?>?\)`)
)

const (
	measured = `\d{1,5}[ -]?(?:` + unitWords + `|` + noUnits + `)`
	ofLength = `in|of|with|within|about|max|mit|von|auf|en|de|avec|con|à`
)

var lengthWords = measured + `|` + anyOf(lengths)

// takeLength takes a length in prose out of a text from which the sources and options are taken already.
func (o *Order) takeLength(text string) string {
	if o.Words > 0 || o.Length != "" {
		return text
	}
	if at := findWord(text, Kinds, Later); at.name != "" {
		if m := before().FindStringSubmatchIndex(text[:at.start]); m != nil {
			o.setLength(strings.ReplaceAll(text[m[2]:m[3]], "-", " "))
			return text[:m[2]] + text[at.start:]
		}
		if m := behind().FindStringSubmatch(text[at.end:]); m != nil {
			o.setLength(strings.ReplaceAll(m[1]+m[2], "-", " "))
			return text[:at.end] + " " + text[at.end+len(m[0]):]
		}
	}
	m := atEnd().FindStringSubmatch(text)
	if m == nil {
		return text
	}
	o.setLength(strings.ReplaceAll(m[1]+m[2], "-", " "))
	return strings.TrimSuffix(text, m[0])
}

// findAlso is the kind that is named right behind a kind, or "".
func findAlso(text, kind string) string {
	m := pair().FindStringSubmatch(text)
	if m == nil || findKind(m[1]) != kind || findKind(m[2]) == kind {
		return ""
	}
	return findKind(m[2])
}

// renameOptions gives options their English names.
func renameOptions(text string) string {
	return replaceEach(foreign(), text, func(m []string) string {
		return strings.Trim(m[1], "，、") + " " + findWord(m[2], options).name + ": "
	})
}

// straighten puts straight quotes around the values of options.
func straighten(text string) string { return curly().ReplaceAllString(text, `$1: "$2"`) }

// takeSpaced takes the kinds and lengths that have blanks in them out of a text.
func (o *Order) takeSpaced(text string) string {
	return replaceEach(spaced(), text, func(m []string) string {
		if m[2] != "" {
			o.Kind = findKind(m[2])
		} else {
			o.setLength(m[3])
		}
		return m[1]
	})
}

// mostReader is how many words for: has at most without quotes.
const mostReader = 5

// quoteReader puts quotes around the words behind for:, up to what begins something else. What was taken out of the text
// before has left two blanks.
func quoteReader(text string) string {
	return replaceEach(reader(), text, func(m []string) string {
		list := strings.Split(m[2], " ")
		n := 1
		for n < len(list) && !ending().MatchString(strings.Join(list[n:], " ")) {
			n++
		}
		if n == 1 || n > mostReader {
			return m[0]
		}
		return m[1] + `for: "` + strings.Join(list[:n], " ") + `" ` + strings.Join(list[n:], " ")
	})
}

// valueOf is the value of an option, without its quotes, else without what ends a sentence there.
func valueOf(text string) string {
	if value := strings.TrimRight(text, ".:;!?"); value != "" && text[0] != '"' {
		return value
	}
	return strings.Trim(text, `"`)
}

// setLength sets how long it is to be, or keeps what is no length.
func (o *Order) setLength(value string) {
	if o.Words = countWords(value); o.Words == 0 {
		o.Length = value
	}
}

var escape = lazyregexp.New(`%[0-9A-Fa-f]{2}`)

// decode is the target of a link without its escapes.
func decode(text string) string {
	return strings.ToValidUTF8(escape().ReplaceAllStringFunc(text, func(found string) string {
		code, _ := strconv.ParseUint(found[1:], 16, 8) // two digits
		return string([]byte{byte(code)})
	}), "")
}

// takeLinks takes links of markdown to notes out of a text.
func (o *Order) takeLinks(text string) string {
	return replaceEach(mdNote(), text, func(m []string) string {
		name, heading := decode(m[1]), decode(m[2])
		if strings.ContainsAny(name+heading, "\n\x00") {
			return m[0]
		}
		o.addSource(Source{Note: strings.TrimSuffix(name, ".md"), Heading: lastHeading(heading)})
		return " "
	})
}
