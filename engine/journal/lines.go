package journal

import "vaultdispatcher/engine/note"

// folds reports whether other white space is no other question: of one that waits for its agent or its
// answer. What settles, has failed or is held counts byte for byte, so that a space asks it again.
func (s Status) folds() bool { return s == Queued || s == Processing || s == Proposed }

// Trace is the marker as it was accepted.
func (c Claim) Trace() note.Trace {
	t := c.Marker.Trace
	t.Folds = c.Status.folds()
	return t
}

// isFree reports whether a note, whose questions equal counts by their text, has markers for all that
// is held in it and for what is wanted besides: for each text, and white space apart for each that folds.
func isFree(held []Claim, wanted []Marker, equal map[string]int) bool {
	count, there := make(map[string]int), unifyCounts(equal)
	alike, folded := make(map[string]int), make(map[string]int)
	strict := make(map[string]int)
	for _, c := range held {
		text := note.UnifyLineEnds(c.Marker.Text)
		if count[text]++; c.Status.folds() {
			folded[note.Fold(text)]++
		} else {
			strict[text]++
		}
	}
	for text, n := range there {
		fold := note.Fold(text)
		alike[fold] += n
		folded[fold] += min(n, strict[text])
	}
	for _, m := range wanted {
		count[note.UnifyLineEnds(m.Text)]++
		folded[note.Fold(m.Text)]++
	}
	for _, m := range wanted {
		text, fold := note.UnifyLineEnds(m.Text), note.Fold(m.Text)
		if there[text] > 0 && count[text] > there[text] || folded[fold] > alike[fold] {
			return false
		}
	}
	return true
}

// freeLines counts the questions of a note that nothing holds, by their text.
type freeLines struct {
	count map[string]int
	alike map[string][]string // the texts that are the same but for their white space
}

func newFreeLines(equal map[string]int) freeLines {
	f := freeLines{count: unifyCounts(equal), alike: make(map[string][]string)}
	for text := range f.count {
		fold := note.Fold(text)
		f.alike[fold] = append(f.alike[fold], text)
	}
	return f
}

// find returns the text under which a question of a dispatch is counted: its own where that is
// free, else the only one that differs in its white space.
func (f freeLines) find(text string, of Status) string {
	text = note.UnifyLineEnds(text)
	if f.count[text] > 0 || !of.folds() {
		return text
	}
	other := ""
	for _, t := range f.alike[note.Fold(text)] {
		if f.count[t] > 0 && other != "" {
			return text
		} else if f.count[t] > 0 {
			other = t
		}
	}
	if other == "" {
		return text
	}
	return other
}
