// Package target tells where a link of an answer may lead: [IsSafe] judges a target, [IsUnsafe] the
// text behind a link's label. A spelling that hides where the link leads is not safe.
package target

import (
	"html"
	"path"
	"strconv"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

var expression = lazyregexp.New

// Blanks is what the trim() of JavaScript takes off, as far as an answer may hold it.
const Blanks = " \t\n\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\ufeff"

// LongestInlined is the longest target that a link is given.
const LongestInlined = 2048

// Longest is as much of a link's target as is read. It is enough to see the scheme, and a
// target whose first folder is longer is shown as text.
const Longest = 300

var (
	// outerTarget begins the targets outside the vault that stay.
	outerTarget = expression(`(?i)^(?:https?://|mailto:)`)

	// takesFile has a mail program put a file of the disk into a letter.
	takesFile = expression(`(?is)^mailto:.*[?&;]\s*attach`)

	// codedSign is a character spelled by its name or number, as a colon or slash might be.
	codedSign = expression(`(?i)&(?:#|[a-z][a-z0-9]*;)|%(?:3a|5c|2f)`)

	// linkGap is the possible space between a link's text and its target: to CommonMark at most one line end, with
	// the containers of the next line, to marked any blanks.
	linkGap    = expression(`^(?:[ \t\pZ]|\n[ \t>]*)*`)
	titleStart = expression(`^[ \t]*(?:\n[ \t>]*)?["'(]`)
	lastWord   = expression(`(?i)[a-z][a-z0-9+.-]*$`)
)

// TakesFile reports whether a link has a mail program put a file of the disk into a letter.
func TakesFile(link string) bool {
	return takesFile().MatchString(decodeBytes(html.UnescapeString(link))) || len(link) == Longest && strings.EqualFold(link[:7], "mailto:") // which is cut
}

// IsSafe reports whether a link's target, as it is spelled, leads to the network by
// http, to a mail address or into the vault. What is spelled in a way that hides
// where it leads is not safe.
func IsSafe(target string) bool {
	target = strings.Trim(target, Blanks) // https://github.com/markdown-it/mdurl/blob/master/lib/parse.mjs
	if outerTarget().MatchString(target) {
		return !TakesFile(target)
	}
	if Climbs(target) || len(target) >= Longest {
		return false
	}
	// A scheme ends before the first slash, a host of Emacs behind it, and others begin behind two of either kind; ~ is the
	// home: https://www.gnu.org/software/tramp/#File-name-syntax. Braces have a file put beside the page:
	// https://docs.getpelican.com/en/latest/content.html#linking-to-internal-content
	first := target
	i := strings.IndexAny(target, "/?#")
	if i > 0 && target[i] == '#' && target[i-1] == '&' {
		return false
	}
	if i == 0 {
		first = target[:min(2, len(target))]
		if first == "//" || strings.HasPrefix(first, "#") {
			return first != "//"
		}
		folder, _, _ := strings.Cut(target[1:], "/")
		if strings.HasPrefix(folder, "%5") || strings.HasPrefix(folder, "%2") || strings.Contains(folder, ":") {
			return false
		}
	} else if i > 0 {
		first = target[:i]
	}
	return !strings.ContainsAny(first, ":\\<>") && !strings.HasPrefix(first, "/&") && strings.TrimLeft(first, "{|~") == first && !codedSign().MatchString(first)
}

// spelled undoes what may hide a step up in a target.
var spelled = strings.NewReplacer("%2e", ".", "%2E", ".", "%2f", "/", "%2F", "/", "%5c", "/", "%5C", "/", `\`, "/")

// Climbs reports whether a target climbs, or may climb. One folder up at its beginning is allowed, because Logseq
// spells its own targets so (../assets/a.png); a higher climb may lead out of the vault.
func Climbs(target string) bool {
	if i := strings.IndexAny(target, "#?"); i >= 0 && !strings.HasSuffix(target[:i], "&") {
		target = target[:i]
	}
	if strings.Contains(target, "&") && signEntity().MatchString(target) {
		return true
	}
	for _, way := range []string{spelled.Replace(target), spelled.Replace(strings.ReplaceAll(target, `\`, ""))} {
		for _, name := range strings.Split(way, "/")[1:] {
			if strings.Trim(name, " )>") == ".." {
				return true
			}
		}
	}
	return false
}

var (
	// signEntity is a point, slash or colon by its name or number.
	signEntity = expression(`(?i)&(?:#|period;|sol;|bsol;|colon;)`)
	schemeOf   = expression(`^(?:~[\w-]*/|/[^/|]*:[^ ]|[A-Za-z][A-Za-z0-9+.-]*:[^ \t]|!(?:[\w-]*(?:[.:][\w.:-]*/|[ \t])|(?:brokenlinks|calendar|linkmap|map|orphans|pagestats|sidebar|toc)$))`) // or a host, or an order: https://v1.silverbullet.md/Federation, https://ikiwiki.info/ikiwiki/directive/
)

// IsUnsafeNote reports whether s, which begins behind the `[[` of a link between notes, leads out of the vault.
func IsUnsafeNote(s string) bool {
	if end := strings.IndexAny(s, "|]\n"); end >= 0 {
		s = s[:end]
	}
	s = strings.Trim(s, " \t")
	return strings.HasPrefix(spelled.Replace(s), "//") || schemeOf().MatchString(s) || Climbs(s)
}

// machineFolder begins the path of a file of the machine, as no site has it: what exports a note puts a picture in by its path.
// https://pandoc.org/MANUAL.html#option--embed-resources
var machineFolder = expression(`(?i)^(?:/(?:(?:etc|root|proc|dev|sys|var|tmp|usr|boot|users|windows)/|(?:home|media|mnt|opt|run|srv|private|volumes|library|system)/[^/]+/)|/?[a-z]:)`)

var codedByte = expression(`%[0-9A-Fa-f]{2}`)

func decodeBytes(target string) string {
	return codedByte().ReplaceAllStringFunc(target, func(code string) string {
		n, _ := strconv.ParseUint(code[1:], 16, 8)
		return string([]byte{byte(n)})
	})
}

// IsOfMachine reports whether a target is the path of a file of the machine.
func IsOfMachine(target string) bool {
	target = strings.TrimLeft(target, Blanks+"<")
	target = decodeBytes(target)
	if slashed := strings.ReplaceAll(target, `\`, "/"); strings.HasPrefix(slashed, "/") {
		target = path.Clean(slashed)
	}
	return machineFolder().MatchString(target)
}

// cutTarget is the target that s begins with, up to a blank or one of ends, and what follows it.
func cutTarget(s, ends string) (target, rest string) {
	s = s[len(linkGap().FindString(s)):]
	s = s[:min(len(s), Longest)]
	ends += " \t\n"
	if strings.HasPrefix(s, "<") {
		s, ends = s[1:], ">\n"
	}
	end := strings.IndexAny(s, ends)
	if end < 0 {
		return s, ""
	}
	return s[:end], strings.TrimPrefix(s[end:], ">")
}

// IsUnsafe reports whether rest, which begins behind the `](` of a link, leads to where no
// answer may.
func IsUnsafe(rest string) bool {
	target, _ := cutTarget(rest, ")") // to some readers it ends at the first bracket, to others at the one that is its own
	if strings.Contains(target, "(") && IsSafe(target) {
		target, _ = cutTarget(rest, "")
	}
	return !IsSafe(target)
}

// IsUnsafeDefinition reports whether rest, which begins behind the `]:` of a definition, gives
// a reference such a target. Text that follows makes it no definition.
func IsUnsafeDefinition(rest string) bool {
	target, rest := cutTarget(rest, "")
	if target == "" || IsSafe(target) {
		return false
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.Trim(line, " \t") == "" || titleStart().MatchString(rest)
}

// IsForeignScheme reports whether before, which ends before "://", names a scheme that no
// answer may link to. Some apps make a link of every address they see.
func IsForeignScheme(before string) bool {
	scheme := lastWord().FindString(before[max(0, len(before)-64):])
	return scheme != "" && !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https")
}

var (
	// plainAddress and plainTitle need no escapes at any place in a link.
	plainAddress = expression("^[^\\s<>\\[\\]\\\\`{}$%@|]*(?:[%@][^\\s<>\\[\\]\\\\`{}$%@|]+)*$")
	plainTitle   = expression("^[^\"<>\\[\\]\\\\`{}$%@|\\n]{1,200}$")
	inBrackets   = strings.NewReplacer("(", "%28", ")", "%29", `"`, "%22", "'", "%27", " ", "%20")
)

// LinkTail is `](target "title")`, or "" if no answer may link there.
func LinkTail(target, title string) string {
	target = inBrackets.Replace(strings.TrimSuffix(strings.TrimPrefix(target, "<"), ">"))
	if len(target) > LongestInlined || !plainAddress().MatchString(target) || !IsSafe(target) {
		return ""
	}
	if len(title) > 2 && plainTitle().MatchString(title[1:len(title)-1]) {
		return "](" + target + ` "` + title[1:len(title)-1] + `")`
	}
	return "](" + target + ")"
}
