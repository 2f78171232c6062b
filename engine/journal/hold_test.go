package journal

import (
	"context"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
)

// Every hold has its kind from the first save on, loses it when it starts (a cancelled one may be retried, which is no way around its release), and one of an
// older journal gets the kind that its reason tells of.
func TestHoldKinds(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	d, ok, err := j.Accept(ctx, Dispatch{
		Vault: "/v", File: "a.md", Key: "agent-x", Status: Held, Hold: ForOld, Error: "old",
		Markers: []Marker{{}},
	}, map[string]int{"": 1})
	if err != nil || !ok || get(t, j, d.ID).Hold != ForOld {
		t.Fatalf("held as %q: %v, %v", d.Hold, ok, err)
	}
	if held, err := j.HeldFor(ctx); err != nil || len(held) != 1 || held[0].Kind != ForOld {
		t.Errorf("held for %+v, %v", held, err)
	}
	_, err = j.Release(ctx, d.ID, "by hand")
	must(t, err)
	if got := get(t, j, d.ID); got.Hold != "" {
		t.Errorf("a released one is held for %q", got.Hold)
	}
	must(t, j.Hold(ctx, d.ID, ForBurst, "many", time.Time{}))
	if list, err := j.List(ctx, Filter{Status: Held}); err != nil || len(list) != 1 || list[0].Hold != ForBurst {
		t.Errorf("listed as %+v, %v", list, err)
	}
	must(t, j.Withhold(ctx, d.ID, "by hand"))
	if got := get(t, j, d.ID); got.Hold != ForBurst {
		t.Errorf("a cancelled one was held for %q", got.Hold)
	}
	if held, err := j.HeldFor(ctx); err != nil || len(held) != 0 {
		t.Errorf("a cancelled one is told as held: %v, %v", held, err)
	}
	_, err = j.Retry(ctx, d.ID, "retry")
	must(t, err)
	if got := get(t, j, d.ID); got.Hold != "" {
		t.Errorf("a retried one is held for %q", got.Hold)
	}
}

// What counts against a limit is each call: every run, each call more within one, and what is about to be asked.
func TestStarts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	begun := time.Now().Add(-time.Minute)
	accept := func(file string, status Status) Dispatch {
		d, _, err := j.Accept(ctx, Dispatch{Vault: "/v", File: file, Key: "agent-x", Role: "x", Status: status, Created: begun, Markers: []Marker{{Trace: note.Trace{Text: file}}}}, map[string]int{file: 1})
		must(t, err)
		return d
	}
	count := func(since time.Time) (calls, kept int) {
		list, err := j.Starts(ctx, since)
		must(t, err)
		for _, s := range list {
			if s.Dispatch == "" {
				calls++
			} else {
				kept++
			}
		}
		return calls, kept
	}
	expect := func(calls, kept int) {
		t.Helper()
		if c, k := count(begun.Add(-time.Hour)); c != calls || k != kept {
			t.Errorf("%d calls and %d to come, want %d and %d", c, k, calls, kept)
		}
	}
	accept("held.md", Held)
	d := accept("a.md", Queued)
	expect(0, 1)
	start := func() {
		_, err := j.Start(ctx, d.ID, "claude", time.Now())
		must(t, err)
	}
	start()
	must(t, j.RecordCall(ctx, d.ID, time.Now()))
	expect(2, 1) // it may be asked again after a crash
	must(t, j.Requeue(ctx, d.ID, "it failed", time.Now(), Count{Attempts: 1}))
	start()
	must(t, j.RecordAnswers(ctx, d.ID, []string{"yes"}))
	expect(3, 0)
	if calls, _ := count(time.Now().Add(time.Hour)); calls != 0 {
		t.Errorf("%d calls count that were before the time asked for", calls)
	}
	must(t, j.RecordWritten(ctx, d.ID, []int{0}, [32]byte{}))
	expect(3, 0) // what has ended counts as long
	_, err := j.Renew(ctx, d.ID)
	must(t, err)
	start()
	must(t, j.Cancel(ctx, d.ID, "its line is gone"))
	expect(4, 0) // though it is done as it was
	must(t, j.RecordCall(ctx, d.ID, time.Now()))
	expect(5, 0) // of a run that goes on
	_, err = j.db.Writer.Exec("UPDATE dispatches SET finished = ?", time.Now().Add(-time.Hour-longestRun).UnixMilli())
	must(t, err)
	if calls, _ := count(begun.Add(time.Minute / 2)); calls != 0 {
		t.Errorf("%d calls count of what ended long before", calls)
	}
	_, err = j.db.Writer.Exec("UPDATE dispatches SET finished = ? WHERE finished > 0", time.Now().UnixMilli())
	must(t, err)
	e := accept("b.md", Queued)
	until := time.Now().Add(time.Hour).Truncate(time.Millisecond)
	must(t, j.Hold(ctx, e.ID, ForLimit, "too many", until))
	if got := get(t, j, e.ID); got.Hold != ForLimit || !got.NextAttempt.Equal(until) {
		t.Errorf("held for %q until %v", got.Hold, got.NextAttempt)
	}
	expect(5, 0)
}
