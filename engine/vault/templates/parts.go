package templates

import (
	"bytes"
	"slices"
	"strings"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/apps"
)

// Part is a part of a note that a note app makes notes or blocks from, so that an answer in it would
// be in each copy. One of three signs says so:
//
//   - a tag in the properties;
//   - a property of a block of an outline, for the block and all below it;
//   - a placeholder that is not filled in, for all of the note. In code, a comment or an answer it is only told
//     about, and within another pair of braces, such as a query of Logseq, it is filled in each time it is shown.
type Part struct {
	First, Last int    // its lines, from 1
	Line        int    // the line that says so, from 1
	Sign        string // the sign in that line
	IsWhole     bool   // it is all of the note
}

// Parts are those of one note.
type Parts []Part

// FindParts finds which parts of a note are templates.
func FindParts(page *note.Page) Parts {
	src := page.Text
	if !apps.MayFill(src) && !bytes.Contains(src, []byte("::")) && !bytes.HasPrefix(bytes.TrimPrefix(src, []byte("\ufeff")), []byte("---")) {
		return nil
	}
	n := reading{Page: page, src: src, lines: note.LineSpans(src)}
	line, sign := findTag(page)
	blocks := n.findBlocks()
	if sign == "" {
		line, sign = n.findPlaceholder(blocks)
	}
	if sign == "" {
		return blocks
	}
	return Parts{{First: 1, Last: len(n.lines), Line: line, Sign: cutSign(sign), IsWhole: true}}
}

// IsWhole reports whether all of the note is a template.
func (p Parts) IsWhole() bool {
	return slices.ContainsFunc(p, func(part Part) bool { return part.IsWhole })
}

// At returns the part that a line is in, from 1.
func (p Parts) At(line int) (Part, bool) {
	i := slices.IndexFunc(p, func(part Part) bool { return part.First <= line && line <= part.Last })
	if i < 0 {
		return Part{}, false
	}
	return p[i], true
}

// mostSign is how many bytes of a sign are told.
const mostSign = 60

// cutSign returns the first line of a sign, shortened.
func cutSign(sign string) string {
	sign = note.Head(sign)
	return strings.ToValidUTF8(sign[:min(len(sign), mostSign)], "")
}

// findTag returns the tag that makes a note a template, and its line.
func findTag(page *note.Page) (line int, tag string) {
	list, _ := page.Properties()
	for _, p := range list.All("tags") {
		for _, value := range p.Values {
			for _, tag := range strings.FieldsFunc(value, func(r rune) bool { return r == ' ' || r == ',' }) {
				if apps.TagsTemplate(tag) {
					return p.Line + 1, tag
				}
			}
		}
	}
	return 0, ""
}

// reading is a note while its parts are looked for.
type reading struct {
	*note.Page
	src   []byte
	lines []note.Span
}

// findPlaceholder returns the first placeholder in no block that is a template already, and its line.
func (n reading) findPlaceholder(blocks Parts) (line int, sign string) {
	if !apps.MayFill(n.src) {
		return 0, ""
	}
	at := 0
	for _, found := range apps.FindPlaceholders(n.src) {
		for at+1 < len(n.lines) && n.lines[at+1].Start <= found[0] {
			at++
		}
		before := n.src[n.lines[at].Start:found[0]]
		isInside := bytes.LastIndex(before, []byte("{{")) > bytes.LastIndex(before, []byte("}}"))
		if _, is := blocks.At(at + 1); !is && !n.IsExample(found[0]) && !isInside && !bytes.HasSuffix(before, []byte(`\`)) {
			return at + 1, string(n.src[found[0]:found[1]])
		}
	}
	return 0, ""
}

// findBlocks finds the blocks of an outline that are templates: one whose item has such a property, and what is above
// the first item with what is below it.
func (n reading) findBlocks() (list Parts) {
	for i := range n.lines {
		sign, ok := n.signAt(i)
		if !ok || len(list) > 0 && i < list[len(list)-1].Last {
			continue
		}
		first, depth := n.itemOf(i)
		if first < 0 {
			continue
		}
		last := i
		for last+1 < len(n.lines) && (n.isBlank(last+1) || n.depthOf(last+1) > depth) {
			last++
		}
		list = append(list, Part{First: first + 1, Last: last + 1, Line: i + 1, Sign: cutSign(sign)})
	}
	return list
}

// signAt returns the property in a line that makes its block a template.
func (n reading) signAt(i int) (sign string, ok bool) {
	line := n.src[n.lines[i].Start:n.lines[i].End]
	marks := note.LeadingMarks(line)
	sign = strings.TrimSpace(string(line[marks:]))
	return sign, apps.MakesTemplate(sign) && !n.IsExample(n.lines[i].Start+marks)
}

// itemOf returns the first line of the block that a line belongs to, and the depth of the block. The
// lines above the first item, up to an empty line, are a block of depth 0. Without a block, first is
// below zero.
func (n reading) itemOf(i int) (first, depth int) {
	inner := n.depthOf(i)
	for first = i; first >= 0 && !n.isBlank(first); first-- {
		depth = n.depthOf(first)
		isItem := bytes.HasPrefix(bytes.TrimLeft(n.src[n.lines[first].Start:n.lines[first].End], " \t"), []byte("- "))
		switch {
		case isItem && (first == i || depth < inner):
			return first, depth
		case isItem:
			return -1, 0
		case first == 0:
			return 0, 0
		}
	}
	return -1, 0
}

// depthOf is how far a line is indented, a tab for four columns; what begins no item at the margin is as deep as its
// block.
func (n reading) depthOf(i int) (depth int) {
	for _, c := range n.src[n.lines[i].Start:n.lines[i].End] {
		switch c {
		case ' ':
			depth++
		case '\t':
			depth += 4
		default:
			return depth
		}
	}
	return depth
}

func (n reading) isBlank(i int) bool {
	return len(bytes.Trim(n.src[n.lines[i].Start:n.lines[i].End], " \t")) == 0
}
