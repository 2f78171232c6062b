package asking

import (
	"context"
	"testing"
	"testing/synctest"

	"vaultdispatcher/engine/journal"
)

// A question that waits is told of in the words that people read.
func TestReadAnswerInWords(t *testing.T) {
	for status, want := range map[journal.Status]string{
		journal.Held:      "The question is waiting for you: why (id).",
		journal.Cancelled: "The question is cancelled: why (id).",
	} {
		if _, done, err := ReadAnswer(journal.Dispatch{ID: "id", Status: status, Error: "why"}); !done || err == nil || err.Error() != want {
			t.Errorf("%s: %v", status, err)
		}
	}
}

// An answer that says that nothing was found says so to programs as well.
func TestReadAnswerOfNothing(t *testing.T) {
	for none, want := range map[int64]string{0: "", 1: "none"} {
		d := journal.Dispatch{ID: "id", Status: journal.Done, Markers: []journal.Marker{{Answer: "No note has it."}}, NoResult: none}
		if a, done, err := ReadAnswer(d); !done || err != nil || a.Result != want {
			t.Errorf("%d: %+v, %v", none, a, err)
		}
	}
}

// Whoever asks has the answer when it is known that the disk it goes to does not respond, and is told that it is kept.
func TestAwaitOnASilentDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := journal.Dispatch{ID: "id", File: "n.md", Asked: journal.AskedCreate, Status: journal.Processing, Answered: true, Markers: []journal.Marker{{Answer: "Blue."}}}
		looks := 0
		silence := func(journal.Dispatch) string {
			if looks++; looks < 3 {
				return ""
			}
			return "the vault v is not responding since 14:05"
		}
		_, a, err := new(Waiters).Await(t.Context(), "id", nil, func(context.Context, string) (journal.Dispatch, error) { return d, nil }, silence)
		want := "It is not in n.md yet: the vault v is not responding since 14:05; the answer is kept, and is written when the disk is back."
		if err != nil || a.Answer != "Blue." || a.File != "" || a.Notice != want || looks != 3 {
			t.Errorf("%+v after %d looks, %v", a, looks, err)
		}
	})
}
