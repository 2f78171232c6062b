package watch

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// slowly polls a vault of so many hot notes for a while, on a link on which each
// takes so long to be asked for. It returns when each was asked for, and the share of
// the time that went into asking.
func slowly(t *testing.T, notes int, each, during time.Duration) (asked map[string][]time.Time, share float64) {
	t.Helper()
	root := t.TempDir()
	for i := range notes {
		write(t, fmt.Sprintf("%s/n%03d.md", root, i), "text")
	}
	synctest.Test(t, func(t *testing.T) {
		_, s := atRest(t, root, func(o *Options) { o.Mode = ModePoll })
		asked = make(map[string][]time.Time)
		busy, known := time.Duration(0), make(map[string]disk.Entry)
		s.ask = func(rel string, before disk.Mark) (disk.Entry, error) {
			<-time.After(each)
			busy += each
			asked[rel] = append(asked[rel], time.Now())
			if _, ok := known[rel]; !ok {
				e, err := disk.Inspect(s.root.Abs(rel))
				must(t, err)
				known[rel] = e
			}
			return known[rel], nil
		}
		s.poller.hot.seedLatest(s.snap)
		for i := range latestFew {
			s.poller.hot.addNote(fmt.Sprintf("n%03d.md", i), time.Now().Add(100*24*365*time.Hour).UnixNano())
		}
		begun := time.Now()
		for time.Since(begun) < during {
			<-time.After(time.Until(s.poller.hotAt))
			must(t, s.lookAtHot(t.Context()))
			s.poller.endRest(time.Now()) // so that it never rests
		}
		share = busy.Seconds() / time.Since(begun).Seconds()
	})
	return asked, share
}

// However slow the link, asking for the hot notes leaves most of the time to others,
// each has its turn, and the latest do not wait for the others.
func TestHotNotesOnASlowLink(t *testing.T) {
	t.Parallel()
	tests := []struct {
		each          time.Duration
		all, latestIn time.Duration // how soon all were asked for, and each of the latest again
		share         float64
	}{
		{0, time.Second, time.Second, 0},
		{100 * time.Microsecond, 1100 * time.Millisecond, 1100 * time.Millisecond, 0.03},
		{5 * time.Millisecond, 12 * time.Second, 2 * time.Second, 0.21},
		{50 * time.Millisecond, 110 * time.Second, 4 * time.Second, 0.21},
		{time.Second, 2100 * time.Second, 40 * time.Second, 0.21},
	}
	for _, tt := range tests {
		t.Run(tt.each.String(), func(t *testing.T) {
			asked, share := slowly(t, hotLimit, tt.each, 3*tt.all)
			if share > tt.share {
				t.Errorf("%.3f of the time, want at most %.2f", share, tt.share)
			}
			begun := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
			for i := range hotLimit {
				name := fmt.Sprintf("n%03d.md", i)
				times := asked[name]
				if len(times) == 0 || times[0].Sub(begun) > tt.all+2*time.Second {
					t.Fatalf("%s was asked for %d times, first at %v", name, len(times), times)
				}
				for j := 1; j < len(times); j++ {
					gap := times[j].Sub(times[j-1])
					if gap > 2*tt.all || i < latestFew && gap > tt.latestIn {
						t.Fatalf("%s was asked for after %v, %d-th time", name, gap, j)
					}
				}
			}
		})
	}
}
