package asking

import (
	"testing"

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
