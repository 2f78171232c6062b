package sanitize

import (
	"strings"

	"github.com/yuin/goldmark/util"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// What an answer may hold besides text and code.
var (
	// autoLink is a plain link, emphasis the HTML that stays, and imageTag an image
	// of the network, which becomes a plain link.
	autoLink = lazyregexp.New("^<(?:https?://|mailto:)[^\\s<>\\[\\]\\\\`{}%$]+(?:%[^\\s<>\\[\\]\\\\`{}%$]+)*>")
	emphasis = lazyregexp.New(`(?i)^</?(?:b|i|em|strong|u|s|sub|sup|kbd|mark|del|ins|small|br) ?/?>`)
	imageTag = lazyregexp.New("(?i)^<img\\s[^<>`]*?\\bsrc\\s*=\\s*[\"']?(https?://[^\\s\"'<>\\[\\]\\\\`{}%$]+)[^<>`]*>")

	// Images and embeds of the vault itself, whose names may have any letters.
	embedded   = lazyregexp.New("^!\\[\\[(?:[^\\[\\]\n<>`:\\\\]|\\\\\\|)+\\]\\]")
	localImage = lazyregexp.New("^!\\[(?:[^\\[\\]\n<>`\\\\]|\\\\[{}!@:^=#])*\\]\\((?:(?:" + nameSign + "|/" + nameSign + ")+/?|<(?:" + nameSign + "|/" + nameSign + ")+>)" +
		"(?:[ \\t]+(?:\"[^\"<>\\[\\]\\\\`{}$%@|\n]*\"|'[^'<>\\[\\]\\\\`{}$%@|\n]*'))?\\)")
)

// nameSign is a character, or a word in brackets, of the name of a picture.
const nameSign = `(?:[\p{L}\p{M}\p{N}_.% +,~@!=-]|\([\p{L}\p{M}\p{N}_.% +,~@!=-]*\))`

// isOfVault reports whether an image or embed of the vault begins s.
func isOfVault(s string) bool {
	if m := embedded().FindString(s); m != "" { // before a target it is an image of that
		return !isUnsafeNoteLink(m[3:]) && (len(m) == len(s) || strings.IndexByte("([:", s[len(m)]) < 0)
	}
	m := localImage().FindString(s)
	return m != "" && !climbs(m[strings.Index(m, "](")+2:])
}

// writeImage decides about one or more '!' at i. Before an image of the vault they stay; before any other image they go,
// and it is a link. Before other brackets the last one is marked as a character.
func (w *textRewriter) writeImage(i int) int {
	next := i + note.RunLength([]byte(w.in[i:]))
	switch {
	case strings.HasPrefix(w.in[next:], `\[`): // in the text of a link marked does not see the backslash
		if i < w.mathEnd {
			return w.writeFor(w.in[i:next]+" ", next)
		}
		w.WriteString(w.in[i:next-1] + `\!`)
	case !strings.HasPrefix(w.in[next:], "["):
		w.WriteString(w.in[i:next])
	case isOfVault(w.in[next-1:]): // marked takes a quote in its text for the end of an attribute
		w.altEnd = next + strings.IndexByte(w.in[next:], ']')
		w.WriteString(w.in[i:next])
	case !w.isImage(next):
		w.WriteString(w.in[i:next-1] + `\!`)
	}
	return next
}

// isImage reports whether the brackets at i, with a ! before them, are or may be an image.
func (w *textRewriter) isImage(i int) bool {
	near := w.in[i:min(len(w.in), i+maxTarget)]
	depth := 0
	for at := 0; at < len(near); at++ {
		switch near[at] {
		case '\\':
			at++
		case '[':
			depth++
		case ']':
			if depth--; depth > 0 {
				continue
			}
			_, isName := w.code.byLabel[util.ToLinkReference([]byte(near[1:at]))]
			return isName || strings.HasPrefix(near, "[[") || at+1 < len(near) && strings.IndexByte("([:", near[at+1]) >= 0
		}
	}
	return true
}
