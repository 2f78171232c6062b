package note

import (
	"bytes"
	"slices"
	"strings"
)

// findAppSyntax finds the syntax that only note apps know: comments between %% and formulas between
// $$. It looks at text that is neither code nor HTML (solid) nor in a response
// block. A comment without an end runs to the end of the note, as it does in the
// app; so does a formula that begins its line. Within a line a formula ends in
// its paragraph, or the $$ is money.
func findAppSyntax(t text, from int, solid []region, blocks []Span) []region {
	s := marking{text: t, solid: solid, blocks: blocks}
	for i := from; i < len(t.src); {
		i = s.takeStep(i)
		if i >= len(t.src) && s.inline {
			i = s.takeBack()
		}
	}
	if s.mark != 0 {
		s.result = append(s.result, region{Span{s.start, len(t.src)}, markReason(s.mark)})
	}
	return s.result
}

// marking is the state of marks.
type marking struct {
	text
	result []region
	solid  []region // those ahead
	blocks []Span

	mark   byte // '%' or '$' while inside, else 0
	start  int  // where it was opened
	inline bool // a formula inside a line
	saved  struct {
		solid  []region
		blocks []Span
	} // the lists as they were at start
}

// takeStep looks at the byte at i and returns the offset to go on from.
func (s *marking) takeStep(i int) int {
	if end := s.skipRegion(i); end > i {
		return end
	}
	c := s.src[i]
	switch {
	case c == '\\':
		return i + 2
	case c == '\n' && s.inline && s.isBlankAt(i+1):
		return s.takeBack()
	case c != '%' && c != '$':
		return i + 1
	}
	n := RunLength(s.src[i:])
	if !isToggle(c, n) || s.mark != 0 && s.mark != c {
		return i + n
	}
	if s.mark == c {
		s.result = append(s.result, region{Span{s.start, i + n}, markReason(c)})
		s.mark, s.inline = 0, false
		return i + n
	}
	s.mark, s.start = c, i
	s.inline = c == '$' && !s.beginsLine(i)
	s.saved.solid, s.saved.blocks = s.solid, s.blocks
	return i + n
}

// takeBack forgets a $$ that turned out to be text. What it may have hidden is
// looked at again, at most once per paragraph.
func (s *marking) takeBack() int {
	s.mark, s.inline = 0, false
	s.solid, s.blocks = s.saved.solid, s.saved.blocks
	return s.start + 2
}

// skipRegion is the end of the solid region or the block that holds i, or 0. Both
// lists drop the regions before i, so the whole pass is linear.
func (s *marking) skipRegion(i int) int {
	for len(s.blocks) > 0 && s.blocks[0].End <= i {
		s.blocks = s.blocks[1:]
	}
	if len(s.blocks) > 0 && s.blocks[0].Start <= i {
		return s.blocks[0].End
	}
	for len(s.solid) > 0 && s.solid[0].End <= i {
		s.solid = s.solid[1:]
	}
	if len(s.solid) > 0 && s.solid[0].Start <= i {
		return s.solid[0].End
	}
	return 0
}

// isBlankAt reports whether the line at i holds no text.
func (s *marking) isBlankAt(i int) bool {
	line, _, _ := bytes.Cut(s.src[i:], []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	return LooseMarks(line) == len(line)
}

// beginsLine reports whether there are only containers before off on its line.
func (s *marking) beginsLine(off int) bool {
	line := s.src[s.starts[s.lineAt(off)]:off]
	return LooseMarks(line) == len(line)
}

// isToggle reports whether a run of n bytes c changes between inside and outside.
func isToggle(c byte, n int) bool {
	if c == '$' {
		return n == 2
	}
	return n/2%2 == 1
}

func markReason(c byte) Reason {
	if c == '$' {
		return Math
	}
	return Comment
}

// findConflict returns the line, from 1, where a conflict begins outside code, or 0. git writes a conflict into a
// file that it cannot merge (https://git-scm.com/docs/git-merge#_how_conflicts_are_presented). Jujutsu does too, with
// other sides (https://docs.jj-vcs.dev/latest/conflicts/). A side of the conflict may open code.
func findConflict(t text, solid []region) int {
	if !bytes.Contains(t.src, []byte("<<<<<<<")) {
		return 0
	}
	begun, parted := 0, false
	for i := range t.count() {
		switch line := t.line(i); {
		case isConflictMark(line, '<'):
			if why, ok := findRegion(solid, t.starts[i]); !ok || why != Code {
				begun, parted = i+1, false
			}
		case begun > 0 && (isConflictMark(line, '=') || isConflictMark(line, '+') || isConflictMark(line, '%')):
			parted = true
		case parted && isConflictMark(line, '>'):
			return begun
		}
	}
	return 0
}

// isConflictMark reports whether a line is seven times a character, with a name behind it or without.
func isConflictMark(line []byte, mark byte) bool {
	n := countLeading(line, func(c byte) bool { return c == mark })
	return n == 7 && (len(line) == n || line[n] == ' ')
}

// bookkeeping are the keys of properties that Logseq has for itself
// (https://github.com/logseq/docs/blob/master/pages/Properties.md), and drawers the beginnings of its other such lines,
// which are those of Org (https://orgmode.org/manual/Drawers.html).
var (
	bookkeeping = []string{"id", "collapsed", "heading", "created-at", "updated-at", "public", "exclude-from-graph-view"}
	drawers     = []string{"#+BEGIN_", "#+END_", ":LOGBOOK:", "CLOCK: [", ":END:"}
)

// IsBookkeeping reports whether a line, without what Markdown has before its text, is one that an outliner has for
// itself. Properties that say something are text.
func IsBookkeeping(line string) bool {
	key, _, ok := strings.Cut(line, ":: ")
	if !ok {
		key, ok = strings.CutSuffix(line, "::")
	}
	return ok && slices.Contains(bookkeeping, strings.ToLower(key)) ||
		slices.ContainsFunc(drawers, func(begins string) bool { return strings.HasPrefix(line, begins) })
}
