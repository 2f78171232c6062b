// Package propertytext reads the values of a property from its lines, as note apps write them: scalars and flat lists of
// YAML. [Values] does it. Anything else is taken as text.
//
// The room is pure: no I/O, no clock, no state between calls.
package propertytext

import (
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

var (
	blockScalar = expression(`^[|>][-+0-9]*( +#.*)?$`)
	mapKey      = expression(`^("[^"]*"|'[^']*'|[^\s"'\[:][^:]*):(\s|$)`)
)

// Values reads the lines of one key: its one text, or its list. What has keys of its own has no values.
func Values(lines string) (values []string, isMap bool) {
	first, rest, _ := strings.Cut(lines, "\n")
	_, value, _ := strings.Cut(first, ":")
	value = strings.TrimSpace(value)
	if !blockScalar().MatchString(value) { // of whose text a # is part
		value, rest = cutRemarks(value), cutRemarks(rest)
	}
	switch all := strings.Join(strings.Fields(value+" "+rest), " "); {
	case blockScalar().MatchString(value):
		return keepScalars([]string{strings.Join(strings.Fields(rest), " ")}), false
	case strings.HasPrefix(all, "{"), strings.HasPrefix(all, "[{"):
		return nil, true
	case strings.HasPrefix(all, "[") && strings.HasSuffix(all, "]") && !strings.HasPrefix(all, "[["):
		return keepScalars(splitItems(all[1 : len(all)-1])), false
	}
	part := []string{value} // the lines of one text
	for line := range strings.Lines(rest) {
		text := strings.TrimSpace(line)
		item, isItem := strings.CutPrefix(text+" ", "- ")
		switch {
		case value == "" && mapKey().MatchString(item):
			return nil, true
		case isItem:
			values, part = append(values, strings.Join(part, " ")), []string{item}
		default:
			part = append(part, text)
		}
	}
	values = append(values, strings.Join(part, " "))
	return keepScalars(values), false
}

// cutRemarks cuts the comments of YAML off its lines. A # that is not followed by a space is taken for a tag.
func cutRemarks(lines string) string {
	if !strings.Contains(lines, "#") {
		return lines
	}
	var out strings.Builder
	in, before := byte(0), byte('\n') // in quotation marks; the character before
	for i := 0; i < len(lines); i++ {
		c := lines[i]
		switch {
		case in != 0 && (c == in || c == '\n'):
			in = 0
		case in == 0 && (c == '"' || c == '\'') && strings.IndexByte(" \t\n[,", before) >= 0:
			in = c
		case in == 0 && c == '#' && strings.IndexByte(" \t\n", before) >= 0 && (i+1 == len(lines) || strings.IndexByte(" \t\r\n", lines[i+1]) >= 0):
			end := strings.IndexByte(lines[i:], '\n')
			if end < 0 {
				return out.String()
			}
			i, c = i+end, '\n'
		}
		out.WriteByte(c)
		before = c
	}
	return out.String()
}

// splitItems parts a list at its commas, but not at those in quotation marks.
func splitItems(text string) (items []string) {
	from, in := 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case in != 0:
			if c == in {
				in = 0
			}
		case (c == '"' || c == '\'') && strings.TrimSpace(text[from:i]) == "":
			in = c
		case c == ',':
			items, from = append(items, text[from:i]), i+1
		}
	}
	return append(items, text[from:])
}

// keepScalars returns the texts that say something, without their quotation marks.
func keepScalars(texts []string) (values []string) {
	for _, v := range texts {
		v = strings.TrimSpace(v)
		if n := len(v); n >= 2 && (v[0] == '"' || v[0] == '\'') && v[n-1] == v[0] {
			v = v[1 : n-1]
		}
		if v != "" {
			values = append(values, v)
		}
	}
	return values
}

var expression = lazyregexp.New
