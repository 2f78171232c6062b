package page

import (
	"strings"

	"vaultdispatcher/engine/note"
)

// frontMatter reads the properties at the top of the note and returns the
// number of the first line below them. title, aliases and tags name the note;
// every other key is a block of its own, for people keep facts there.
//
// Front matter is YAML; what is read here are the scalars and flat lists that
// note apps write. Anything else is taken as text.
func (s *scanner) frontMatter() int {
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
	for i := 1; i < end; {
		from := i
		for i++; i < end; i++ {
			if t := s.lineText(i); t != "" && t[0] != ' ' && t[0] != '\t' && !strings.HasPrefix(t, "-") {
				break
			}
		}
		s.takeProperty(from, i)
	}
	s.cur = -1
	return end + 1
}

// takeProperty takes the lines of one key.
func (s *scanner) takeProperty(from, to int) {
	key, value, ok := strings.Cut(s.lineText(from), ":")
	if !ok || strings.HasPrefix(key, "#") {
		return
	}
	values := flatList(value)
	for i := from + 1; i < to; i++ {
		if v := strings.TrimPrefix(strings.TrimSpace(s.lineText(i)), "-"); strings.TrimSpace(v) != "" {
			values = append(values, trimScalar(v))
		}
	}
	if len(values) == 0 || s.p.takeName(key, values) {
		return
	}
	s.p.Blocks = append(s.p.Blocks, Block{
		kind: property, lead: -1, Line: from + 1, Span: note.Span{Start: s.lines[from].Start, End: s.lines[to-1].End},
	})
}

// takeName takes values that name the note and reports whether key is such a key.
func (p *Page) takeName(key string, values []string) bool {
	switch strings.ToLower(strings.TrimSpace(key)) {
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

// outlineName takes `alias:: a, b` at the top of an outliner's note.
func (s *scanner) outlineName(body string) bool {
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
	return s.p.takeName(key, values)
}

// flatList splits the text after a key: one scalar, or [a, b].
func flatList(value string) []string {
	value = strings.TrimSpace(value)
	if !strings.HasPrefix(value, "[") || !strings.HasSuffix(value, "]") || strings.HasPrefix(value, "[[") {
		if value = trimScalar(value); value == "" {
			return nil
		}
		return []string{value}
	}
	var out []string
	for v := range strings.SplitSeq(value[1:len(value)-1], ",") {
		if v = trimScalar(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}

func trimScalar(v string) string {
	v = strings.TrimSpace(v)
	if n := len(v); n >= 2 && (v[0] == '"' || v[0] == '\'') && v[n-1] == v[0] {
		return v[1 : n-1]
	}
	return v
}
