package asking

import (
	"context"
	"net/http"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/wording"
)

// ReadAnswer returns the answer of a dispatch. done is false while it may still come; err says why none will come for
// now.
func ReadAnswer(d journal.Dispatch) (a api.Answered, done bool, err error) {
	a = api.Answered{Dispatch: d.ID, Answer: d.JoinAnswers(), Sources: ListSources(d)}
	if d.HasNoResult() {
		a.Result = "none"
	}
	switch {
	case d.Status == journal.Done:
		if d.Asked != journal.AskedTold {
			a.File = d.File
		}
		return a, true, nil
	case d.Answered && d.Status == journal.Proposed:
		a.Notice = "It is not in " + d.File + " yet: " + d.Error + " (" + d.ID + ")."
		return a, true, nil
	case d.Answered && (d.Status != journal.Processing):
		a.Notice = "It is not in " + d.File + ": " + d.Error + "."
		return a, true, nil
	case d.Status == journal.Failed:
		return a, true, api.Refusal(http.StatusBadGateway, "failed", "There is no answer: "+d.Error+" ("+d.ID+").")
	case d.Status == journal.Held, d.Status == journal.Cancelled:
		return a, true, &api.Conflict{Reason: "The question is " + wording.Status(string(d.Status)) + ": " + d.Error + " (" + d.ID + ")."}
	}
	return a, false, nil
}

// ListSources returns the notes that the answers of a dispatch name, if its agent was told of them or quotes them.
func ListSources(d journal.Dispatch) []api.Source { return Sources(d.JoinAnswers(), d.Recipe.Sources) }

// TriggerOf returns what a question was asked by, for its record.
func TriggerOf(req api.AskRequest) string {
	switch {
	case req.Public:
		return journal.TriggerAgent
	case req.Proof && !req.Append:
		return journal.TriggerProof
	}
	return "ask"
}

// ForgetProof ends and forgets the question of a proof whose caller has left. It leaves every other question alone.
// After an error the next start of the engine forgets the question.
func ForgetProof(ctx context.Context, j *journal.Journal, end func(ctx context.Context, id, reason string) error, id string) {
	if d, err := j.Get(ctx, id); err == nil && d.Trigger == journal.TriggerProof {
		_ = end(ctx, id, "setup waits for it no more") // it may have ended
		_ = j.ForgetProof(ctx, id)
	}
}
