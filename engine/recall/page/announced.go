package page

import (
	"strings"
	"unicode/utf8"
)

// endsInColon reports whether block i announces the one below it.
func (s *selection) endsInColon(i int) bool {
	b := s.p.Blocks[i]
	return endsInColon(s.p.text[b.Span.Start:b.Span.End])
}

// isLabel reports whether a short line without an end is right above a list or a table.
func (s *selection) isLabel(i int, text string) bool {
	if i+1 == len(s.p.Blocks) || utf8.RuneCountInString(text) > 60 || strings.ContainsAny(text, "\n.!?。！？") {
		return false
	}
	next := s.p.Blocks[i+1]
	return next.part == s.p.Blocks[i].part && (next.kind == item || next.kind == row)
}

// announces reports whether the block after one belongs to it.
func (s *selection) announces(i int) bool {
	b := s.p.Blocks[i]
	if b.kind != paragraph {
		return false
	}
	text := s.p.text[b.Span.Start:b.Span.End]
	return endsInColon(text) || s.isLabel(i, text)
}

// belongs reports whether block n continues the list or the table that begins with block i.
func (s *selection) belongs(i, n int) bool {
	a, b := s.p.Blocks[i], s.p.Blocks[n]
	return a.kind == b.kind && (a.kind == item || a.kind == row) || a.kind == item && b.depth > a.depth
}
