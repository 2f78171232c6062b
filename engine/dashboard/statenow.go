package dashboard

import (
	"fmt"
	"time"

	"vaultdispatcher/engine/wording"
)

// stateNow is how things are, in one sentence.
type stateNow struct {
	Kind string // good, busy or bad
	Head string // the most important, with its stop
	Rest string // how many notes are watched
	Last *time.Time
}

// needs is how many things wait for a person.
func (v nowView) needs() (n int) {
	n = v.Queue.Failed + v.Queue.Proposed + v.Queue.Parked + len(v.Untaken) + len(v.Known)
	for _, held := range v.CountHeld() {
		n += held.Questions
	}
	return n
}

// State says how things are.
func (v nowView) State() stateNow {
	notes, in := 0, make(map[string]int)
	for _, vault := range v.Vaults {
		in[vault.State]++
		if vault.State == "watching" || vault.State == "indexing" {
			notes += vault.Notes
		}
	}
	s := stateNow{Kind: "busy", Rest: wording.Count(notes, "note") + " watched"}
	for _, d := range v.Recent {
		if d.Status == "done" && d.FinishedAt != nil && (s.Last == nil || d.FinishedAt.After(*s.Last)) {
			s.Last = d.FinishedAt
		}
	}
	needs, work := v.needs(), v.Queue.Processing+v.Queue.Queued+v.Queue.Settling
	switch {
	case len(v.Vaults) == 0:
		s.Kind, s.Head = "bad", "No folder of notes is chosen."
	case in["offline"] > 0:
		s.Kind, s.Head = "bad", fmt.Sprintf("%s cannot be reached.", wording.Count(in["offline"], "vault"))
	case needs == 1:
		s.Kind, s.Head = "bad", "One thing needs you."
	case needs > 1:
		s.Kind, s.Head = "bad", fmt.Sprintf("%d things need you.", needs)
	case in["paused"] == len(v.Vaults):
		s.Head = "Paused."
	case in["paused"] > 0:
		s.Head = fmt.Sprintf("%d of %s paused.", in["paused"], wording.Count(len(v.Vaults), "vault"))
	case work > 0:
		s.Head = "At work on " + wording.Count(work, "question") + ":"
	case in["indexing"] > 0:
		s.Head = "Reading your notes."
	case in["foreign"] > 0:
		s.Head = wording.Count(in["foreign"], "vault") + " left to another machine."
	default:
		s.Kind, s.Head = "good", "All good:"
	}
	return s
}
