// Package fields finds the fields of Dataview in a text that would bring something to life. Callers need [Break].
//
// Dataview shows `[key:: value]` and `(key:: value)` as fields, in code spans as well:
// it takes the HTML of a paragraph, or the raw line in the editor, and reads key and value as
// Markdown once more. What was shown as text or code the first time is live the second.
// https://github.com/blacksmithgu/obsidian-dataview/blob/master/src/ui/views/inline-field.tsx
package fields

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// revives is what a second reading may make live: images, queries in code spans,
// tags with attributes, links of other schemes, and what was escaped the first time.
var revives = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)!\\?\[(?:[^\[]|$)|\\[!\[<\x60$=]|\x60\s*\\?(?:\$?=|(?:VIEW|INPUT|BUTTON)\[)|<(?:[a-z][^<>]*=|script|style)|&(?:#|[a-z]+;)|\]\(\s*<?[a-z][a-z0-9+.-]*:[^:]`)
})

// isHarmless is what revives finds too much.
var isHarmless = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:&(?:lt|gt|amp|quot|nbsp);|\]\(\s*<?(?:https?|mailto):)`)
})

// field is a `::` that may make a field of the text between its brackets.
type field struct{ offset, start, end int }

// Break takes the meaning from the fields that would bring something to life, by a
// space in their `::`. All others stay. Doing it twice gives the same as once.
func Break(s string) string {
	if !strings.Contains(s, "::") {
		return s
	}
	var live []int
	for _, at := range revives().FindAllStringIndex(s, -1) {
		if !isHarmless().MatchString(s[at[0]:at[1]]) {
			live = append(live, at[0])
		}
	}
	if len(live) == 0 {
		return s
	}
	var b strings.Builder
	from := 0
	for _, f := range findFields(s) {
		if i, _ := slices.BinarySearch(live, f.start); i < len(live) && live[i] < f.end {
			colons := len(s[f.offset:]) - len(strings.TrimLeft(s[f.offset:], ":"))
			b.WriteString(s[from:f.offset] + strings.Repeat(": ", colons-1))
			from = f.offset + colons - 1
		}
	}
	b.WriteString(s[from:])
	return b.String()
}

// findFields finds each `::` with no bracket between it and the one that opens its field. A
// field closes with its bracket, whether or not escaped brackets count, whichever is
// later; one that never closes reaches to the end.
func findFields(s string) []field {
	var fields []field
	var all, bare [2]nesting // every bracket, and those that are not escaped
	opened, isEscaped := -1, false
	for i := 0; i < len(s); i++ {
		kind := strings.IndexByte("[(])", s[i])
		switch {
		case s[i] == '\\':
			isEscaped = !isEscaped
			continue
		case s[i] == ':' && opened >= 0 && strings.HasPrefix(s[i:], "::"):
			kind = strings.IndexByte("[(", s[opened])
			all[kind].mark(len(fields), true)
			bare[kind].mark(len(fields), opened == 0 || s[opened-1] != '\\')
			fields = append(fields, field{offset: i, start: opened, end: -1})
			opened = -1
		case kind >= 2:
			opened = -1
			all[kind-2].close(fields, i)
			if !isEscaped {
				bare[kind-2].close(fields, i)
			}
		case kind >= 0:
			opened = i
			all[kind].open()
			if !isEscaped {
				bare[kind].open()
			}
		}
		isEscaped = false
	}
	for i := range fields {
		if fields[i].end < 0 {
			fields[i].end = len(s)
		}
	}
	return fields
}

// nesting are the brackets of one kind that are open: the index of their field, or -1.
type nesting []int

func (n *nesting) open() { *n = append(*n, -1) }

// mark makes the last bracket that of a field; isCounted says whether it is among the open ones.
func (n *nesting) mark(field int, isCounted bool) {
	if !isCounted || len(*n) == 0 {
		n.open()
	}
	(*n)[len(*n)-1] = field
}

func (n *nesting) close(fields []field, at int) {
	last := len(*n) - 1
	if last < 0 {
		return
	}
	if f := (*n)[last]; f >= 0 {
		fields[f].end = max(fields[f].end, at)
	}
	*n = (*n)[:last]
}
