package gather

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/recall/page"
)

var (
	itemMark = lazyregexp.New(`^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\d{1,3}[.)][ \t]+)?(?:\[.\][ \t]+)?`)
	todo     = lazyregexp.New(`^(?:TODO|DOING|DONE|LATER|NOW|WAITING|WAIT|CANCELED|CANCELLED|IN-PROGRESS)[ \t]+(?:\[#[A-C]\][ \t]+)?`) // Logseq's boxes
	// Logseq's blocks that are no text.
	blockBegin = lazyregexp.New(`(?i)^[ \t]*(?:[-*+][ \t]+)?#\+BEGIN_(?:QUERY|SRC|EXPORT|COMMENT|EXAMPLE|WARNING|CAUTION)`)
	blockEnd   = lazyregexp.New(`(?i)^[ \t]*#\+END_`)
	itemHead   = lazyregexp.New(`^#{1,6}[ \t]`)
	fence      = lazyregexp.New("^[ \t]*(?:(?:[-*+]|\\d{1,9}[.)])[ \t]+)?(?:`{3,}[^`]*|~{3,}.*)$")
	quotes     = lazyregexp.New(`^(?:[ \t]*>)+[ \t]?`)
	callout    = lazyregexp.New(`^\[![A-Za-z-]+\][+-]?[ \t]*`)
	rule       = lazyregexp.New(`^[ \t]*(?:[-*_=][ \t]*){3,}$`)
	day        = lazyregexp.New(`(?:^|[^0-9])((?:19|20)\d\d)[-_]?([01]\d)[-_]?([0-3]\d)(?:$|[^0-9])`)
	outliner   = lazyregexp.New(`^([ \t]*(?:[-*+][ \t]+)?)(?:#\+(?i:BEGIN|END)_\w+.*|\{[:{].*)`) // Logseq's blocks and queries
	asking     = lazyregexp.New(`^[ \t]*(?:[-*+][ \t]+)?\{[:{]`)                                 // a query begins, which ends with its braces
	field      = lazyregexp.New(`^[A-Za-z][\w. -]*::`)
	// Marks of headings and lists for programs: the name of a heading, a line of a table of contents, an item's
	// joining word.
	headingName = lazyregexp.New(`[ \t]*\{[#.][^{}]*\}[ \t]*$`)
	contents    = lazyregexp.New(`^\[[^\[\]]*\]\(#[^()]*\)$`)
	joint       = lazyregexp.New(`[,;][ \t]*(?:and|or|und|oder|et|ou|y|o)?$`)
	unfinished  = lazyregexp.New(`(?i)(?:\b(?:the|an?|of|to|in|on|at|by|for|from|with|and|or|our|your|its|their|der|die|das|eine?|und|oder|von|mit|les?|la|une?|de|du|et)|['’]s)$`)
	target      = lazyregexp.New(`^\[[^\[\]]+\]:[ \t]*\S`) // where a link leads (https://spec.commonmark.org/0.31.2/#link-reference-definitions)
)

// convertNote takes a note apart as its kinds need it. unique says that no other note of the vault has
// its name.
func convertNote(rel string, p *page.Page, rank material.Rank, unique bool) material.Note {
	n := material.Note{Rel: rel, Title: readTitle(p), Rank: rank}
	n.Link = func(heads []string, label string) string { return page.NoteLink(rel, unique, heads, label) }
	n.Properties = readProperties(p.Source)
	n.Date = dateOf(rel, n.Properties)
	var last []string
	chunks, links := thinOut(p)
	for _, c := range chunks {
		heads := readPath(p.Title, c.Path)
		anchor := links.LinkTarget(c)
		for i := range heads {
			if i >= len(last) || heads[i] != last[i] {
				b := material.Block{Kind: material.Heading, Path: heads[:i+1], Text: heads[i]}
				if i == len(heads)-1 {
					b.Anchor = anchor
				} else {
					b.Anchor = links.LinkTarget(page.Chunk{Path: c.Path[:len(c.Path)-len(heads)+i+1]})
				}
				n.Blocks = append(n.Blocks, b)
				last = nil // text below a new heading starts a new block
			}
		}
		last = heads
		for _, b := range p.Blocks[c.Start:c.End] {
			if b.IsProse() {
				n.Blocks = append(n.Blocks, readBlock(p, b, heads, anchor)...)
			}
		}
	}
	return n
}

// How much of a note is read. A longer one is read in parts from its beginning to its end.
const (
	mostBlocks   = 4000
	mostSections = 800 // that are told apart where they have the same name
)

// stepOf is which sections of a note are read: each, or every so manieth of a long one.
func stepOf(p *page.Page) int { return (len(p.Blocks)-1)/mostBlocks + 1 }

// thinOut returns the sections of a note that are read, and what makes the links to them.
func thinOut(p *page.Page) (chunks []page.Chunk, links *page.Page) {
	step := stepOf(p)
	for i := 0; i < len(p.Chunks); i += step {
		chunks = append(chunks, p.Chunks[i])
	}
	if len(p.Chunks) > mostSections {
		return chunks, &page.Page{Title: p.Title}
	}
	return chunks, p
}

// readTitle is the title of a note: its first heading where that is the name of the file as it is read.
func readTitle(p *page.Page) string {
	title := page.PlainHeading(p.Title)
	for _, c := range p.Chunks {
		if len(c.Path) > 0 {
			if h := page.PlainHeading(c.Path[0]); strings.EqualFold(spaced.Replace(title), h) {
				return h
			}
			break
		}
	}
	return title
}

// spaced is a name of a file as it is read.
var spaced = strings.NewReplacer("-", " ", "_", " ")

// readPath is a path of headings as it is read, without a first one that repeats the title.
func readPath(title string, heads []string) []string {
	var list []string
	for i, h := range heads {
		h = page.PlainHeading(headingName().ReplaceAllString(h, ""))
		if h != "" && (i > 0 || !page.RepeatsTitle(title, h) && !page.RepeatsTitle(spaced.Replace(title), h)) {
			list = append(list, h)
		}
	}
	return list
}

// readBlock is a block of a page without the marks of its lines; a table's rows are one each.
func readBlock(p *page.Page, b page.Block, heads, anchor []string) []material.Block {
	one := material.Block{Path: heads, Anchor: anchor}
	var lines []string
	var reader lineReader
	isApart := false // a line between this one and the last was left out, so the sentence ends
	for line := range strings.Lines(p.TextWithGaps(b)) {
		line, isText := reader.readLine(line)
		if m := itemMark().FindStringSubmatch(line); isText && m != nil && len(lines) == 0 {
			one.Kind, one.Depth, one.IsTask = material.Item, countColumns(m[1]), strings.HasSuffix(strings.TrimRight(m[0], " \t"), "]")
			line = line[len(m[0]):]
			if box := todo().FindString(line); box != "" {
				one.IsTask, line = true, line[len(box):]
			}
			if line = strings.TrimLeft(line[len(itemHead().FindString(line)):], " \t"); contents().MatchString(line) {
				return nil
			}
		}
		if line = strings.TrimSpace(line); line == "" || !isText {
			isApart = true
			continue
		}
		if n := len(lines); n > 0 && (isApart || isHeadline(lines[n-1], line)) {
			line = "\n" + line
		}
		lines, isApart = append(lines, line), false
	}
	if len(lines) == 0 {
		return nil
	}
	if last := lines[len(lines)-1]; strings.HasPrefix(last, "|") || strings.Count(last, " | ") > 1 {
		one.Kind, lines = material.Row, lines[len(lines)-1:] // those before it are its table's head
	}
	if one.Text = strings.Join(lines, "\n"); one.Kind == material.Item {
		one.Text = joint().ReplaceAllString(one.Text, "")
	}
	return []material.Block{one}
}

// lineReader reads the lines of a block in their order.
type lineReader struct {
	isCode bool // within an item
	braces int  // braces of a query
}

// readLine returns a line without the marks of quotes and outliners. isText is false for what is in no sentence: code, the title
// of a callout, a query, a rule, the target of a link, a field.
func (r *lineReader) readLine(line string) (text string, isText bool) {
	line = strings.TrimRight(line, "\r\n \t")
	line = line[len(quotes().FindString(line)):]
	if isEdge := fence().MatchString(line) || r.isCode && blockEnd().MatchString(line) || !r.isCode && blockBegin().MatchString(line); r.isCode || isEdge {
		r.isCode = r.isCode != isEdge
		return "", false
	}
	if title := callout().FindString(line); title != "" {
		if line = line[len(title):]; !strings.HasSuffix(line, "?") {
			return "", false
		}
	}
	isQuery := r.braces > 0
	if isQuery || asking().MatchString(line) {
		r.braces = max(0, r.braces+strings.Count(line, "{")-strings.Count(line, "}"))
	}
	line = outliner().ReplaceAllString(line, "$1")
	isElse := strings.HasPrefix(strings.TrimSpace(line), "#+") || rule().MatchString(line) || target().MatchString(strings.TrimSpace(line)) || field().MatchString(strings.TrimLeft(line, " \t-*+"))
	return line, !isQuery && !isElse
}

// isHeadline reports whether line is a headline above next in the same block, as in Logseq: it is short and does not
// end like a sentence nor within one, and next begins with a capital letter.
func isHeadline(line, next string) bool {
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, "*_]) "))
	begin, _ := utf8.DecodeRuneInString(strings.TrimLeft(next, "*_`[ "))
	return utf8.RuneCountInString(line) < 40 && !unfinished().MatchString(line) && (unicode.IsLetter(end) || unicode.IsDigit(end) || end == '?') && unicode.IsUpper(begin)
}

func countColumns(indent string) int {
	return len(strings.ReplaceAll(indent, "\t", "    "))
}

// Bounds of the data that is read from a front matter, which may be hostile.
const (
	mostProperties = 40
	longestValue   = 200
)

// readProperties reads the properties of a note, but none with keys of its own. Those that are no YAML are
// read line by line: no list, no block, nothing that refers to something else.
func readProperties(src []byte) (found []material.Property) {
	list, ok := note.NewPage(src).Properties()
	for _, p := range list {
		if !p.IsMap {
			found = addProperty(found, p.Key, strings.Join(strings.Fields(strings.Join(p.Values, ", ")), " "))
		}
	}
	if ok {
		return found
	}
	for _, line := range note.Properties(src) {
		key, value, ok := strings.Cut(line, ":")
		if value = strings.Trim(strings.TrimSpace(value), `"'`); ok && value != "" && !strings.ContainsAny(value[:1], "&*!|>{%@`") {
			found = addProperty(found, key, value)
		}
	}
	return found
}

// addProperty adds a property that can be shown.
func addProperty(list []material.Property, key, value string) []material.Property {
	switch {
	case len(list) == mostProperties, value == "", len(value) > longestValue:
	case key == "", len(key) > 40, key != strings.TrimSpace(key), strings.ContainsAny(key, "#{}[]<>&*!|\"'`"):
	default:
		return append(list, material.Property{Key: page.SpellKey(key), Value: value})
	}
	return list
}

// dateOf is the day of a note: of its name, or of a property that is one.
func dateOf(rel string, properties []material.Property) string {
	if d := findDay(path.Base(rel)); d != "" {
		return d
	}
	for _, p := range properties {
		if slices.Contains([]string{"date", "day", "published", "when"}, strings.ToLower(p.Key)) {
			if d := findDay(p.Value); d != "" {
				return d
			}
		}
	}
	return ""
}

func findDay(text string) string {
	m := day().FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1] + "-" + m[2] + "-" + m[3]
}
