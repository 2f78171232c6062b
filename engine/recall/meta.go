package recall

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
	if len(s.lines) == 0 || strings.TrimRight(strings.TrimPrefix(s.text(0), "\ufeff"), " \t") != "---" {
		return 0
	}
	end := 1
	for ; end < len(s.lines); end++ {
		if t := strings.TrimRight(s.text(end), " \t"); t == "---" || t == "..." {
			break
		}
	}
	if end == len(s.lines) {
		return 0
	}
	for i := 1; i < end; {
		from := i
		for i++; i < end; i++ {
			if t := s.text(i); t != "" && t[0] != ' ' && t[0] != '\t' && !strings.HasPrefix(t, "-") {
				break
			}
		}
		s.property(from, i)
	}
	s.cur = -1
	return end + 1
}

// property takes the lines of one key.
func (s *scanner) property(from, to int) {
	key, value, ok := strings.Cut(s.text(from), ":")
	if !ok || strings.HasPrefix(key, "#") {
		return
	}
	values := flatList(value)
	for i := from + 1; i < to; i++ {
		if v := strings.TrimPrefix(strings.TrimSpace(s.text(i)), "-"); strings.TrimSpace(v) != "" {
			values = append(values, scalar(v))
		}
	}
	if len(values) == 0 || s.p.name(key, values) {
		return
	}
	s.p.blocks = append(s.p.blocks, block{
		kind: property, lead: -1, line: from + 1, span: note.Span{Start: s.lines[from].Start, End: s.lines[to-1].End},
	})
}

// name takes values that name the note and reports whether key is such a key.
func (p *page) name(key string, values []string) bool {
	switch strings.ToLower(strings.TrimSpace(key)) {
	case "title":
		p.title = strings.Join(values, " ")
		p.names = append(p.names, p.title)
	case "alias", "aliases":
		p.names = append(p.names, values...)
	case "tag", "tags":
		for _, v := range values {
			for _, t := range strings.Fields(v) {
				p.tags = append(p.tags, strings.TrimPrefix(t, "#"))
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
	if !ok || len(s.p.blocks) > 0 {
		return false
	}
	var values []string
	for v := range strings.SplitSeq(value, ",") {
		if v = strings.Trim(strings.TrimSpace(v), "[]"); v != "" {
			values = append(values, v)
		}
	}
	return s.p.name(key, values)
}

// flatList splits the text after a key: one scalar, or [a, b].
func flatList(value string) []string {
	value = strings.TrimSpace(value)
	if !strings.HasPrefix(value, "[") || !strings.HasSuffix(value, "]") || strings.HasPrefix(value, "[[") {
		if value = scalar(value); value == "" {
			return nil
		}
		return []string{value}
	}
	var out []string
	for v := range strings.SplitSeq(value[1:len(value)-1], ",") {
		if v = scalar(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}

func scalar(v string) string {
	v = strings.TrimSpace(v)
	if n := len(v); n >= 2 && (v[0] == '"' || v[0] == '\'') && v[n-1] == v[0] {
		return v[1 : n-1]
	}
	return v
}
