// Package wikilink is pure text. It finds the links of a text in double brackets, [[Note#Heading|label]], which are on one
// line and have no other bracket in them.
package wikilink

import "strings"

// Link is a link in a text.
type Link struct {
	Start, End int    // with its brackets, and the ! of what is embedded
	IsEmbed    bool   // there is a ! before it
	To         string // a note, and a heading or block of it behind a #
	Label      string // what is behind the |
}

// At returns the link that a text begins with.
func At[T string | []byte](text T) (l Link, ok bool) {
	l.IsEmbed = len(text) > 0 && text[0] == '!'
	if l.IsEmbed {
		l.End = 1
	}
	if len(text) < l.End+4 || text[l.End] != '[' || text[l.End+1] != '[' {
		return Link{}, false
	}
	from := l.End + 2
	for l.End = from; l.End < len(text) && text[l.End] != '[' && text[l.End] != ']' && text[l.End] != '\n'; l.End++ {
	}
	if l.End+1 >= len(text) || text[l.End] != ']' || text[l.End+1] != ']' {
		return Link{}, false
	}
	l.To, l.Label, _ = strings.Cut(string(text[from:l.End]), "|")
	l.End += 2
	return l, true
}

// WithoutLabel returns a link in its shortest form: what it shows to a reader is where it leads. Any other text stays as it is.
func WithoutLabel(link string) string {
	if l, ok := At(link); ok {
		return "[[" + l.To + "]]"
	}
	return link
}

// Next returns the first link of a text at or behind an offset.
func Next(text string, from int) (Link, bool) {
	for at := from; ; at++ {
		i := strings.Index(text[at:], "[[")
		if i < 0 {
			return Link{}, false
		}
		at += i
		start := at
		if at > from && text[at-1] == '!' {
			start--
		}
		if l, ok := At(text[start:]); ok {
			l.Start, l.End = start, l.End+start
			return l, true
		}
	}
}

// Replace puts something else in the place of each link.
func Replace(text string, by func(Link) string) string {
	var b strings.Builder
	from := 0
	for l, ok := Next(text, 0); ok; l, ok = Next(text, from) {
		b.WriteString(text[from:l.Start] + by(l))
		from = l.End
	}
	return b.String() + text[from:]
}

// Beginnings are where links of a text begin, closed or not: from the first ! or bracket of each to its target.
func Beginnings(text string) (found [][]int) {
	for at := 0; ; {
		i := strings.Index(text[at:], "[[")
		if i < 0 {
			return found
		}
		start := len(strings.TrimRight(text[:at+i], "!"))
		at = len(text) - len(strings.TrimLeft(text[at+i:], "["))
		found = append(found, []int{start, at})
	}
}

// Shown is a text without the targets of links that show a label instead. A label may be cut or go on in other lines.
func Shown(text string) string {
	shown := strings.Split(text, "[[")
	for i, link := range shown[1:] {
		to, label, ok := strings.Cut(link, "|")
		brackets := len(to) - len(strings.TrimLeft(to, "["))
		if shown[i+1] = to[:brackets] + label; !ok || strings.ContainsAny(to[brackets:], "[]") {
			shown[i+1] = "[[" + link
		}
	}
	return strings.Join(shown, "")
}

// Remove takes the links out of a text.
func Remove(text string) string { return Replace(text, func(Link) string { return "" }) }
