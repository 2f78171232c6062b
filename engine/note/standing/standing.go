// Package standing remembers which lines stood in a note, so that a person's own words
// below a question are not taken for the rest of it. It is pure text.
//
// [Read] decodes what is remembered of a note, [Lines.OwnWords] says how much of each
// question is the question's, and [Lines.Update] is what to remember of the note as it is now.
//
// # Promises
//
// A line that stood in the note while it was no part of a question is a person's own for as
// long as it stands there and for a while after, also when it is moved, gets or loses quote
// marks, or is edited where it stands. A line that came with its question, or was
// typed below it, is the question's. In doubt a line is a person's own. What is remembered
// are hashes, eight bytes for each line of a quote, and for each line of a note that asks.
package standing

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"strings"

	"vaultdispatcher/engine/note"
)

const (
	mostLines = 5000 // of a note; of one with more every line is a person's own
	mostGone  = 500  // lines that stood in a note and are gone
)

// Lines are the lines of a note when it was last looked at, and some that stood there
// earlier. The zero value is a note that nobody has looked at.
type Lines struct {
	now  []entry
	gone []entry
	many bool // too many to be remembered
}

// entry is the hash of a line; its lowest bit says whether it was a person's own.
type entry uint64

const ownBit entry = 1

func (e entry) hash() entry { return e &^ ownBit }
func (e entry) isOwn() bool { return e&ownBit != 0 }

// tooMany and behind are entries that no line has.
const (
	tooMany entry = 2
	behind  entry = 0 // what follows is gone
)

// Read decodes what [Lines.Bytes] has encoded. Bytes that are none of its are lines that
// no note has.
func Read(b []byte) (l Lines) {
	list := &l.now
	for ; len(b) >= 8; b = b[8:] {
		switch e := entry(binary.BigEndian.Uint64(b)); e {
		case behind:
			list = &l.gone
		case tooMany:
			l.many = true
		default:
			*list = append(*list, e)
		}
	}
	return l
}

// Bytes encodes the lines.
func (l Lines) Bytes() []byte {
	var b []byte
	if l.many {
		b = binary.BigEndian.AppendUint64(b, uint64(tooMany))
	}
	for _, e := range l.now {
		b = binary.BigEndian.AppendUint64(b, uint64(e))
	}
	if len(l.gone) > 0 {
		b = binary.BigEndian.AppendUint64(b, uint64(behind))
	}
	for _, e := range l.gone {
		b = binary.BigEndian.AppendUint64(b, uint64(e))
	}
	return b
}

// With adds what stood in another note, whose text may have come here: a note under its
// name before.
func (l Lines) With(other Lines) Lines {
	for _, list := range [][]entry{other.now, other.gone} {
		for _, e := range list {
			if e.isOwn() {
				l.gone = append(l.gone[:len(l.gone):len(l.gone)], e)
			}
		}
	}
	l.many = l.many || other.many
	return l
}

// line is a line of a note that says something.
type line struct {
	number int // from 1
	hash   entry
	asks   bool // or tries to
}

// scanLines returns the lines of a note that are remembered: those of quotes, or all.
// Response blocks are ours and left out.
func scanLines(src []byte, all bool) []line {
	if !all && bytes.IndexByte(src, '>') < 0 {
		return nil
	}
	var list []line
	answer := false
	for i, text := range note.Lines(src) {
		if answer || strings.Contains(text, "agent-response") {
			if note.IsTag(text) {
				answer = !strings.Contains(text, "/")
			}
			continue
		}
		marks := note.LooseMarks([]byte(text))
		words := strings.TrimRight(text[marks:], " \t")
		if words == "" || !all && strings.IndexByte(text[:marks], '>') < 0 {
			continue
		}
		sum := fnv.New64a()
		sum.Write([]byte(words))
		list = append(list, line{i + 1, max(4, entry(sum.Sum64()).hash()), words[0] == '@'})
	}
	return list
}

func holdsRequest(src []byte) bool { return bytes.Contains(src, []byte(note.MarkerStart)) }

// OwnWords says of each marker of a note how many lines of its span are the question's, for
// [note.ParseCut]; nil where all are. The texts in held belong to dispatches: what was
// asked stays the question. Of a note that nobody has looked at (known is false) nothing
// else below them was asked.
func (l Lines) OwnWords(src []byte, markers []note.Marker, held []string, known bool) func(note.Marker) int {
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
			isOwn = l.findOwn(scanLines(src, true))
		}
		n := 1
		for number := m.Line + 1; number <= m.Ends && !l.many && !isOwn[number]; number++ {
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
	_, ok = note.CutFolded(note.UnifyLineEnds(text), note.Fold(earlier), lines)
	return lines, ok
}

// findOwn says which lines of a note are a person's own, by number: those that were before,
// and those that stand where one has just gone, for it may have been edited.
func (l Lines) findOwn(lines []line) map[int]bool {
	stood, here := make(map[entry]bool), make(map[entry]bool)
	for _, list := range [][]entry{l.now, l.gone} {
		for _, e := range list {
			stood[e.hash()] = stood[e.hash()] || e.isOwn()
		}
	}
	for _, at := range lines {
		here[at.hash] = true
	}
	lost := make([]int, len(l.now)+1) // own lines that are gone, before each
	for i, e := range l.now {
		lost[i+1] = lost[i]
		if e.isOwn() && !here[e.hash()] {
			lost[i+1]++
		}
	}
	own := make(map[int]bool)
	begin, old := 0, 0 // of the lines since the last that was there before
	for i, at := range l.findAnchors(lines) {
		if i < len(lines) && stood[lines[i].hash] {
			own[lines[i].number] = true
		}
		if at < 0 {
			continue
		}
		for ; begin < i; begin++ {
			if _, known := stood[lines[begin].hash]; !known && lost[at] > lost[old] {
				own[lines[begin].number] = true
			}
		}
		begin, old = i+1, at+1
	}
	return own
}

// findAnchors says for each line of a note which of the remembered ones it is, each later
// than the one before, or -1. Behind them stands the end of the note.
func (l Lines) findAnchors(lines []line) []int {
	places := make(map[entry][]int)
	for i, e := range l.now {
		places[e.hash()] = append(places[e.hash()], i)
	}
	anchors, last := make([]int, 0, len(lines)+1), -1
	for _, at := range lines {
		list := places[at.hash]
		for len(list) > 0 && list[0] <= last {
			list = list[1:]
		}
		if places[at.hash] = list; len(list) == 0 {
			anchors = append(anchors, -1)
			continue
		}
		last = list[0]
		anchors = append(anchors, last)
	}
	return append(anchors, len(l.now))
}

// Update is what to remember of a note as it is now. The markers are as long as
// OwnWords has made them.
func (l Lines) Update(src []byte, markers []note.Marker) Lines {
	lines := scanLines(src, holdsRequest(src))
	if len(lines) > mostLines {
		return Lines{many: true}
	}
	asked := make(map[int]bool) // line numbers
	for _, m := range markers {
		for number := m.Line; number <= m.Ends; number++ {
			asked[number] = true
		}
	}
	was := make(map[entry]bool) // hashes of what belonged to a question
	for _, e := range l.now {
		was[e.hash()] = was[e.hash()] || !e.isOwn()
	}
	next, here := Lines{}, make(map[entry]bool)
	for i, at := range lines {
		// While its first line is being edited into no marker, or hidden, a question is still one.
		goesOn := was[at.hash] && i > 0 && lines[i-1].number == at.number-1 && !next.now[i-1].isOwn()
		e := at.hash
		if !asked[at.number] && !at.asks && !goesOn {
			e |= ownBit
		}
		next.now, here[at.hash] = append(next.now, e), true
	}
	kept := make(map[entry]bool)
	for _, list := range [][]entry{l.gone, l.now} {
		for _, e := range list {
			if e.isOwn() && !here[e.hash()] && !kept[e] {
				next.gone, kept[e] = append(next.gone, e), true
			}
		}
	}
	next.gone = next.gone[max(0, len(next.gone)-mostGone):]
	return next
}
