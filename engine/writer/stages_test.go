package writer

import (
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
)

// Each state is said once at most, in the order in which a dispatch goes through
// them, and again only when a person has it tried anew.
func TestProgressStages(t *testing.T) {
	p := newProgress(nil, Progress{On: true, Host: "Desk"})
	n, now := noteKey{"/v", "n.md"}, time.Date(2026, 11, 21, 14, 0, 0, 0, time.Local)
	waits := now.Add(2 * time.Hour)
	for i, c := range []struct {
		d    journal.Dispatch
		want string // "" = nothing is written
	}{
		{journal.Dispatch{Status: journal.Queued}, "queued on Desk"},
		{journal.Dispatch{Status: journal.Queued}, ""},
		{journal.Dispatch{Status: journal.Processing, Started: now}, "working on Desk since 14:00"},
		{journal.Dispatch{Status: journal.Queued, NextAttempt: now.Add(2 * time.Second)}, ""},
		{journal.Dispatch{Status: journal.Processing, Started: now.Add(time.Hour)}, ""},
		{journal.Dispatch{Status: journal.Queued, NextAttempt: waits}, "queued on Desk until 16:00"},
		{journal.Dispatch{Status: journal.Processing, Started: waits}, ""},
		{journal.Dispatch{Status: journal.Failed, Error: "it broke"}, "failed because it broke"},
		{journal.Dispatch{Status: journal.Failed, Error: "it broke"}, ""},
		{journal.Dispatch{Status: journal.Processing, Started: waits}, "working on Desk since 16:00"},
		{journal.Dispatch{Status: journal.Queued, Answered: true}, ""},
		{journal.Dispatch{Status: journal.Cancelled}, "-"},
		{journal.Dispatch{Status: journal.Held}, ""},
		{journal.Dispatch{Status: journal.Queued}, "queued on Desk"},
	} {
		at, text := p.describeStage(c.d, now)
		got := ""
		if at != saidBefore && p.isNew(n, "id", at) {
			if got = text; at == saidNothing {
				got = "-"
			}
			p.said[n] = map[string]stage{"id": at}
		}
		if got != c.want {
			t.Errorf("%d: %q, want %q", i, got, c.want)
		}
	}
}
