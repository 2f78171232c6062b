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
	for _, tt := range []struct {
		status, said string
		attempts     int
		want         string
	}{
		{"queued", merge, 0, merge + "; it is tried again at 12:30:00"},
		{"queued", merge, 2, merge + "; it is tried again at 12:30:00"},
		{"queued", "the answer waits to be written", 0, "the answer waits to be written; it is tried again at 12:30:00"},
		{"queued", "", 0, "it waits; it is tried again at 12:30:00"},
		{"queued", "the worker is away", 0, "the worker is away; it is tried again at 12:30:00"},
		{"queued", "exit status 1", 2, "attempt 2 failed (exit status 1); it is tried again at 12:30:00"},
		{"held", "over the limit", 0, "it is held until 12:30:00: over the limit; wiki release d1 starts it now"},
	} {
		d := api.Dispatch{ID: "d1", Status: tt.status, Error: tt.said, Attempts: tt.attempts, NextAttemptAt: &at}
		if got := ReasonOf(d); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt, got, tt.want)
		}
	}
}
