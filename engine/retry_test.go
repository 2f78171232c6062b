package engine

import (
	"testing"
)

// What cannot be retried says so, and what does not say so can be.
func TestNoRetry(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), &echoes{})
	r.save("n.md", question(1))
	r.until("n.md", answer(1))
	r.rest()
	id := r.only().ID
	check := func(when string, refused bool) {
		t.Helper()
		detail, err := r.Dispatch(t.Context(), id)
		if err != nil || (detail.NoRetry != "") != refused {
			t.Errorf("%s: it says %q, %v", when, detail.NoRetry, err)
		}
		if _, err := r.Retry(t.Context(), id); (err != nil) != refused {
			t.Errorf("%s: retry: %v", when, err)
		}
	}
	if _, err := r.Undo(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	check("cancelled by a person", false)
	r.until("n.md", answer(1))
	r.rest()
	if _, err := r.Undo(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := r.journal.Cancel(t.Context(), id, "its line was changed"); err != nil {
		t.Fatal(err)
	}
	check("cancelled because its line was changed", true)
}
