package lazyregexp

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Table is a list of forms. At a place the first one counts that matches there. A place costs only the forms that may
// begin with the byte there, so that a long table is as fast as a short one. A Table may be used concurrently.
type Table struct {
	flags string
	forms []string
	rows  func() *[256]*rows // by the first byte of what they match
}

// rows are some forms of a table, in its order: at the beginning of a text, and behind another character.
type rows struct {
	numbers       []int
	first, behind func() *regexp.Regexp
}

// NewTable returns a table of forms, which have flags, such as (?m), in common. Each form matches at least one byte. It has
// one group that captures, perhaps not in all of its alternatives. Forms are compiled as [New] says.
func NewTable(flags string, forms ...string) *Table {
	t := &Table{flags: flags, forms: forms}
	t.rows = sync.OnceValue(t.sort)
	all = append(all, func() *regexp.Regexp {
		for _, r := range t.rows() {
			if r != nil {
				r.first()
				r.behind()
			}
		}
		return nil
	})
	return t
}

// sort finds the rows of each byte. Bytes with the same rows share them.
func (t *Table) sort() *[256]*rows {
	var numbers [256][]int
	for i, form := range t.forms {
		for _, b := range firstBytes(t.flags + form) {
			numbers[b] = append(numbers[b], i)
		}
	}
	var table [256]*rows
	known := map[string]*rows{}
	for b, some := range numbers {
		if len(some) == 0 {
			continue
		}
		var forms []string
		for _, i := range some {
			forms = append(forms, t.forms[i])
		}
		any := strings.Join(forms, "|")
		if known[any] == nil {
			compile := func(before string) func() *regexp.Regexp {
				return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A` + before + t.flags + `(?:` + any + `)`) })
			}
			known[any] = &rows{some, compile(""), compile(`(?s:.)`)}
		}
		table[b] = known[any]
	}
	return &table
}

// firstBytes returns the bytes that a match of expression may begin with.
func firstBytes(expression string) []byte {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		panic(err)
	}
	program, _ := syntax.Compile(parsed.Simplify())
	var is [256]bool
	for seen, next := make([]bool, len(program.Inst)), []uint32{uint32(program.Start)}; len(next) > 0; {
		pc := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch in := &program.Inst[pc]; in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			next = append(next, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstEmptyWidth, syntax.InstNop:
			next = append(next, in.Out)
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			for b := range utf8.RuneSelf {
				is[b] = is[b] || in.MatchRune(rune(b))
			}
			isHigh := in.Op != syntax.InstRune1 && (len(in.Rune) < 2 || slices.Max(in.Rune) >= utf8.RuneSelf) || in.Op == syntax.InstRune1 && in.Rune[0] >= utf8.RuneSelf
			for b := utf8.RuneSelf; b < len(is); b++ {
				is[b] = is[b] || isHigh
			}
		}
	}
	var bytes []byte
	for b, may := range is {
		if may {
			bytes = append(bytes, byte(b))
		}
	}
	return bytes
}

// Match returns which form matches at offset from of s, where a character begins, where its group is, and where the match ends. It returns -1 without
// a match, and at -1 for a form whose group took no part.
func (t *Table) Match(s string, from int) (row, at, end int) {
	if from >= len(s) {
		return -1, -1, -1
	}
	r := t.rows()[s[from]]
	if r == nil {
		return -1, -1, -1
	}
	before, expression := 0, r.first
	if from > 0 {
		_, before = utf8.DecodeLastRuneInString(s[:from])
		expression = r.behind
	}
	found := expression().FindStringSubmatchIndex(s[from-before:])
	if found == nil {
		return -1, -1, -1
	}
	for i := 2; i < len(found); i += 2 {
		if found[i] >= 0 {
			return r.numbers[i/2-1], from - before + found[i], from - before + found[1]
		}
	}
	return 0, -1, from - before + found[1]
}

// Find is Match for the first place from offset from on where a form matches, which it returns as begin; -1 without one.
func (t *Table) Find(s string, from int) (begin, row, at, end int) {
	for size := 0; from < len(s); from += size {
		if row, at, end := t.Match(s, from); row >= 0 {
			return from, row, at, end
		}
		_, size = utf8.DecodeRuneInString(s[from:])
	}
	return -1, -1, -1, -1
}
