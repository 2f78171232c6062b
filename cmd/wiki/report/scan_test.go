package report

import (
	"testing"
	"time"

	"vaultdispatcher/engine/api"
)

// What waits is said as it is: an attempt has failed only where an agent was asked and failed.
func TestReasonOf(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 30, 0, 0, time.Local)
	const merge = "the answer waits to be written: the note is in the middle of a merge (line 2)"
	answered := api.Detail{Answered: true}
	for _, tt := range []struct {
		status, said string
		attempts     int
		detail       api.Detail
		want         string
	}{
		{"queued", merge, 0, answered, merge + "; it is tried again at 12:30:00"},
		{"queued", merge, 2, answered, merge + "; it is tried again at 12:30:00"},
		{"queued", "your editor wrote its old text over this answer", 2, answered, "your editor wrote its old text over this answer; it is tried again at 12:30:00"},
		{"queued", "the answer waits to be written", 0, answered, "the answer waits to be written; it is tried again at 12:30:00"},
		{"queued", "", 0, api.Detail{}, "it waits; it is tried again at 12:30:00"},
		{"queued", "the worker is away", 0, api.Detail{}, "the worker is away; it is tried again at 12:30:00"},
		{"queued", "exit status 1", 2, api.Detail{}, "attempt 2 failed (exit status 1); it is tried again at 12:30:00"},
		{"queued", "the answer waits for nobody", 2, api.Detail{}, "attempt 2 failed (the answer waits for nobody); it is tried again at 12:30:00"},
		{"held", "over the limit", 0, api.Detail{}, "it waits for you until 12:30:00: over the limit; wiki release d1 starts it now"},
		{"cancelled", "undone by hand: the marker of line 3 is back", 0, api.Detail{Answered: true, Undone: true}, "its answer was undone by hand; wiki retry d1 writes it again, and a change of its line asks anew"},
		{"cancelled", "undone things were asked", 0, answered, "it was cancelled; wiki retry d1 or a change of its line runs it"},
		{"parked", "its line is gone", 0, answered, "its dispatch d1 is kept"},
	} {
		d := tt.detail
		d.Dispatch = api.Dispatch{ID: "d1", Status: tt.status, Error: tt.said, Attempts: tt.attempts, NextAttemptAt: &at}
		if got := ReasonOf(d, nil); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt, got, tt.want)
		}
	}
	d := api.Detail{Dispatch: api.Dispatch{ID: "d1", Status: "held", Error: "brought by a note from elsewhere"}}
	if got, want := ReasonOf(d, nil), "it waits for you: brought by a note from elsewhere; wiki release d1 starts it"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A question whose agent cannot answer says so, as the status does: a hub that is away is no lack of turns.
func TestReasonOfAgentThatIsNotReady(t *testing.T) {
	const away = "the hub at 127.0.0.1:4222 does not answer"
	agents := []api.Agent{{Role: "Clerk", Detail: away}, {Role: "Miner", Ready: true}, {Role: "*", Detail: "not logged in: run claude and log in"}}
	for _, tt := range []struct{ role, status, runner, want string }{
		{"clerk", "queued", "", "it is queued, and its agent is not ready: " + away},
		{"Clerk", "processing", "worker", "it was given to a worker that is away now, and goes to the next one: " + away},
		{"Clerk", "processing", "claude", "an agent (claude) is working on it"},
		{"Miner", "queued", "", "it is queued; at most three agents run at once"},
		{"Poet", "queued", "", "it is queued, and its agent is not ready: not logged in: run claude and log in"},
	} {
		d := api.Detail{Dispatch: api.Dispatch{ID: "d1", Role: tt.role, Status: tt.status, Runner: tt.runner}}
		if got := ReasonOf(d, agents); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
