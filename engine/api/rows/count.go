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

// CountAll counts the questions of a status by the words that their rows show, in the order of a task's life. list
// returns the dispatches of a status.
func CountAll(st api.Status, list func(api.Filter) ([]api.Dispatch, error)) (all []Count, err error) {
	q, held := st.Queue, 0
	for _, kind := range st.CountHeld() {
		held += kind.Questions
	}
	for _, c := range []Count{{Status: "settling", N: q.Settling}, {Status: "queued", N: q.Queued}, {Status: "processing", N: q.Processing},
		{Status: "proposed", N: q.Proposed}, {Status: "done", N: q.Done}, {Status: "failed", N: q.Failed}, {Status: "held", N: max(q.Held, held)}, {Status: "parked", N: q.Parked}} {
		if c.N == 0 {
			continue
		}
		counted := []Count{c}
		if c.Status != "settling" && c.Status != "held" { // these count questions already
			found, err := list(api.Filter{Status: c.Status, Limit: api.MostListed})
			if err != nil {
				return nil, err
			}
			counted = countWords(c.Status, found)
		}
		for _, c := range counted {
			if c.Word = wording.Status(c.Status); c.N > 0 {
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// countWords counts the questions of dispatches of one status; those without a result have a word of their own.
func countWords(status string, list []api.Dispatch) []Count {
	with, without := Count{Status: status}, Count{Status: wording.NoResult}
	with.More = len(list) >= api.MostListed
	without.More = with.More
	for _, q := range OfList(list, "") {
		if q.Outcome() == wording.NoResult {
			without.N++
		} else {
			with.N++
		}
	}
	return []Count{with, without}
}

// IsOf reports whether a list of one word has the question, which the engine has listed by the status: what has a word of its
// own is under that alone. "" is any.
func (q Question) IsOf(word string) bool {
	own := q.Outcome()
	return word == "" || own == word || wording.StatusOf(word) == word && wording.StatusOf(own) == own
}
