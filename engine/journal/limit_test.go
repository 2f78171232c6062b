package journal

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"vaultdispatcher/engine/journal/database"
)

// Limits survive the end of the engine, one for each role.
func TestLimits(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "journal.db")
	j, err := On(database.Open(ctx, path))
	must(t, err)
	since := time.UnixMilli(1_700_000_000_123).UTC()
	editor := Limit{"editor", since, since.Add(5 * time.Hour), "claude is at its limit"}
	poet := Limit{"poet", since, since.Add(time.Hour), "codex is at its limit"}
	must(t, j.SetLimit(ctx, poet))
	must(t, j.SetLimit(ctx, Limit{"editor", since, since, "first"}))
	must(t, j.SetLimit(ctx, editor))
	must(t, j.Close())

	j, err = On(database.Open(ctx, path))
	must(t, err)
	defer j.Close()
	if got, err := j.Limits(ctx); err != nil || !reflect.DeepEqual(got, []Limit{editor, poet}) {
		t.Errorf("limits %+v, %v", got, err)
	}
	must(t, j.EndLimit(ctx, "editor"))
	must(t, j.EndLimit(ctx, "nobody"))
	if got, err := j.Limits(ctx); err != nil || !reflect.DeepEqual(got, []Limit{poet}) {
		t.Errorf("limits after one has ended: %+v, %v", got, err)
	}
}

// What runs have cost adds up, in every state, and no step loses it.
func TestSpent(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	d := bring(t, j, "start")
	must(t, j.AddUsage(ctx, d.ID, Usage{"small", 1000, 20, 0.25}))
	must(t, act(t, j, d.ID, "requeue"))
	must(t, act(t, j, d.ID, "start"))
	must(t, j.AddUsage(ctx, d.ID, Usage{"", 1 << 40, 1, 0.5}))
	must(t, act(t, j, d.ID, "answered"))
	must(t, act(t, j, d.ID, "written"))
	want := Usage{"small", 1<<40 + 1000, 21, 0.75}
	if got := get(t, j, d.ID).Usage; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if list, err := j.List(ctx, Filter{}); err != nil || list[0].Usage != want {
		t.Errorf("listed %+v, %v", list[0].Usage, err)
	}
	if err := j.AddUsage(ctx, "none", want); !errors.Is(err, ErrNotFound) {
		t.Errorf("an unknown dispatch: %v", err)
	}
}
