package journal

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"vaultdispatcher/engine/journal/columns"
)

// What is remembered of a note goes when the note has been gone for a week, in each table by itself.
func TestForgetGone(t *testing.T) {
	t.Parallel()
	ctx, j := context.Background(), openNew(t)
	t.Run("pasts", func(t *testing.T) {
		checkForgotten(t, j.ForgetPasts, func(vault, file string, seen time.Time) error {
			return j.KeepPasts(ctx, vault, []NotePast{{File: file, Arrival: seen}})
		}, func(vault, file string) (bool, error) {
			_, known, err := j.NotePast(ctx, vault, file)
			return known, err
		})
	})
	t.Run("copies", func(t *testing.T) {
		checkForgotten(t, j.ForgetCopies, func(vault, file string, seen time.Time) error {
			return j.SetCopy(ctx, vault, Copy{File: file, Time: seen, Original: "a.md"})
		}, func(vault, file string) (bool, error) {
			c, err := j.Copy(ctx, vault, file)
			return c.Original == "a.md", err
		})
	})
}

func checkForgotten(t *testing.T, forget func(ctx context.Context, vault string, now time.Time, keep time.Duration, isGone func(file string) bool) error,
	set func(vault, file string, seen time.Time) error, is func(vault, file string) (bool, error)) {
	const day = 24 * time.Hour
	now := time.Now()
	for file, seen := range map[string]time.Time{"gone.md": now.Add(-9 * day), "back.md": now.Add(-9 * day), "there.md": now.Add(-9 * day), "new.md": now} {
		must(t, set("/vault", file, seen))
		must(t, set("/other", file, seen))
	}
	look := func(at time.Time, gone ...string) (asked []string) {
		must(t, forget(t.Context(), "/vault", at, 7*day, func(file string) bool {
			asked = append(asked, file)
			return slices.Contains(gone, file)
		}))
		slices.Sort(asked)
		return asked
	}
	known := func(vault string, want ...string) {
		t.Helper()
		for _, file := range []string{"gone.md", "back.md", "there.md", "new.md"} {
			if known, err := is(vault, file); err != nil || known != slices.Contains(want, file) {
				t.Errorf("%s of %s is known: %v, %v", file, vault, known, err)
			}
		}
	}
	if asked := look(now, "gone.md", "back.md"); !slices.Equal(asked, []string{"back.md", "gone.md", "there.md"}) {
		t.Errorf("looked at are %q", asked)
	}
	known("/vault", "gone.md", "back.md", "there.md", "new.md") // gone since today, as far as is known
	look(now.Add(6*day), "gone.md")
	known("/vault", "gone.md", "back.md", "there.md", "new.md")
	look(now.Add(8*day), "gone.md", "back.md", "new.md")
	known("/vault", "back.md", "there.md", "new.md")
	must(t, set("/vault", "back.md", now.Add(-9*day))) // it came back with other lines
	look(now.Add(16*day), "back.md", "new.md")
	known("/vault", "back.md", "there.md")
	known("/other", "gone.md", "back.md", "there.md", "new.md")
}

// The pasts of notes are kept and replaced, each vault's apart, and found by their lines.
func TestPasts(t *testing.T) {
	t.Parallel()
	j, ctx := openNew(t), context.Background()
	seen := time.UnixMilli(1700000000000).UTC()
	must(t, j.KeepPasts(ctx, "/a", []NotePast{{File: "x.md", Lines: []byte("one")}, {File: "y.md", Arrival: seen, Kind: ForUntrusted, Alike: []byte("alike")}}))
	must(t, j.KeepPasts(ctx, "/b", []NotePast{{File: "x.md", Lines: []byte("other"), Alike: []byte("alike")}}))
	must(t, j.KeepPasts(ctx, "/a", []NotePast{{File: "x.md", Lines: []byte("two")}}))
	for _, c := range []struct{ vault, file, want string }{
		{"/a", "x.md", "two 0  true"}, {"/a", "y.md", " 1700000000000 untrusted true"}, {"/a", "z.md", " 0  false"}, {"/b", "x.md", "other 0  true"}, {"/b", "y.md", " 0  false"},
	} {
		p, known, err := j.NotePast(ctx, c.vault, c.file)
		if got := fmt.Sprintf("%s %d %s %v", p.Lines, columns.ToMillis(p.Arrival), p.Kind, known); err != nil || got != c.want {
			t.Errorf("%s in %s: %q, %v, want %q", c.file, c.vault, got, err, c.want)
		}
	}
	alike, err := j.PastsAlike(ctx, "/a", []byte("alike"))
	if err != nil || len(alike) != 1 || alike[0].File != "y.md" {
		t.Errorf("alike are %+v, %v", alike, err)
	}
	a, err := j.PastSums(ctx, "/a")
	b, failed := j.PastSums(ctx, "/b")
	if err != nil || failed != nil || len(a) != 2 || len(b) != 1 || a["x.md"] == b["x.md"] || a["x.md"] == a["y.md"] || a["y.md"] == 0 {
		t.Errorf("sums %v and %v, %v, %v", a, b, err, failed)
	}
	some, err := j.PastSums(ctx, "/a", "x.md", `no "note".md`)
	if err != nil || len(some) != 1 || some["x.md"] != a["x.md"] {
		t.Errorf("of some notes the sums are %v, %v", some, err)
	}
	must(t, j.KeepPasts(ctx, "/b", []NotePast{{File: "x.md", Lines: []byte("two")}}))
	if b, err = j.PastSums(ctx, "/b"); err != nil || a["x.md"] != b["x.md"] {
		t.Errorf("the same lines have the sums %v and %v, %v", a, b, err)
	}
	must(t, j.ForgetPasts(ctx, "/b", time.Now(), time.Hour, func(string) bool { return true }))
	if b, err = j.PastSums(ctx, "/b"); err != nil || len(b) != 0 {
		t.Errorf("a note that is gone has a sum: %v, %v", b, err)
	}
	if p, known, err := j.NotePast(ctx, "/b", "x.md"); err != nil || !known || !p.IsGone {
		t.Errorf("a note that is gone is %+v, %v, %v", p, known, err)
	}
}

func TestHoldOpen(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	j := openNew(t)
	ids := make(map[string]string)
	for file, status := range map[string]Status{"queued.md": Queued, "held.md": Held, "limit.md": Held, "failed.md": Queued, "answered.md": Queued} {
		d, _, err := j.Accept(ctx, Dispatch{Vault: "/v", File: file, Key: "agent-x", Status: status, Hold: map[bool]HoldKind{true: ForUntrusted}[file == "held.md"],
			NextAttempt: map[bool]time.Time{true: time.Now()}[file == "limit.md"], Markers: []Marker{{}}}, map[string]int{"": 1})
		must(t, err)
		ids[file] = d.ID
	}
	_, err := j.Start(ctx, ids["answered.md"], "x", time.Now())
	must(t, err)
	must(t, j.RecordAnswers(ctx, ids["answered.md"], []string{"yes"}))
	must(t, j.Fail(ctx, ids["failed.md"], "no"))
	must(t, j.HoldOpen(ctx, "/other", "why"))
	must(t, j.HoldOpen(ctx, "/v", "why"))
	for file, want := range map[string]struct {
		status Status
		kind   HoldKind
	}{"queued.md": {Held, ForOld}, "limit.md": {Held, ForOld}, "held.md": {Held, ForUntrusted}, "failed.md": {Failed, ""}, "answered.md": {Processing, ""}} {
		if d := get(t, j, ids[file]); d.Status != want.status || d.Hold != want.kind || !d.NextAttempt.IsZero() {
			t.Errorf("%s is %s for %q until %v", file, d.Status, d.Hold, d.NextAttempt)
		}
	}
}
