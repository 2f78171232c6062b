package past

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// This file finds the lines that came with a note that another person wrote. A marker in such a note
// may be another person's words. So it waits for a person, and a marker that a person adds later does
// not.

// ownLines is how many other new lines a person writes along with a marker between
// two looks; with more of them it was not written but brought.
const ownLines = 3

// questionLines is how many lines of one question a person writes between two looks; a longer question
// was not written but brought.
const questionLines = 12

// Came are the lines of a note that wait for a person if they are markers. The zero value has no
// lines.
type Came struct {
	Kind  journal.HoldKind // why they are held, as a kind
	words wordSet
}

// Holds reports whether a line is one of them.
func (c Came) Holds(line string) bool { return len(c.words) > 0 && c.words[hashWords(line)] }

// CutForeign removes from a question the lines that came with the note: a person who asks above them
// has not written them, and an agent reads them as context, not as the question.
func (c Came) CutForeign(lines []string, m note.Marker) note.Marker {
	if len(c.words) == 0 || m.Asked <= m.Ends || !slices.ContainsFunc(lines[m.Ends:m.Asked], c.Holds) {
		return m
	}
	asked := strings.SplitN(m.Instruction, "\n", m.Ends-m.Line+2)
	m.Instruction, m.Asked = strings.Join(asked[:m.Ends-m.Line+1], "\n"), m.Ends
	return m
}

// came returns the words of the lines that came with a note.
func (l Lines) came() wordSet {
	set := make(wordSet)
	for _, list := range [][]line{l.current, l.former} {
		for _, e := range list {
			if e.isForeign && e.words != 0 {
				set[e.words] = true
			}
		}
	}
	return set
}

// bring says of some lines that they came with the note, also where they are not in it.
func (l *Lines) bring(words wordSet) {
	missing := maps.Clone(words)
	for _, list := range [][]line{l.current, l.former} {
		for i := range list {
			if e := &list[i]; words[e.words] {
				e.isForeign = true
				delete(missing, e.words)
			}
		}
	}
	for _, one := range slices.Sorted(maps.Keys(missing)) {
		l.former = append(l.former, line{words: one, isForeign: true})
	}
}

// without returns the words of the lines of a note that were not in it before.
func (l Lines) without(before Lines) wordSet {
	fresh := make(wordSet)
	for _, e := range l.current {
		fresh[e.words] = true
	}
	delete(fresh, 0)
	for _, e := range before.current {
		delete(fresh, e.words)
	}
	return fresh
}

// grow says of the lines that are new in a note that they came with it, if the note is still young or they are more than
// a person writes at once.
func (l *Lines) grow(news wordSet, young bool, markers []note.Marker) {
	others := maps.Clone(news)
	for one := range wordsOfMarkers(markers) {
		delete(others, one)
	}
	if young || len(others) > ownLines {
		l.bring(news)
	}
}

// wordsOfMarkers returns the words of the lines of questions.
func wordsOfMarkers(markers []note.Marker) wordSet {
	set := make(wordSet)
	for _, m := range markers {
		for i, text := range note.Lines([]byte(m.Text)) {
			if words := hashWords(text); i < questionLines && words != 0 {
				set[words] = true
			}
		}
	}
	return set
}

// sumOf is the same for two notes with the same lines, in whatever order.
func sumOf(words wordSet) []byte {
	var b []byte
	for _, one := range slices.Sorted(maps.Keys(words)) {
		b = binary.BigEndian.AppendUint64(b, one)
	}
	sum := sha256.Sum256(b)
	return sum[:16]
}
