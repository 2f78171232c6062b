package journal

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// Every write is told of, after it can be read; what is refused changes nothing and
// is not.
func TestOnWrite(t *testing.T) {
	t.Parallel()
	j := openNew(t)
	writes := 0
	j.OnWrite(func() { writes++ })
	d := accept(t, j, "a.md", 1)
	if writes != 1 {
		t.Errorf("an acceptance was told %d times", writes)
	}
	j.OnWrite(func() {
		writes++
		if now, err := j.Get(context.Background(), d.ID); err != nil || now.Status != Cancelled {
			t.Errorf("when told it reads %s, %v", now.Status, err)
		}
	})
	if err := j.Cancel(t.Context(), d.ID, "a test"); err != nil {
		t.Fatal(err)
	}
	if err := j.Cancel(t.Context(), d.ID, "again"); !errors.Is(err, ErrState) {
		t.Fatal(err)
	}
	if _, err := j.List(t.Context(), Filter{}); err != nil || writes != 2 {
		t.Errorf("told %d times, %v", writes, err)
	}
}

// A step is told of with what it made of its dispatch; one that is refused is none.
func TestOnStep(t *testing.T) {
	t.Parallel()
	j := openNew(t)
	var told []string
	j.OnStep(func(step string, d Dispatch) { told = append(told, step+" "+string(d.Status)) })
	d := accept(t, j, "a.md", 1)
	if _, err := j.Start(t.Context(), d.ID, "builtin", time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := j.Fail(t.Context(), d.ID, "a test"); err != nil {
		t.Fatal(err)
	}
	if err := j.Fail(t.Context(), d.ID, "again"); !errors.Is(err, ErrState) {
		t.Fatal(err)
	}
	if want := "[accepted queued started processing failed failed]"; fmt.Sprint(told) != want {
		t.Errorf("%v, not %s", told, want)
	}
}
