// Package news tells what became of questions, to whatever shows an engine at work.
//
//	if n, ok := news.OfStep("written", dispatch); ok { show(n) }
package news

import (
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/untaken"
)

// Item is what became of a question. It has none of the question's words.
type Item struct {
	Event     What
	Vault     string // its name
	File      string
	Line      int // of the first question; 0 = not known
	Questions int
	Role      string
	Dispatch  string           // "" = without a dispatch
	Reason    string           // one sentence, or nothing
	Kind      journal.HoldKind // of what is held
	Mend      string           // of what is not taken up: the line as it would be
	Stays     bool             // it was asked anew, and its earlier answer is kept
}

// What is the kind of an event. Its words are stable.
type What string

// The events of a question.
const (
	TakenUp   What = "taken up"
	Answered  What = "answered"
	NoResult  What = "no result" // answered, and nothing was found or made
	Failed    What = "failed"
	Delayed   What = "delayed" // it is asked again
	Held      What = "held"
	Proposed  What = "for you to approve"
	Kept      What = "kept" // answered, but its place is gone
	Withdrawn What = "withdrawn"
	NotTaken  What = "not taken up"
	Working   What = "at work" // Why says how far
)

// OfStep is a step of a dispatch that ends or begins something for a person, as most do not. Which
// vault it is in is for the caller to name.
func OfStep(step string, d journal.Dispatch) (n Item, ok bool) {
	switch step {
	case "accepted", "released", "retried", "renewed":
		n.Event = map[journal.Status]What{journal.Queued: TakenUp, journal.Held: Held}[d.Status]
	case "proposed":
		n.Event = Proposed
	case "held":
		n.Event = Held
	case "requeued", "limited":
		n.Event = map[journal.Status]What{journal.Queued: Delayed}[d.Status]
	case "written", "told", "parked", "replaced":
		n.Event = map[journal.Status]What{journal.Done: Answered, journal.Parked: Kept}[d.Status]
	case "failed":
		n.Event = map[journal.Status]What{journal.Failed: Failed, journal.Done: Failed}[d.Status]
	case "cancelled", "withheld":
		n.Event = map[journal.Status]What{journal.Cancelled: Withdrawn, journal.Parked: Kept, journal.Done: Withdrawn}[d.Status]
	}
	stays := d.Status == journal.Done && n.Event != Answered
	if stays && d.Error == "" { // an undo has failed, which a notice reports
		return n, false
	}
	if n.Event == "" || n.Event == Delayed && d.Error == "" || n.Event == Held && d.Hold == journal.ForOld { // OldMarkers reports old questions
		return n, false
	}
	if n.Event == Answered && d.HasNoResult() {
		n.Event = NoResult
	}
	why := ""
	if n.Event != TakenUp {
		why = d.Error
	}
	n = newItem(n.Event, d, why)
	n.Stays = stays
	return n, true
}

// OfProgress is how far the agent of a dispatch is.
func OfProgress(d journal.Dispatch, progress string) Item { return newItem(Working, d, progress) }

func newItem(what What, d journal.Dispatch, why string) Item {
	n := Item{Event: what, File: d.File, Questions: len(d.Markers), Role: d.Role, Dispatch: d.ID, Reason: why, Kind: d.Hold}
	if len(d.Markers) > 0 && d.Asked == "" {
		n.Line = d.Markers[0].Line
	}
	return n
}

// OfUntaken is what is not taken up.
func OfUntaken(vault string, row untaken.Row) Item {
	return Item{Event: NotTaken, Vault: vault, File: row.File, Line: row.Line, Questions: 1, Reason: row.Reason, Mend: row.Mend}
}
