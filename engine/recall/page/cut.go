package page

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/recall/terms"
)

// cutBlock shortens a block that is too long by itself: code at a line, a table's row in its
// cells, text to the sentences around the densest matches.
func cutBlock(b Block, text string, q *terms.Query) string {
	if b.kind == row {
		return cutRow(text, q)
	}
	if b.kind == fence || hasCode(text) {
		return cutLines(text)
	}
	return cutText(text, q, QuoteRunes)
}

// rowCells is how many cells of a long row are quoted.
const rowCells = 6

// cutRow shortens the cells of a row and of the header above it. Of many it keeps the first one and those
// that q asks for.
func cutRow(text string, q *terms.Query) string {
	lines := strings.Split(text, "\n")
	cells := splitCells(lines[len(lines)-1])
	kept := make([]int, len(cells))
	for i := range kept {
		kept[i] = i
	}
	slices.SortStableFunc(kept, func(a, b int) int {
		return cmp.Compare(bits.OnesCount64(q.Mask(cells[b])), bits.OnesCount64(q.Mask(cells[a])))
	})
	kept = kept[:min(rowCells, len(kept))]
	if !slices.Contains(kept, 0) {
		kept[len(kept)-1] = 0
	}
	slices.Sort(kept)
	for n, line := range lines {
		out, all := "|", splitCells(line)
		for _, i := range kept {
			cell := ""
			if i < len(all) {
				cell = cutText(strings.TrimSpace(all[i]), q, QuoteRunes/rowCells)
			}
			if n == len(lines)-2 { // the rule
				cell = "---"
			}
			out += " " + strings.ReplaceAll(cell, "\x00", `\|`) + " |"
		}
		lines[n] = out
	}
	return strings.Join(lines, "\n")
}

// splitCells returns the cells of a row, with a zero for each | that belongs to a cell.
func splitCells(line string) []string {
	line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, "\x00")
	return strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
}

// cutText shortens a text to the sentences around the densest matches, of up to n characters.
func cutText(text string, q *terms.Query, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	starts := sentenceStarts(text)
	from, most := 0, -1
	for _, at := range starts {
		near := text[max(0, at-200):at]
		if unclosedAt(near, "[[", "]]") >= 0 || unclosedAt(near, "`", "`") >= 0 {
			continue
		}
		if found := bits.OnesCount64(q.Mask(firstRunes(text[at:], n))); found > most {
			from, most = at, found
		}
	}
	out := cutWords(text[from:], n-2)
	if from > 0 {
		return "… " + strings.TrimLeft(out, " \t\n")
	}
	return out
}

func cutLines(text string) string {
	var out strings.Builder
	left := QuoteRunes - 10
	for line := range strings.Lines(text) {
		n := utf8.RuneCountInString(line)
		if n > left {
			if out.Len() == 0 {
				return cutWords(line, QuoteRunes-10)
			}
			return out.String() + "…"
		}
		left -= n
		out.WriteString(line)
	}
	return out.String()
}

// sentenceStarts are the places where a quote may begin: the text, each line,
// each sentence.
func sentenceStarts(text string) []int {
	starts := []int{0}
	for i := 1; i < len(text) && len(starts) < 500; i++ {
		before := text[:i]
		if text[i] == '\n' && i+1 < len(text) {
			starts = append(starts, i+1)
		} else if text[i] == ' ' && strings.ContainsAny(before[i-1:], ".!?") || i < len(text) && strings.HasSuffix(before, "。") {
			starts = append(starts, i)
		}
	}
	return starts
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// cutWords keeps at most n runes, ends at a word, and leaves no link or code
// span half open.
func cutWords(text string, n int) string {
	cut := firstRunes(text, n)
	if len(cut) == len(text) {
		return text
	}
	if at := strings.LastIndexAny(cut, " \t\n"); at > len(cut)/2 {
		cut = cut[:at]
	}
	for _, pair := range [][2]string{{"[[", "]]"}, {"](", ")"}, {"`", "`"}, {"**", "**"}} {
		if at := unclosedAt(cut, pair[0], pair[1]); at > 0 {
			if pair[0] == "](" {
				at = max(strings.LastIndexByte(cut[:at], '['), 1)
			}
			cut = cut[:at]
		}
	}
	return strings.TrimRight(cut, " \t\n,;") + " …"
}

// unclosedAt returns the place of the last opening mark that is never closed, or -1.
func unclosedAt(s, open, end string) int {
	for at := 0; ; {
		i := strings.Index(s[at:], open)
		if i < 0 {
			return -1
		}
		j := strings.Index(s[at+i+len(open):], end)
		if j < 0 {
			return at + i
		}
		at += i + len(open) + j + len(end)
	}
}
