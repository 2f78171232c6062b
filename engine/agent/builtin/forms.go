package builtin

import (
	"cmp"
	"slices"

	"vaultdispatcher/engine/recall/terms"
)

// sortPieces puts the best first: what the question asks about by its name, then by value. The value of the note that the
// question calls is raised, where the question has more of it than the name; that of a note whose name is part of
// a longer one is lowered: of "no-knead pizza dough" is asked, and not of "pizza dough".
func sortPieces(found []candidate) {
	longest := slices.MaxFunc(append(found, candidate{}), func(a, b candidate) int { return cmp.Compare(a.called, b.called) })
	isPart := func(c candidate) bool {
		return c.called > 0 && c.called < longest.called && c.Named&^longest.Named == 0
	}
	hasParts := slices.ContainsFunc(found, isPart)
	for i, c := range found {
		switch {
		case isPart(c):
			found[i].value *= 1 - c.called
		case c.called == longest.called && (c.Piece.Matched&^c.Named != 0 || c.called >= named || hasParts):
			found[i].value *= 1 + c.called
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		switch {
		case a.isSubject == b.isSubject:
			return cmp.Compare(b.value, a.value)
		case a.isSubject:
			return -1
		}
		return 1
	})
}

// form says how an answer may be told.
type form int

const (
	none    form = iota // no note answers
	closest             // it may be about something else
	surely
)

// formOf chooses the form of the answer for the pieces found. A question with a noun that no note has is not
// answered, unless an embedder found a piece near it in meaning. The answer is sure if it meets three conditions. The
// piece or its names contain the weightiest words, nearly all others, and a number or a date if the question asks for one, beside
// the word for what is done so long or so much. If the question asks how or where a thing is done,
// or who does it, the piece tells that of this very thing. If it asks what a word means, the word is a name, a heading or a bold
// term. And the question does not name another note by a longer name, such as "no-knead pizza dough" beside "pizza dough".
func formOf(found []candidate, q *terms.Query, kind terms.Kind) form {
	switch {
	case len(found) == 0,
		found[0].Similarity == 0 && (found[0].share < close || len(q.UnknownNouns()) > 0):
		return none
	case found[0].share < sure, found[0].IsThin, len(q.UnknownWords()) > 0, !q.HasWeightiest(found[0].Piece.Matched),
		!found[0].isStated, q.AsksMeaning && !found[0].isSubject, !kind.IsSaid(found[0].Piece.Text, q, found[0].Named),
		slices.ContainsFunc(found, func(c candidate) bool { return c.called > found[0].called && found[0].called > 0 }):
		return closest
	}
	return surely
}
