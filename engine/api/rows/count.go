package rows

import (
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/wording"
)

// Count is how many questions have one word in their rows.
type Count struct {
	Status, Word string
	N            int
	More         bool // there are older ones that no list holds
}

// CountAll counts the questions of a status by the words that their rows show, in the order of a task's life; dispatches,
// where the engine is an earlier one that counts no questions.
func CountAll(st api.Status) (all []Count) {
	q, held := st.Queue, 0
	for _, kind := range st.CountHeld() {
		held += kind.Questions
	}
	for _, c := range []Count{{Status: "settling", N: q.Settling}, {Status: "queued", N: q.Queued}, {Status: "processing", N: q.Processing},
		{Status: "proposed", N: q.Proposed}, {Status: "done", N: q.Done}, {Status: "failed", N: q.Failed}, {Status: "held", N: max(q.Held, held)}, {Status: "parked", N: q.Parked}} {
		counted := []Count{c}
		for _, of := range st.Questions {
			if of.Status == c.Status { // those without a result have a word of their own
				counted = []Count{{Status: c.Status, N: of.Count - of.NoResult, More: of.More}, {Status: wording.NoResult, N: of.NoResult, More: of.More}}
			}
		}
		for _, c := range counted {
			if c.Word = wording.Status(c.Status); c.N > 0 {
				all = append(all, c)
			}
		}
	}
	return all
}

// IsOf reports whether a list of one word has the question, which the engine has listed by the status: what has a word of its
// own is under that alone. "" is any.
func (q Question) IsOf(word string) bool {
	own := q.Outcome()
	return word == "" || own == word || wording.StatusOf(word) == word && wording.StatusOf(own) == own
}
