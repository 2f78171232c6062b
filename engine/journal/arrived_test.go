package journal

import (
	"context"
	"slices"
	"testing"
	"time"
)

func TestForgetArrivals(t *testing.T) {
	ctx, j, now := context.Background(), openNew(t), time.Now()
	for file, seen := range map[string]time.Time{"old.md": now.Add(-48 * time.Hour), "kept.md": now.Add(-48 * time.Hour), "new.md": now} {
		must(t, j.Arrive(ctx, "/vault", Arrival{File: file, Seen: seen}))
		must(t, j.Arrive(ctx, "/other", Arrival{File: file, Seen: seen}))
	}
	var asked []string
	must(t, j.ForgetArrivals(ctx, "/vault", now.Add(-24*time.Hour), func(file string) bool {
		asked = append(asked, file)
		return file == "old.md"
	}))
	if slices.Sort(asked); !slices.Equal(asked, []string{"kept.md", "old.md"}) {
		t.Errorf("arrived: %q", asked)
	}
	for _, want := range []struct {
		vault, file string
		known       bool
	}{{"/vault", "old.md", false}, {"/vault", "kept.md", true}, {"/vault", "new.md", true}, {"/other", "old.md", true}} {
		if _, known, err := j.Arrival(ctx, want.vault, want.file); err != nil || known != want.known {
			t.Errorf("%+v: %v, %v", want, known, err)
		}
	}
}
