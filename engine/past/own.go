package past

import (
	"bytes"
	"slices"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
)

// This file tells a person's own words below a question from the rest of it, by what was in the note before.
//
// A line that was in the note outside of a question is a person's own for as long as it is there and
// for a while after, also when it is moved, gets or loses quote marks, or is edited in its place. A
// line that came with its question, or was typed below it, is the question's. In doubt a line is a
// person's own.

func holdsRequest(src []byte) bool { return bytes.Contains(src, []byte(note.MarkerStart)) }

// ownWords returns how many lines of the span of each marker are the question's, for [note.Page.Cut];
// nil means all. The texts in held belong to dispatches: a question is at least as long as it was
// asked. In a note that was never looked at (known is false), nothing else below them was asked.
func (l Lines) ownWords(src []byte, markers []note.Marker, held []string, known bool) func(note.Marker) int {
	lines, fewer := make(map[int]int), false
	var isOwn map[int]bool
	withHead := make(map[string][]string)
	for _, text := range held {
		head := note.FoldHead(text)
		withHead[head] = append(withHead[head], text)
	}
	for _, m := range markers {
		if m.Ends == m.Line {
			continue
		}
		if isOwn == nil {
			isOwn = l.findOwn(scanLines(src, true, false))
		}
		n := 1
		for number := m.Line + 1; number <= m.Ends && !l.isLong && !isOwn[number]; number++ {
			n++
		}
		if asked := longestHeld(m.Text, withHead[note.FoldHead(m.Text)]); asked > n || asked > 0 && !known {
			n = asked
		}
		lines[m.Line], fewer = n, fewer || m.Line+n-1 < m.Ends
	}
	if !fewer {
		return nil
	}
	return func(m note.Marker) int { return lines[m.Line] }
}

// longestHeld is how many lines the longest of texts has that a marker's begins with, or 0.
func longestHeld(text string, texts []string) (lines int) {
	for _, held := range texts {
		if n, ok := cutLines(text, held); ok {
			lines = max(lines, n)
		}
	}
	return lines
}

// cutLines reports whether a marker's text begins with the lines of an earlier one, white space apart,
// and how many these are.
func cutLines(text, earlier string) (lines int, ok bool) {
	lines = note.CountLines(earlier)
	_, ok = find.CutFolded(note.UnifyLineEnds(text), note.Fold(earlier), lines)
	return lines, ok
}

// findOwn says which lines of a note are a person's own, by number: those that were before,
// and those in the place of one that has just gone, for it may have been edited.
func (l Lines) findOwn(lines []textLine) map[int]bool {
	before, here := make(map[uint64]bool), make(map[uint64]bool)
	for _, list := range [][]line{l.current, l.former} {
		for _, e := range list {
			before[e.exact] = before[e.exact] || e.isOwn
		}
	}
	for _, at := range lines {
		here[at.exact] = true
	}
	lost := make([]int, len(l.current)+1) // own lines that are gone, before each
	for i, e := range l.current {
		lost[i+1] = lost[i]
		if e.isOwn && e.exact != 0 && !here[e.exact] {
			lost[i+1]++
		}
	}
	own := make(map[int]bool)
	begin, old := 0, 0 // of the lines since the last that was there before
	for i, at := range l.findAnchors(lines) {
		if i < len(lines) && before[lines[i].exact] {
			own[lines[i].number] = true
		}
		if at < 0 {
			continue
		}
		for ; begin < i; begin++ {
			if _, known := before[lines[begin].exact]; !known && lost[at] > lost[old] {
				own[lines[begin].number] = true
			}
		}
		begin, old = i+1, at+1
	}
	return own
}

// findAnchors says for each line of a note which of the remembered ones it is, each later
// than the one before, or -1. Behind them is the end of the note.
func (l Lines) findAnchors(lines []textLine) []int {
	places := make(map[uint64][]int)
	for i, e := range l.current {
		places[e.exact] = append(places[e.exact], i)
	}
	anchors, last := make([]int, 0, len(lines)+1), -1
	for _, at := range lines {
		list := places[at.exact]
		for len(list) > 0 && list[0] <= last {
			list = list[1:]
		}
		if places[at.exact] = list; len(list) == 0 {
			anchors = append(anchors, -1)
			continue
		}
		last = list[0]
		anchors = append(anchors, last)
	}
	return append(anchors, len(l.current))
}

// update returns the lines to remember of the present note: its quotes, all its lines if it asks, and
// those of answers too if whole is set. The markers are as long as ownWords has made them.
func (l Lines) update(src []byte, markers []note.Marker, whole bool) (next Lines) {
	lines := scanLines(src, whole || holdsRequest(src), whole)
	if next.isLong = len(lines) > mostLines; next.isLong && !whole {
		lines = nil
	}
	asked := make(map[int]bool) // line numbers
	for _, m := range markers {
		for number := m.Line; number <= m.Ends; number++ {
			asked[number] = true
		}
	}
	was, came := make(map[uint64]bool), l.came()
	for _, e := range l.current {
		was[e.exact] = was[e.exact] || !e.isOwn
	}
	for i, at := range lines {
		// While its first line is being edited into no marker, or hidden, a question is still one.
		goesOn := was[at.exact] && i > 0 && lines[i-1].number == at.number-1 && !next.current[i-1].isOwn
		at.isOwn = at.exact == 0 || !asked[at.number] && !at.isRequest && !goesOn
		at.isForeign = came[at.words]
		next.current = append(next.current, at.line)
	}
	next.former = l.findGone(lines, next.isLong)
	return next
}

// findGone returns the lines that were in a note and are gone: a person's own, except the oldest of
// very many, and those that came with it.
func (l Lines) findGone(lines []textLine, many bool) (gone []line) {
	here, words, kept := make(map[uint64]bool), wordsOf(lines), make(map[line]bool)
	for _, at := range lines {
		here[at.exact] = true
	}
	own := 0
	for _, list := range [][]line{l.former, l.current} {
		for _, e := range list {
			if many || !e.isOwn || here[e.exact] {
				e.exact, e.isOwn = 0, false
			}
			if e.isForeign = e.isForeign && !words[e.words]; !e.isForeign {
				e.words = 0
			}
			if (e.exact != 0 || e.isForeign) && !kept[e] {
				gone, kept[e] = append(gone, e), true
				own += int(bit(!e.isForeign))
			}
		}
	}
	return slices.DeleteFunc(gone, func(e line) bool {
		if e.isForeign || own <= mostGone {
			return false
		}
		own--
		return true
	})
}
