package note

// Reading is a note that was read, with or without questions. It serves code that puts text between its lines.
type Reading struct{ n *reading }

// Read reads a note.
func Read(src []byte) Reading { return Reading{readNote(markdown, src)} }

// Markers are those of [Doc].
func (r Reading) Markers() []Marker { return r.n.doc.Markers }

// IsRead reports whether the structure of the note could be read.
func (r Reading) IsRead() bool { return r.n.lay != nil }

// Hides reports whether something at an offset could be no marker: it is in code, a comment, an answer, the
// properties or the like, or the structure could not be read.
func (r Reading) Hides(off int) bool {
	_, hidden := r.n.findHidingRegion(off)
	return hidden
}

// IsComment reports whether an offset is in a comment of HTML, as any program takes it.
func (r Reading) IsComment(off int) bool {
	if r.n.lay == nil {
		return false
	}
	why, ok := findRegion(r.n.lay.solid, off)
	return ok && why == Comment
}

// IsExample reports whether what is at an offset is only told about: it is in code, a formula, a comment or an answer.
func (r Reading) IsExample(off int) bool {
	if r.n.lay == nil {
		return true
	}
	for _, list := range [][]region{r.n.blocks, r.n.lay.solid, r.n.marks} {
		if why, ok := findRegion(list, off); ok && why != HTML {
			return true
		}
	}
	return false
}
