package page

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/note/wikilink"
)

// Links are written as the note apps resolve them: by file name where it is the
// only one of the vault, by path where it is not, to a heading with the
// characters left out that end a link. A file name that no wikilink can hold is
// linked the markdown way.

// wikiReserved are the characters that no target of a wikilink can hold.
const wikiReserved = "#^|[]\\"

// NoteLink returns the link to a note, with a label for the reader.
func NoteLink(rel string, unique bool, heads []string, label string) string {
	target := filename.TrimExtension(rel)
	if unique {
		target = path.Base(target)
	}
	label = plainLabel(label)
	if strings.ContainsAny(target, wikiReserved) || strings.Contains(target, "%%") || target != strings.TrimSpace(target) {
		return markdownLink(rel, heads, label)
	}
	if len(heads) > 0 {
		target += "#" + strings.Join(heads, "#")
	}
	if label == "" || label == target {
		return "[[" + target + "]]"
	}
	return "[[" + target + "|" + label + "]]"
}

// ChunkLink returns the link to the heading of a chunk, with title and headings for the reader.
func (p *Page) ChunkLink(rel string, unique bool, c Chunk) string {
	label := p.Title
	if heading := p.Breadcrumb(c); heading != "" {
		label += " › " + heading
	}
	return NoteLink(rel, unique, p.LinkTarget(c), label)
}

func markdownLink(rel string, heads []string, label string) string {
	u := url.URL{Path: rel, Fragment: strings.Join(heads, "#")}
	target := strings.NewReplacer("(", "%28", ")", "%29", "%%", "%25%25").Replace(u.EscapedPath())
	if u.Fragment != "" {
		target += "#" + strings.NewReplacer("(", "%28", ")", "%29").Replace(u.EscapedFragment())
	}
	if label == "" {
		label = "note"
	}
	return "[" + label + "](" + target + ")"
}

// LinkTarget returns what follows the # of a link to the heading of a chunk. The
// heading alone is enough where no other in the note reads the same; else the
// headings above it come first. A heading with a comment is left out: a link has to name all of it.
func (p *Page) LinkTarget(c Chunk) []string {
	if len(c.Path) == 0 {
		return nil
	}
	whole := c.Path[len(c.Path)-1]
	last := linkHeading(whole)
	if last == "" || shownHeading(whole) != whole {
		return nil
	}
	seen := make(map[string]bool)
	for _, other := range p.Chunks {
		if n := len(other.Path); n > 0 && strings.EqualFold(linkHeading(other.Path[n-1]), last) {
			seen[strings.Join(other.Path, "\n")] = true
		}
	}
	if len(seen) < 2 {
		return []string{last}
	}
	var heads []string
	for _, h := range c.Path {
		if shownHeading(h) != h {
			continue
		}
		if h = linkHeading(h); h != "" {
			heads = append(heads, h)
		}
	}
	return heads
}

// linkHeading is a heading as a link names it.
func linkHeading(h string) string {
	h = headingMarks.Replace(h)
	h = strings.Map(func(r rune) rune {
		if strings.ContainsRune("#|^:\\<>", r) || r < ' ' {
			return ' '
		}
		return r
	}, h)
	return strings.Join(strings.Fields(h), " ")
}

var headingMarks = strings.NewReplacer("%%", " ", "[", " ", "]", " ", "//", " ") // two slashes are emphasis to some programs

var inlineLink = lazyregexp.New(`!?\[([^\]]*)\]\([^)]*\)`)

// shownHeading is a heading without its comments, also without one that it only begins.
func shownHeading(h string) string {
	if !strings.Contains(h, "<!--") && !strings.Contains(h, "%%") {
		return h
	}
	var out strings.Builder
	code := findCode(h)
	if !code.certain {
		return h[:firstMark(h)]
	}
	at, shown := 0, code.blanked
	for _, m := range closedComments().FindAllStringIndex(shown, -1) {
		out.WriteString(h[at:m[0]] + " ")
		at = m[1]
	}
	if i := strings.Index(shown[at:], "<!--"); i >= 0 {
		return out.String() + h[at:at+i]
	}
	return out.String() + h[at:]
}

// PlainHeading is a heading as it is read, without its markup and its comments.
func PlainHeading(h string) string {
	h = wikilink.Replace(shownHeading(h), func(l wikilink.Link) string { return cmp.Or(l.Label, l.To) })
	return plainLabel(inlineLink().ReplaceAllString(h, "$1"))
}

var labelMarks = strings.NewReplacer("[", " ", "]", " ", "|", " ", "%%", " ", "**", "", "`", "", "==", "", "<", " ", ">", " ")

// plainLabel removes characters that would end a link's label or mark it up.
func plainLabel(s string) string { return strings.Join(strings.Fields(labelMarks.Replace(s)), " ") }
