package sanitize

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/util"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/target"
)

// The forms that an answer may hold besides text and code.
var (
	// autoLink is a plain link, emphasis the allowed HTML, dressed a tag of it with attributes, which go, imageTag an image of the network, which becomes a
	// plain link, and loneRule a line that becomes a rule without HTML.
	autoLink   = lazyregexp.New("^<(?:(?:https?://|mailto:)[^\\s<>\\[\\]\\\\`{}%$]+(?:%[^\\s<>\\[\\]\\\\`{}%$]+)*|[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)+)>")
	emphasis   = lazyregexp.New(`(?i)^</?(?:abbr|b|i|em|strong|u|s|span|sub|sup|kbd|mark|del|ins|small|ruby|rt|rp|br) ?/?>`)
	bracketTag = lazyregexp.New(`(?i)^[ ()（）【】《》]{0,2}</rp>`)
	dressed    = lazyregexp.New("(?i)^<(abbr|span|sub|sup|kbd|mark|u)[ \t][^<>`\n]*>")
	loneRule   = lazyregexp.New(`(?i)^<hr ?/?>[ \t]*(?:\n|$)`)
	imageTag   = lazyregexp.New("(?i)^<img\\s[^<>`]*?\\bsrc\\s*=\\s*[\"']?(https?://[^\\s\"'<>\\[\\]\\\\`{}%$]+)[^<>`]*>")

	// Images and embeds of the vault itself, whose names may have any letters.
	embedded   = lazyregexp.New("^!\\[\\[(?:[^\\[\\]\n<>`:\\\\]|\\\\\\|)+\\]\\]")
	localImage = lazyregexp.New("^!\\[(?:[^\\[\\]\n<>`\\\\]|\\\\[{}!@:^=#])*\\]\\((?:(?:" + nameSign + "|/" + nameSign + ")+/?|<(?:" + nameSign + "|/" + nameSign + ")+>)" +
		"(?:[ \\t]+(?:\"[^\"<>\\[\\]\\\\`{}$%@|\n]*\"|'[^'<>\\[\\]\\\\`{}$%@|\n]*'))?\\)")
)

// nameSign is a character, or a word in brackets, of the name of a picture. An ampersand begins no name of a character.
const nameSign = `(?:[\w.% +,~@!=';$-]|[^\x00-\x7F\pC]|&[0-9A-Za-z]*(?:[_.% +,~@!='$-]|[^\x00-\x7F\pC])|\((?:[\w.% +,~@!='$-]|[^\x00-\x7F\pC])*\))`

// isOfVault reports whether an image or embed of the vault begins s.
func isOfVault(s string) bool {
	if m := embedded().FindString(s); m != "" { // before a target it is an image of that
		return !target.IsUnsafeNote(m[3:]) && !target.IsOfMachine(m[3:]) && (len(m) == len(s) || strings.IndexByte("([:", s[len(m)]) < 0)
	}
	m := localImage().FindString(s)
	if m == "" {
		return false
	}
	m = m[strings.Index(m, "](")+2:]
	return !target.Climbs(m) && !target.IsOfMachine(m)
}

// writeImage decides about one or more '!' at i. Before an image of the vault they stay; before any other image they go,
// and it is a link. Before other brackets the last one is marked as a character.
func (w *textRewriter) writeImage(i int) int {
	next := i + note.RunLength([]byte(w.input[i:]))
	switch {
	case strings.HasPrefix(w.input[next:], `\[`): // in the text of a link marked does not see the backslash
		if i < w.mathEnd {
			return w.writeFor(w.input[i:next]+" ", next)
		}
		w.WriteString(w.input[i:next-1] + `\!`)
	case !strings.HasPrefix(w.input[next:], "["):
		if i > 1 && i >= w.urlEnd && strings.EqualFold(w.input[i-2:i], "ai") { // see acts.Code
			w.WriteByte('\\')
		}
		w.WriteString(w.input[i:next])
	case isOfVault(w.input[next-1:]), w.namesPicture(next): // marked takes a quote in its text for the end of an attribute
		w.altEnd = next + strings.IndexByte(w.input[next:], ']')
		w.WriteString(w.input[i:next])
	case !w.isImage(next):
		w.WriteString(w.input[i:next-1] + `\!`)
	}
	return next
}

// namesPicture reports whether the brackets at i are to have the target of a picture of the vault.
func (w *textRewriter) namesPicture(i int) bool {
	end := i + strings.IndexByte(w.input[i:], ']')
	at := slices.IndexFunc(w.references, func(r replacement) bool { return r.start >= end })
	return at >= 0 && end > i && w.references[at].start == end && isOfVault("!"+w.input[i:end]+w.references[at].text)
}

// isImage reports whether the brackets at i, with a ! before them, are or may be an image.
func (w *textRewriter) isImage(i int) bool {
	near := w.input[i:min(len(w.input), i+target.Longest)]
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

// isLoneTag reports whether an opening tag of emphasis has no end in its paragraph: some readers would take all that follows
// in the note for what it emphasizes. Or holds two more of its name, or code with a tag in it: Logseq reads all of that as HTML.
func (w *textRewriter) isLoneTag(i int, tag string) bool {
	for len(w.code.tags) > 0 && w.code.tags[0] < i {
		w.code.tags = w.code.tags[1:]
	}
	name := strings.Fields(strings.Trim(tag, "</ >"))[0]
	if strings.EqualFold(name, "br") || tag[1] == '/' {
		return false
	}
	near := w.input[i+len(tag) : min(len(w.input), i+maxEmphasis)]
	if strings.EqualFold(name, "rp") { // a bracket beside a reading, and no word: browsers do not show it
		return !bracketTag().MatchString(near)
	}
	for depth, at := 1, 0; ; at++ {
		next := strings.IndexByte(near[at:], '<')
		if next < 0 || depth > 2 {
			return true
		}
		at += next
		inner, isEnd := strings.CutPrefix(near[at+1:], "/")
		if len(inner) <= len(name) || !strings.EqualFold(inner[:len(name)], name) || strings.IndexByte(" />", inner[len(name)]) < 0 {
			continue
		}
		if depth++; isEnd {
			depth -= 2
		}
		if depth == 0 {
			return blankLine().MatchString(near[:at]) || len(w.code.tags) > 0 && w.code.tags[0] < i+len(tag)+at
		}
	}
}

// maxEmphasis is how far the end of an emphasis is looked for.
const maxEmphasis = 2048
