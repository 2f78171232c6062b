package journal

import (
	"context"
	"slices"
	"testing"
	"time"
)

func TestForgetArrivals(t *testing.T) {
	t.Parallel()
	ctx, j, now := context.Background(), openNew(t), time.Now()
	for file, seen := range map[string]time.Time{"old.md": now.Add(-48 * time.Hour), "kept.md": now.Add(-48 * time.Hour), "new.md": now} {
		must(t, j.SetArrival(ctx, "/vault", Arrival{File: file, Seen: seen}))
		must(t, j.SetArrival(ctx, "/other", Arrival{File: file, Seen: seen}))
	}
	var asked []string
	must(t, j.ForgetArrivals(ctx, "/vault", now.Add(-24*time.Hour), func(file string) bool {
		asked = append(asked, file)
		return file == "old.md"
	}))
	if slices.Sort(asked); !slices.Equal(asked, []string{"kept.md", "old.md"}) {
		t.Errorf("arrivedBefore: %q", asked)
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

// A vault that is met again keeps what is known to be somebody else's, of which nothing is released in bulk.
func TestMeetKeepsWhatIsTheirs(t *testing.T) {
	t.Parallel()
	ctx, j, now := context.Background(), openNew(t), time.Now()
	must(t, j.SetArrival(ctx, "/vault", Arrival{File: "theirs.md", Seen: now, Kind: ForUntrusted, Came: []byte("12345678")}))
	must(t, j.SetArrival(ctx, "/vault", Arrival{File: "old.md", Seen: now, Kind: ForOld, Came: []byte("12345678")}))
	must(t, j.SetArrival(ctx, "/other", Arrival{File: "mine.md", Seen: now, Kind: ForUntrusted}))
	var all []Arrival
	for _, file := range []string{"theirs.md", "old.md", "mine.md"} {
		all = append(all, Arrival{File: file, Seen: now, Kind: ForOld, Came: []byte("87654321")})
	}
	must(t, j.RecordOldMarkers(ctx, "/vault", now, all))
	for file, want := range map[string]string{"theirs.md": string(ForUntrusted) + " 12345678", "old.md": string(ForOld) + " 87654321", "mine.md": string(ForOld) + " 87654321"} {
		a, known, err := j.Arrival(ctx, "/vault", file)
		if got := string(a.Kind) + " " + string(a.Came); err != nil || !known || got != want {
			t.Errorf("%s: %q, %v, %v, want %q", file, got, known, err, want)
		}
	}
	must(t, j.RecordOldMarkers(ctx, "/vault", now, []Arrival{{File: "old.md", Seen: now, Kind: ForUntrusted, Came: []byte("11111111")}}))
	if a, _, err := j.Arrival(ctx, "/vault", "old.md"); err != nil || a.Kind != ForUntrusted {
		t.Errorf("an old one that is somebody else's: %+v, %v", a, err)
	}
}
