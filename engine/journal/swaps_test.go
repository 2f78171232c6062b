package journal

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSwapsStayOpenUntilClosed(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	d := bring(t, j, "start answered")
	first := Swap{Dispatch: d.ID, Path: "/vault/a.md", Temp: "/tmp/1", Base: [32]byte{1}, New: [32]byte{2}}
	second := Swap{Dispatch: d.ID, Path: "/vault/a.md", Temp: "/tmp/2", Base: [32]byte{3}, New: [32]byte{4}}
	must(t, j.RecordSwap(ctx, first))
	must(t, j.RecordSwap(ctx, second))
	must(t, j.Fail(ctx, d.ID, "the note is locked"))
	if got, err := j.Swaps(ctx); err != nil || !reflect.DeepEqual(got, []Swap{first, second}) {
		t.Fatalf("open %+v, %v", got, err)
	}
	for range 2 {
		must(t, j.CloseSwap(ctx, first.Temp))
	}
	if got, err := j.Swaps(ctx); err != nil || !reflect.DeepEqual(got, []Swap{second}) {
		t.Fatalf("open %+v, %v", got, err)
	}
	must(t, j.Cancel(ctx, d.ID, "by hand"))
	if n, err := j.Prune(ctx, later, later); n != 0 || err != nil {
		t.Errorf("pruned %d answers that stand in no note, %v", n, err)
	}
	if got, err := j.Swaps(ctx); err != nil || !reflect.DeepEqual(got, []Swap{second}) {
		t.Fatalf("open %+v, %v", got, err)
	}
}

// A comment that is about no dispatch has a swap of its own, in one order with the others, and
// needs no dispatch in the journal.
func TestSwapsOfNoDispatch(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	swap := func(id string, n byte) Swap {
		return Swap{Dispatch: id, Path: "/vault/a.md", Temp: "/tmp/" + string('0'+rune(n)), Base: [32]byte{n}, New: [32]byte{n, 1}, Text: []byte("text")}
	}
	want := []Swap{swap("", 1)}
	must(t, j.RecordProgressSwap(ctx, want[0]))
	d := bring(t, j, "start answered")
	want = append(want, swap(d.ID, 2), swap("", 3), swap(d.ID, 4))
	must(t, j.RecordSwap(ctx, want[1]))
	must(t, j.RecordProgressSwap(ctx, want[2]))
	must(t, j.RecordProgressSwap(ctx, want[3]))
	for _, last := range []int{0, 1, 3, 2} {
		if got, err := j.Swaps(ctx); err != nil || !reflect.DeepEqual(got, slices.DeleteFunc(slices.Clone(want), func(s Swap) bool { return s.Path == "" })) {
			t.Fatalf("open %+v, %v", got, err)
		}
		must(t, j.CloseSwap(ctx, want[last].Temp))
		want[last] = Swap{}
	}
	if got, err := j.Swaps(ctx); err != nil || len(got) != 0 {
		t.Fatalf("open %+v, %v", got, err)
	}
}

// An interruption is held against a run where nothing else went on meanwhile: only then it may be that run that ends the engine.
func TestRecoverCountsInterruptions(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	j := openNew(t)
	accept := func(file string) string {
		d, _, err := j.Accept(ctx, Dispatch{Vault: "/v", File: file, Key: "agent-x", Status: Queued, Markers: []Marker{{}}}, map[string]int{"": 1})
		must(t, err)
		return d.ID
	}
	start := func(id string, at time.Time) {
		_, err := j.Start(ctx, id, "x", at)
		must(t, err)
	}
	slow := accept("slow.md")
	for round := range 20 { // a machine that is short of something
		start(slow, time.Now().Add(-time.Second))
		other := accept(fmt.Sprint(round, ".md"))
		start(other, time.Now())
		must(t, j.RecordAnswers(ctx, other, []string{"yes"}))
		_, err := j.Recover(ctx)
		must(t, err)
	}
	if d := get(t, j, slow); d.Starts != 0 || d.Status != Queued {
		t.Errorf("%d starts count beside others that went on", d.Starts)
	}
	for range 3 {
		start(slow, time.Now().Add(time.Second)) // the others were before
		_, err := j.Recover(ctx)
		must(t, err)
	}
	if d := get(t, j, slow); d.Starts != 3 {
		t.Errorf("%d starts count where nothing else went on, want 3", d.Starts)
	}
}

func TestRecover(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	want := make(map[string]string)
	var order []string
	for _, s := range situations {
		d := bring(t, j, s.path)
		order = append(order, d.ID)
		switch s.name {
		case "processing", "processing+stands":
			want[d.ID] = strings.Replace(s.name, "processing", "queued", 1)
		case "queued+stands", "queued+answer+stands", "processing+answer+stands":
			want[d.ID] = s.name
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
			if want[d.ID] != situation(d) || (d.Task == "") != d.Replaces() || d.Markers[0].Context == "" {
				t.Errorf("recovered %+v", d)
			}
			if i > 0 && slices.Index(order, d.ID) <= slices.Index(order, got[i-1].ID) {
				t.Error("not the oldest first")
			}
		}
	}
}

// A salvage takes over the open swaps, those of no dispatch too, and none whose dispatch is lost.
func TestSalvageKeepsSwaps(t *testing.T) {
	t.Parallel()
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "journal.db")
	j := openAt(t, path)
	lost, kept := accept(t, j, "lost.md", 1), accept(t, j, "kept.md", 1)
	want := []Swap{{Path: "/vault/a.md", Temp: "/tmp/1"}, {Dispatch: kept.ID, Path: "/vault/kept.md", Temp: "/tmp/3", Text: []byte("text")}, {Path: "/vault/b.md", Temp: "/tmp/4"}}
	for _, s := range []Swap{want[0], {Dispatch: lost.ID, Path: "/vault/lost.md", Temp: "/tmp/2"}, want[1], want[2]} {
		must(t, j.RecordProgressSwap(ctx, s))
	}
	_, err := j.db.Writer.Exec("PRAGMA ignore_check_constraints = 1; UPDATE dispatches SET status = 'odd' WHERE id = ?", lost.ID)
	must(t, err)
	must(t, j.Close())
	j = openAt(t, path)
	if d := damage(t, j); d.Salvaged != 1 || d.Missing != 1 {
		t.Errorf("%+v", d)
	}
	if got, err := j.Swaps(ctx); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("open %+v, %v", got, err)
	}
}
