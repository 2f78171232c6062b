// Package rows makes one row of each question of a dispatch, for every list that a person reads.
//
//	for _, q := range rows.Of(d, "trip plan") { ... q.Text, q.Took() }
//
// A dispatch is a group of questions, which are asked and taken back together: [All] says so on a button.
package rows

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/wording"
)

// Question is one question and the dispatch that it is asked with.
type Question struct {
	api.Dispatch
	Text string // one line, at most 200 characters; the ID where it has no words
	Line int    // of its note when it was asked; 0 = it is in no note
}

// Of returns the questions of a dispatch in the order of the note: those that have the words of a search, or all
// where none has them by itself, and for an empty search.
func Of(d api.Dispatch, query string) []Question {
	texts := d.Instructions
	if len(texts) == 0 {
		texts = []string{d.Instruction}
	}
	all := make([]Question, len(texts))
	for i, text := range texts {
		all[i] = Question{Dispatch: d, Text: cmp.Or(text, d.ID)}
		if i < len(d.Lines) {
			all[i].Line = d.Lines[i]
		}
		if d.Result == "some" && len(texts) == d.Markers {
			all[i].Result = map[bool]string{true: "none"}[slices.Contains(d.NoResult, i+1)]
		}
	}
	found := slices.DeleteFunc(slices.Clone(all), func(q Question) bool { return !wording.HasWords(q.Role+"\n"+q.File+"\n"+q.Text, query) })
	if len(found) == 0 {
		return all
	}
	return found
}

// OfList returns the questions of a list of dispatches.
func OfList(list []api.Dispatch, query string) (all []Question) {
	for _, d := range list {
		all = append(all, Of(d, query)...)
	}
	return all
}

// Outcome is the word that people read for what became of the question.
func (q Question) Outcome() string { return wording.Outcome(q.Status, q.Result) }

// At is when the question came to what its row says.
func (q Question) At() time.Time {
	if q.FinishedAt != nil {
		return *q.FinishedAt
	}
	return q.CreatedAt
}

// Took is how long the agent and the note took; 0 = it is not answered.
func (q Question) Took() time.Duration {
	if q.Status != "done" || q.StartedAt == nil || q.FinishedAt == nil {
		return 0
	}
	return max(time.Millisecond, q.FinishedAt.Sub(*q.StartedAt))
}

// All says how many questions an act on a dispatch is for, such as " all 5"; nothing for one.
func All(d api.Dispatch) string {
	if d.Markers < 2 {
		return ""
	}
	return fmt.Sprintf(" all %d", d.Markers)
}
