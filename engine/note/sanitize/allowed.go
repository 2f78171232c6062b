package sanitize

import (
	"strings"

	"vaultdispatcher/engine/lazyregexp"
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
