package journal

import (
	"context"
	"reflect"
	"slices"
	"testing"
)

func TestSwapsStayOpenUntilClosed(t *testing.T) {
	ctx := context.Background()
	j := openNew(t)
	d := bring(t, j, "start answered")
	first := Swap{Dispatch: d.ID, Path: "/vault/a.md", Temp: "/tmp/1", Base: [32]byte{1}, New: [32]byte{2}}
	second := Swap{Dispatch: d.ID, Path: "/vault/a.md", Temp: "/tmp/2", Base: [32]byte{3}, New: [32]byte{4}}
	must(t, j.Swapping(ctx, first))
	must(t, j.Swapping(ctx, second))
	must(t, j.Fail(ctx, d.ID, "the note is locked"))
	if got, err := j.Swaps(ctx); err != nil || !reflect.DeepEqual(got, []Swap{first, second}) {
		t.Fatalf("open %+v, %v", got, err)
	}
	for range 2 {
		must(t, j.SwapDone(ctx, first.Temp))
	}
	if got, err := j.Swaps(ctx); err != nil || !reflect.DeepEqual(got, []Swap{second}) {
		t.Fatalf("open %+v, %v", got, err)
	}
	must(t, j.Cancel(ctx, d.ID, "by hand"))
	if n, err := j.Prune(ctx, later); n != 0 || err != nil {
		t.Errorf("pruned %d answers that stand in no note, %v", n, err)
	}
	if got, err := j.Swaps(ctx); err != nil || !reflect.DeepEqual(got, []Swap{second}) {
		t.Fatalf("open %+v, %v", got, err)
	}
}

func TestRecover(t *testing.T) {
	ctx := context.Background()
	j := openNew(t)
	want := make(map[string]string)
	var order []string
	for _, s := range situations {
		d := bring(t, j, s.path)
		order = append(order, d.ID)
		switch s.name {
		case "processing":
			want[d.ID] = "queued"
		case "queued", "queued+answer", "processing+answer", "processing+answer+undoing", "queued+answer+undoing":
			want[d.ID] = s.name
		}
	}
	for range 2 { // a second start finds the same
		got, err := j.Recover(ctx)
		must(t, err)
		if len(got) != len(want) {
			t.Errorf("%d unfinished, want %d", len(got), len(want))
		}
		for i, d := range got {
			if want[d.ID] != situation(d) || d.Task == "" || d.Markers[0].Context == "" {
				t.Errorf("recovered %+v", d)
			}
			if i > 0 && slices.Index(order, d.ID) <= slices.Index(order, got[i-1].ID) {
				t.Error("not the oldest first")
			}
		}
	}
}
