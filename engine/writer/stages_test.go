package writer

import (
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
)

// Each state is said once at most, in the order in which a dispatch goes through
// them, and again only when a person has it tried anew.
func TestProgressStages(t *testing.T) {
	p := newProgress(nil, quietEngine{}, Progress{Enabled: true, Host: "Desk"})
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
			p.edit(n, func(s *noteState) { s.stages = map[string]stage{"id": at} })
		}
		if got != c.want {
			t.Errorf("%d: %q, want %q", i, got, c.want)
		}
	}
}

// A comment that a person took away stays away as long as its line stands. A line that was mended
// and comes again is a new one, however late the pass over the note comes; what is said of
// a dispatch is nothing to it.
func TestLineComesAgain(t *testing.T) {
	w := &Writer{opts: Options{Progress: Progress{Enabled: true}}}
	w.progress = newProgress(w, quietEngine{}, w.opts.Progress)
	n, id := noteKey{"/v", "n.md"}, ofLine+"00000001"
	w.progress.edit(n, func(s *noteState) { s.stages = map[string]stage{id: saidAgain, "dispatch": saidWorking} })
	w.Looked(n.root, n.rel, true)
	if w.progress.isNew(n, id, saidMissed) {
		t.Error("what a person took away is said again")
	}
	w.Looked(n.root, n.rel, false)
	if !w.progress.isNew(n, id, saidMissed) || w.progress.isNew(n, "dispatch", saidWorking) {
		t.Errorf("after the line was mended: %v", w.progress.notes.Of(n).stages)
	}
}
