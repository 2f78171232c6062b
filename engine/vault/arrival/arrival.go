// Package arrival says which lines came with a note that somebody else wrote.
//
//	a := arrival.New(rel, now, src)         // a note that is seen first
//	a = arrival.Grow(a, young, src, markers) // at each later look
//	arrival.Lines(a.Came).Holds(line)        // it waits for a person if it is a marker
//
// A marker in a note from elsewhere may be another person's words. So what came with a note
// that is not trusted waits for the user, and what the user writes into it later does not.
//
// # Promises
//
// It reads no file, and but for [Memory], which keeps that in the journal, it asks no clock and nobody. Of a line only a hash
// is kept, of its words without quote marks, bullets and the width of white space.
package arrival

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"sort"
	"strings"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// ownLines is how many other new lines a person writes along with a marker between
// two looks; with more of them it was not written but brought.
const ownLines = 3

// questionLines is how many lines of one question a person writes between two looks;
// what is longer was not written but brought.
const questionLines = 12

// markerLines returns the lines of the questions of a note.
func markerLines(markers []note.Marker) Lines {
	var lines [][]byte
	for _, m := range markers {
		for i, line := range note.Lines([]byte(m.Text)) {
			if i < questionLines {
				lines = append(lines, hashLine([]byte(line)))
			}
		}
	}
	return setOf(lines)
}

// New is what is remembered of a note from elsewhere that is seen first. All
// its lines came with it, also those that are no markers yet: one may become a
// marker when the text around it changes.
func New(rel string, now time.Time, src []byte) journal.Arrival {
	lines := linesOf(src)
	return journal.Arrival{File: rel, Seen: now, Kind: journal.ForUntrusted, Lines: lines, Came: lines}
}

// Grow updates what is remembered of a note: new lines came as well if it is
// still young, or if they are more than a person writes at once.
func Grow(a journal.Arrival, young bool, src []byte, markers []note.Marker) journal.Arrival {
	lines := linesOf(src)
	fresh := lines.withoutLines(a.Lines)
	others := fresh.withoutLines(markerLines(markers))
	if young || len(others) > ownLines*hashSize {
		a.Came = setOf(append(Lines(a.Came).splitLines(), fresh.splitLines()...))
	}
	a.Lines = lines
	return a
}

// OfVault is what is remembered of a note whose questions stood in a vault before it was first
// watched.
func OfVault(rel string, seen time.Time, markers []note.Marker) journal.Arrival {
	return journal.Arrival{File: rel, Seen: seen, Kind: journal.ForOld, Came: markerLines(markers)}
}

// AskOwnWords leaves out of a question what came with the note: a person who asks above it
// has not written it, and an agent reads it as context, not as what it is asked.
func AskOwnWords(lines []string, m note.Marker, came Lines) note.Marker {
	if len(came) == 0 || m.Asked <= m.Ends {
		return m
	}
	for _, line := range lines[m.Ends:m.Asked] {
		if came.Holds(line) {
			asked := strings.SplitN(m.Instruction, "\n", m.Ends-m.Line+2)
			m.Instruction, m.Asked = strings.Join(asked[:m.Ends-m.Line+1], "\n"), m.Ends
			return m
		}
	}
	return m
}

// Lines are the hashes of lines, sorted and without repetition.
type Lines []byte

const hashSize = 8

func hashLine(line []byte) []byte {
	sum := sha256.Sum256(wordsOf(line))
	return sum[:hashSize]
}

// wordsOf is a line as it is recognised where a formatter or a callout has changed its marks.
func wordsOf(line []byte) []byte {
	return bytes.Join(bytes.Fields(bytes.TrimLeft(line, " \t>-*+")), []byte(" "))
}

// linesOf returns the lines of a note that have words.
func linesOf(src []byte) Lines {
	var lines [][]byte
	for line := range bytes.Lines(src) {
		if len(wordsOf(line)) > 0 {
			lines = append(lines, hashLine(line))
		}
	}
	return setOf(lines)
}

func setOf(lines [][]byte) Lines {
	slices.SortFunc(lines, bytes.Compare)
	return bytes.Join(slices.CompactFunc(lines, bytes.Equal), nil)
}

func (s Lines) splitLines() [][]byte {
	return slices.Collect(slices.Chunk([]byte(s), hashSize))
}

func (s Lines) lineAt(i int) []byte { return s[i*hashSize : (i+1)*hashSize] }

// Holds reports whether a line is one of the set.
func (s Lines) Holds(line string) bool {
	hash := hashLine([]byte(line))
	_, found := sort.Find(len(s)/hashSize, func(i int) int { return bytes.Compare(hash, s.lineAt(i)) })
	return found
}

// withoutLines returns the lines that are not in old. Both are sorted, so one walk does.
func (s Lines) withoutLines(old Lines) (rest Lines) {
	i, j := 0, 0
	for i < len(s)/hashSize {
		order := 1
		if j < len(old)/hashSize {
			order = bytes.Compare(old.lineAt(j), s.lineAt(i))
		}
		switch {
		case order < 0:
			j++
		case order == 0:
			i++
		default:
			rest = append(rest, s.lineAt(i)...)
			i++
		}
	}
	return rest
}
