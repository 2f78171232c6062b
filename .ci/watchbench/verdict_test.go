package watchbench

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"
)

// The watchers that are measured.
const (
	ours        = "ours"
	oursPolling = "ours, polling"
	bare        = "bare fsnotify"
	parcel      = "@parcel/watcher"
	chokidar    = "chokidar"
	chokidarPol = "chokidar, polling"
	plainWalk   = "a walk as often" // computed, see addPolling
)

func isOurs(name string) bool { return name == ours || name == oursPolling }

// ofBest judges a figure of ours by the best of the others that ran. So the verdict hangs on none of them: one that fails
// or is slow leaves the bound to the next.
func ofBest[T ~int64 | ~float64](figures map[string]T, us string, limit float64) string {
	best := ""
	for name, f := range figures {
		if !isOurs(name) && (best == "" || f < figures[best]) {
			best = name
		}
	}
	if best == "" {
		return "no other ran: not judged"
	}
	return atMost("of the best ("+best+")", float64(figures[us])/max(float64(figures[best]), 1e-9), limit)
}

// atMost judges a ratio or a figure. Time is judged in words only: machines are
// loaded.
func atMost(what string, got, limit float64) string {
	verdict := "PASS"
	if got > limit {
		verdict = "FAIL"
	}
	return fmt.Sprintf("%s %.3g, at most %.3g: %s", what, got, limit, verdict)
}

// TestVerdict: whether ours is good or bad is said the same when any one of the others fails or is ten times as slow.
func TestVerdict(t *testing.T) {
	ms := time.Millisecond // the figures of 30 November 2026
	for what, figures := range map[string]map[string]time.Duration{
		"10,000 notes":  {ours: 29 * ms, oursPolling: 30 * ms, bare: 18 * ms, parcel: 31 * ms, chokidar: 1060 * ms},
		"100,000 notes": {ours: 316 * ms, oursPolling: 380 * ms, bare: 275 * ms, parcel: 401 * ms, chokidar: 12_400 * ms},
	} {
		for verdict, times := range map[string]time.Duration{"PASS": 1, "FAIL": 10} {
			figures := maps.Clone(figures)
			figures[ours] *= times
			for _, name := range []string{"", bare, parcel, chokidar} {
				slow, failed := maps.Clone(figures), maps.Clone(figures)
				slow[name] *= 10
				delete(failed, name)
				for how, of := range map[string]map[string]time.Duration{"slow": slow, "failed": failed} {
					if name == "" {
						of = figures
					}
					if said := ofBest(of, ours, 2); !strings.HasSuffix(said, verdict) {
						t.Errorf("%s, %s %s: %s, not %s", what, name, how, said, verdict)
					}
				}
			}
		}
	}
	if said := ofBest(map[string]time.Duration{ours: ms}, ours, 2); strings.Contains(said, "PASS") || strings.Contains(said, "FAIL") {
		t.Errorf("without others: %s", said)
	}
}
