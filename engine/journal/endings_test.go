package journal

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
)

// What has ended is told in numbers: of a group how many questions, and which answers were undone or waited for a person.
func TestEndings(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	since := time.Now().Add(-time.Minute)
	answer := func(d Dispatch) {
		_, err := j.Start(ctx, d.ID, "runner", time.Now())
		must(t, err)
		must(t, j.RecordAnswers(ctx, d.ID, []string{"one", "two"}))
		must(t, j.RecordWritten(ctx, d.ID, []int{0, 1}, [32]byte{1}))
	}
	plain, undone, retried := accept(t, j, "a.md", 2), accept(t, j, "b.md", 2), accept(t, j, "c.md", 2)
	accept(t, j, "open.md", 1)
	answer(plain)
	answer(undone)
	_, err := j.BeginUndo(ctx, undone.ID)
	must(t, err)
	must(t, j.RecordUndone(ctx, undone.ID, "", [32]byte{}))
	must(t, j.Fail(ctx, retried.ID, "broken"))
	_, err = j.Retry(ctx, retried.ID, "retry")
	must(t, err)
	answer(retried)
	all, err := j.Endings(ctx, since)
	must(t, err)
	var got []string
	for _, e := range all {
		got = append(got, fmt.Sprint(e.Role, " ", e.Status, " ", e.Questions, " ", e.Reverted, " ", e.Waited))
		if e.Created.Before(since) || e.Finished.Before(e.Created) {
			t.Errorf("%+v", e)
		}
	}
	slices.Sort(got)
	if want := []string{"Miner cancelled 2 true false", "Miner done 2 false false", "Miner done 2 false true"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if later, err := j.Endings(ctx, time.Now().Add(time.Minute)); err != nil || len(later) != 0 {
		t.Errorf("of the future: %v, %v", later, err)
	}
}
