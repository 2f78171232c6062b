package journal

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
)

// The lines of notes are kept, replaced and forgotten, each vault's apart.
func TestStanding(t *testing.T) {
	t.Parallel()
	j, ctx := openNew(t), context.Background()
	must(t, j.KeepStanding(ctx, "/a", map[string][]byte{"x.md": []byte("one"), "y.md": {}}))
	must(t, j.KeepStanding(ctx, "/b", map[string][]byte{"x.md": []byte("other")}))
	must(t, j.KeepStanding(ctx, "/a", map[string][]byte{"x.md": []byte("two"), "z.md": []byte("z")}))
	must(t, j.KeepStanding(ctx, "/a", map[string][]byte{"z.md": nil, "never.md": nil}))
	must(t, j.KeepStanding(ctx, "/a", nil))
	for _, c := range []struct{ vault, file, want string }{
		{"/a", "x.md", "two true"}, {"/a", "y.md", " true"}, {"/a", "z.md", " false"}, {"/b", "x.md", "other true"}, {"/b", "y.md", " false"},
	} {
		lines, known, err := j.StandingLines(ctx, c.vault, c.file)
		if got := fmt.Sprintf("%s %v", lines, known); err != nil || got != c.want {
			t.Errorf("%s in %s: %q, %v, want %q", c.file, c.vault, got, err, c.want)
		}
	}
	a, err := j.StandingSums(ctx, "/a")
	if got := fmt.Sprint(slices.Sorted(maps.Keys(a))); err != nil || got != "[x.md y.md]" {
		t.Errorf("%s, %v", got, err)
	}
	b, failed := j.StandingSums(ctx, "/b")
	if err != nil || failed != nil || len(a) != 2 || len(b) != 1 || a["x.md"] == b["x.md"] || a["x.md"] == a["y.md"] || a["y.md"] == 0 {
		t.Errorf("sums %v and %v, %v, %v", a, b, err, failed)
	}
	must(t, j.KeepStanding(ctx, "/b", map[string][]byte{"x.md": []byte("two")}))
	if b, err = j.StandingSums(ctx, "/b"); err != nil || a["x.md"] != b["x.md"] {
		t.Errorf("the same lines have the sums %v and %v, %v", a, b, err)
	}
}
