package journal

import (
	"context"
	"testing"
	"time"
)

// An answer that nobody has approved has no approved diff, whichever steps follow; one that was approved has the diff that was seen.
func TestApprovedDiff(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	d := bring(t, j, "start propose")
	wantSeen := func(want string) {
		t.Helper()
		if got, err := j.Part(ctx, d.ID, PartSeen); got != want || err != nil {
			t.Errorf("approved is %q, %v; want %q", got, err, want)
		}
	}
	wantSeen("")
	wantOffer := func(offered, want string) {
		t.Helper()
		for _, part := range []string{PartOffer, PartShown} {
			must(t, j.KeepPart(ctx, d.ID, part, offered))
			if got, _ := j.Part(ctx, d.ID, part); got != want {
				t.Errorf("%s is %q; want %q", part, got, want)
			}
		}
	}
	wantOffer("mark", "mark")
	counts, err := j.Counts(ctx)
	if list, listed := j.List(ctx, Filter{Status: Proposed}); err != nil || listed != nil || counts[Proposed] != 1 || counts[Held] != 0 || len(list) != 1 || list[0].Status != Proposed {
		t.Errorf("%v counted, %v listed; %v, %v", counts, list, err, listed)
	}
	if held, err := j.HeldFor(ctx); err != nil || len(held) != 0 {
		t.Errorf("a proposal is told as held: %v, %v", held, err)
	}
	if list, err := j.List(ctx, Filter{Status: Held}); err != nil || len(list) != 0 {
		t.Errorf("a proposal is listed as held: %v, %v", list, err)
	}
	if got, err := j.Approve(ctx, d.ID, "proof", []string{"changed", "two"}); err != nil || got.Markers[0].Answer != "changed" || got.Status != Queued {
		t.Errorf("approved as %+v, %v", got, err)
	}
	wantSeen("proof")
	wantOffer("of what is no proposal any more", "")
	_, err = j.Start(ctx, d.ID, "", time.Now())
	must(t, err)
	must(t, j.ProposeAgain(ctx, d.ID))
	wantSeen("")
	if _, err := j.Part(ctx, d.ID, PartOffer); err == nil {
		t.Error("what was offered of the change before decides about this one")
	}
	wantOffer("another", "another")
	if free, err := j.Move(ctx, d.ID, "renamed.md", nil); !free || err != nil {
		t.Error(free, err)
	}
	if got, err := j.Part(ctx, d.ID, PartShown); got != "another" || err != nil {
		t.Errorf("in the renamed note %q is shown, %v", got, err)
	}
	_, err = j.Reject(ctx, d.ID, "too long")
	must(t, err)
	wantSeen("")
	if because, err := j.Part(ctx, d.ID, PartBecause); because != "too long" || err != nil {
		t.Errorf("rejected because %q, %v", because, err)
	}
	must(t, act(t, j, d.ID, "start"))
	must(t, j.RecordAnswers(ctx, d.ID, []string{"one", "two"}))
	if _, err := j.Part(ctx, d.ID, PartSeen); err == nil {
		t.Error("an answer that needs no approval waits for one")
	}
}
