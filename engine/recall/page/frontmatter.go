package page

import (
	"bytes"
	"cmp"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/propertytext"
)

// frontMatter reads the properties at the top of the note and returns the
// number of the first line below them. title, aliases and tags name the note;
// every other key is a block of its own, for people keep facts there.
//
// Front matter is YAML; what is read here are the scalars and flat lists that
// note apps write. What has keys of its own is found and not quoted; anything else is
// taken as text. Names and dates that this does not find are read as YAML.
func (s *scanner) frontMatter(read *note.Page) int {
	if len(s.lines) == 0 || strings.TrimRight(strings.TrimPrefix(s.lineText(0), "\ufeff"), " \t") != "---" {
		return 0
	}
	end := 1
	for ; end < len(s.lines); end++ {
		if t := strings.TrimRight(s.lineText(end), " \t"); t == "---" || t == "..." {
			break
		}
	}
	if end == len(s.lines) {
		return 0
	}
	named := s.takeUnusual(read, 1, end)
	for i := 1; i < end; {
		from := i
		for i++; i < end; i++ {
			if t := s.lineText(i); t != "" && t[0] != ' ' && t[0] != '\t' && !strings.HasPrefix(t, "-") {
				break
			}
		}
		s.takeProperty(from, i, named)
	}
	s.cur = -1
	return end + 1
}

// date matches a property of date kind as note apps write one, with a time or without.
var date = lazyregexp.New(`^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$`)

// takeUnusual takes the names and dates of properties in a form that note apps do not write: in braces, with a tag,
// with escaped letters. It reports whether it did. It does not parse the properties of most notes, which have no such
// form.
func (s *scanner) takeUnusual(read *note.Page, from, to int) bool {
	if to <= from || !bytes.ContainsAny(s.p.Source[s.lines[from].Start:s.lines[to-1].End], `{?!&\`) {
		return false
	}
	list, ok := read.Properties()
	for _, p := range list {
		if !p.IsMap && len(p.Values) > 0 && !s.p.takeName(p.Key, p.Values) {
			s.p.takeDate(p.Key, p.Values)
		}
	}
	return ok
}

// takeProperty takes the lines of one key; named says that its name or date was taken.
func (s *scanner) takeProperty(from, to int, named bool) {
	key, _, ok := strings.Cut(s.lineText(from), ":")
	if !ok || strings.HasPrefix(key, "#") {
		return
	}
	key = strings.Trim(key, " \t\"'")
	span := note.Span{Start: s.lines[from].Start, End: s.lines[to-1].End}
	values, isMap := propertytext.Values(s.p.text[span.Start:span.End])
	block := Block{kind: property, lead: -1, Line: from + 1, Span: span}
	switch {
	case len(values) == 0 && !isMap:
	case named && isName(key), !named && s.p.takeName(key, values):
		s.naming = append(s.naming, block)
	default:
		if !named {
			s.p.takeDate(key, values)
		}
		s.p.Blocks = append(s.p.Blocks, block)
	}
}

// takeDate takes a value that is a date.
func (p *Page) takeDate(key string, values []string) {
	if len(values) == 1 && date().MatchString(values[0]) {
		p.Dates = append(p.Dates, key+": "+values[0])
	}
}

// spelledOut are keys that are no words.
var spelledOut = map[string]string{"by": "author", "loc": "location", "org": "organisation", "desc": "description"}

// SpellKey is the key of a property as a word: "location" for "loc".
func SpellKey(key string) string { return cmp.Or(spelledOut[strings.ToLower(key)], key) }

// propertyInWords returns the lines of one key as a person would write them: "Location: [[Kyoto]], [[Japan]]".
func propertyInWords(lines string) string {
	key, _, _ := strings.Cut(lines, ":")
	values, _ := propertytext.Values(lines)
	key = SpellKey(strings.NewReplacer("_", " ", "-", " ").Replace(strings.Trim(key, " \"'")))
	head, tail := key, ""
	for i := range key {
		if i > 0 {
			head, tail = key[:i], key[i:]
			break
		}
	}
	between := ", "
	if len(values) > 1 && strings.Contains(strings.Join(values, ""), ",") {
		between = "; "
	}
	return strings.ToUpper(head) + tail + ": " + strings.Join(values, between)
}

// takeName takes values that name the note and reports whether key is such a key.
func (p *Page) takeName(key string, values []string) bool {
	switch strings.ToLower(key) {
	case "title":
		p.Title = strings.Join(values, " ")
		p.Names = append(p.Names, p.Title)
	case "alias", "aliases":
		p.Names = append(p.Names, values...)
	case "tag", "tags":
		for _, v := range values {
			for _, t := range strings.Fields(v) {
				p.Tags = append(p.Tags, strings.TrimPrefix(t, "#"))
			}
		}
	default:
		return false
	}
	return true
}

// isName reports whether takeName takes a key.
func isName(key string) bool { return new(Page).takeName(key, nil) }

// outlineName takes `alias:: a, b` at the top of an outliner's note.
func (s *scanner) outlineName(body string, line int) bool {
	key, value, ok := strings.Cut(body, ":: ")
	if !ok || len(s.p.Blocks) > 0 {
		return false
	}
	var values []string
	for v := range strings.SplitSeq(value, ",") {
		if v = strings.Trim(strings.TrimSpace(v), "[]"); v != "" {
			values = append(values, v)
		}
	}
	isName := s.p.takeName(strings.TrimSpace(key), values)
	if isName {
		s.naming = append(s.naming, Block{kind: paragraph, lead: -1, Line: line + 1, Span: s.lines[line]})
	}
	return isName
}

// isMap reports whether a block is a property that has keys of its own.
func (p *Page) isMap(b Block) bool {
	if b.kind != property {
		return false
	}
	_, isMap := propertytext.Values(p.text[b.Span.Start:b.Span.End])
	return isMap
}
