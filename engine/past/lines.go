package past

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash/fnv"
	"strings"

	"vaultdispatcher/engine/note"
)

const (
	mostLines = 5000 // of a note; of one with more every line is a person's own
	mostGone  = 500  // a person's own lines that were in a note and are gone
)

// Lines are the lines of a note when it was last looked at, in order, and some that were in it
// earlier. The zero value is a note that was never looked at.
type Lines struct {
	current, former []line
	isLong          bool // too long to be remembered; the lines that came with the note are remembered all the same
}

// line is what is remembered of one line. A hash of 0 says that it has none.
type line struct {
	exact     uint64 // hash of its text without the marks of quotes
	words     uint64 // hash of its words, without bullets and the width of white space either
	isOwn     bool   // a person's own: it was no part of a question
	isForeign bool   // it came with the note from elsewhere, or was in it before its vault was met
}

// recordSize is how many bytes of [Lines.Bytes] a line takes: its two hashes. The last bit of the
// first says whether it is a person's own, that of the second whether it came with the note.
const recordSize = 16

// tooMany and behind are records that no line has.
var (
	tooMany = line{exact: 2}
	behind  = line{} // former lines follow
)

// Decode reads the output of [Lines.Bytes]. Other bytes become lines that no note has.
func Decode(b []byte) (l Lines) {
	list := &l.current
	for ; len(b) >= recordSize; b = b[recordSize:] {
		exact, words := binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
		switch e := (line{exact &^ 1, words &^ 1, exact&1 != 0, words&1 != 0}); e {
		case behind:
			list = &l.former
		case tooMany:
			l.isLong = true
		default:
			*list = append(*list, e)
		}
	}
	return l
}

// Bytes encodes the lines.
func (l Lines) Bytes() (b []byte) {
	add := func(list ...line) {
		for _, e := range list {
			b = binary.BigEndian.AppendUint64(b, e.exact|bit(e.isOwn))
			b = binary.BigEndian.AppendUint64(b, e.words|bit(e.isForeign))
		}
	}
	if l.isLong {
		add(tooMany)
	}
	if add(l.current...); len(l.former) > 0 {
		add(behind)
	}
	add(l.former...)
	return b
}

func bit(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

// with adds the lines of another note that may be this one under its former name.
func (l Lines) with(other Lines) Lines {
	for _, list := range [][]line{other.current, other.former} {
		for _, e := range list {
			if e.isOwn && e.exact != 0 {
				l.former = append(l.former[:len(l.former):len(l.former)], line{exact: e.exact, isOwn: true})
			}
		}
	}
	l.isLong = l.isLong || other.isLong
	return l
}

// textLine is a line of the present note.
type textLine struct {
	line
	number    int  // from 1
	isRequest bool // or tries to be one
}

// scanLines returns the lines of a note that are remembered: those of quotes, or all. Response
// blocks are ours, and have no exact hash; they are left out where answers is not set.
func scanLines(src []byte, all, answers bool) (list []textLine) {
	if !all && bytes.IndexByte(src, '>') < 0 {
		return nil
	}
	inAnswer := false
	for i, text := range note.Lines(src) {
		at := textLine{number: i + 1}
		isAnswer := inAnswer || strings.Contains(text, "agent-response")
		if isAnswer && note.IsTag(text) {
			inAnswer = !strings.Contains(text, "/")
		}
		marks := note.LooseMarks([]byte(text))
		if rest := strings.TrimRight(text[marks:], " \t"); !isAnswer && rest != "" && (all || strings.IndexByte(text[:marks], '>') >= 0) {
			at.exact, at.isRequest = hashExact(rest), rest[0] == '@'
		}
		if at.exact == 0 && !answers {
			continue
		}
		if at.words = hashWords(text); at.exact != 0 || at.words != 0 {
			list = append(list, at)
		}
	}
	return list
}

// hashExact is the hash of a text, with a last bit to spare.
func hashExact(text string) uint64 {
	sum := fnv.New64a()
	sum.Write([]byte(text))
	return max(4, sum.Sum64()&^1)
}

// hashWords is the hash of the words of a line, by which it is recognised where a formatter or a callout has changed its marks,
// with a last bit to spare; 0 where it has none.
func hashWords(text string) uint64 {
	words := strings.Fields(strings.TrimLeft(text, " \t>-*+"))
	if len(words) == 0 {
		return 0
	}
	sum := sha256.Sum256([]byte(strings.Join(words, " ")))
	return max(4, binary.BigEndian.Uint64(sum[:])&^1)
}

// wordSet is a set of hashes of words.
type wordSet map[uint64]bool

// wordsOf returns the words of some lines.
func wordsOf(lines []textLine) wordSet {
	set := make(wordSet, len(lines))
	for _, at := range lines {
		if at.words != 0 {
			set[at.words] = true
		}
	}
	return set
}
