package watch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

func TestProof(t *testing.T) {
	tests := []struct {
		missed           []int
		doubtful, broken bool
	}{
		{nil, false, false},
		{[]int{0, 0, 0, 0}, false, false},
		{[]int{5}, true, false},
		{[]int{5, 0, 0}, true, false},
		{[]int{5, 0, 0, 0}, false, false},
		{[]int{5, 0, 0, 1}, true, false},
		{[]int{5, 0, 1}, true, true},
		{[]int{0, 0, 0, 1, 1}, true, true},
	}
	for _, tt := range tests {
		var p proof
		for _, m := range tt.missed {
			p.addComparison(m)
		}
		if p.hasMisses() != tt.doubtful || p.isBroken() != tt.broken {
			t.Errorf("after %v: doubtful %v, broken %v", tt.missed, p.hasMisses(), p.isBroken())
		}
	}
}

// missing is a session whose source is alive, with a note that was changed a while
// ago without a notification.
func missing(t *testing.T, change ...func(*Options)) (*vault, *session) {
	t.Helper()
	root, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(root, "n.md"), "n")
	write(t, filepath.Join(outside, "target.md"), "target")
	must(t, os.Symlink(filepath.Join(outside, "target.md"), filepath.Join(root, "link.md")))
	v, s := atRest(t, root, change...)
	v.until("the note is old enough", func() bool {
		e, err := disk.Inspect(v.path("n.md"))
		must(t, err)
		return time.Now().UnixNano()-max(e.Stamp.MTime, e.Stamp.CTime) > int64(overdue)
	})
	return v, s
}

// miss makes the snapshot believe in another state of a note.
func (s *session) miss(name string) {
	s.snap.putNote(s.snap.folders[""], name, disk.Stamp{Size: 1})
}

// A source that misses changes in two comparisons of three is not used again
// while the process runs.
func TestMissedChangesEndTrust(t *testing.T) {
	t.Parallel()
	v, s := missing(t)
	s.miss("link.md")
	must(t, s.sweepVault(t.Context(), false))
	if s.misses != 0 || s.proof.hasMisses() {
		t.Fatalf("what a link leads to counts as missed: %+v", s.proof)
	}
	s.miss("n.md")
	must(t, s.sweepVault(t.Context(), true))
	if s.misses != 0 {
		t.Fatal("what a comparison for a reason finds counts as missed")
	}
	s.miss("n.md")
	must(t, s.sweepVault(t.Context(), false))
	s.fallBackToPolling()
	if s.misses != 1 || s.poller != nil || s.nextSweep().Sub(s.sweepEnd) != soon {
		t.Fatalf("after one miss: missed %d, polling %v, next comparison in %v", s.misses, s.poller != nil, s.nextSweep().Sub(s.sweepEnd))
	}
	s.miss("n.md")
	must(t, s.sweepVault(t.Context(), false))
	s.fallBackToPolling()
	s.publishStats()
	if st := v.w.Stats(); st.Source != "poll" || !strings.Contains(st.Reason, "told nothing") {
		t.Fatalf("after two misses: %+v", st)
	}
	s.closeSession()
	again := newSession(v.w, s.root.Path, s.id, v.sink)
	defer again.closeSession()
	if again.poller == nil {
		t.Error("the source is used again")
	}
}

// Whoever asks for notifications gets them, with more comparisons.
func TestMissedChangesWhenNotificationsAreAskedFor(t *testing.T) {
	t.Parallel()
	_, s := missing(t, func(o *Options) { o.Mode = ModeFsnotify })
	for range 3 {
		s.miss("n.md")
		must(t, s.sweepVault(t.Context(), false))
		s.fallBackToPolling()
	}
	if s.poller != nil || !s.suspicious {
		t.Errorf("polling %v, suspicious %v", s.poller != nil, s.suspicious)
	}
}

func TestSlept(t *testing.T) {
	wall, mono := time.Unix(1000, 0), time.Unix(5, 0)
	tests := []struct {
		wall, mono time.Duration
		want       bool
	}{
		{10 * time.Second, 10 * time.Second, false},
		{time.Hour, time.Hour, false}, // a busy process, not a sleeping machine
		{30 * time.Second, 0, false},
		{41 * time.Second, 10 * time.Second, true},
		{-time.Hour, 10 * time.Second, false},
	}
	for _, tt := range tests {
		now := moment{wall.Add(tt.wall), mono.Add(tt.mono)}
		if got := hasSlept(moment{wall, mono}, now); got != tt.want {
			t.Errorf("wall %v, monotonic %v: %v", tt.wall, tt.mono, got)
		}
	}
}

// After a sleep the vault is compared and the source probed.
func TestAwake(t *testing.T) {
	_, s := atRest(t, t.TempDir())
	now := time.Now()
	must(t, s.step(t.Context(), now))
	s.sweepEnd = s.sweepEnd.Add(-time.Minute)
	s.probe.time = now.Add(time.Hour)
	s.clock.wall = s.clock.wall.Add(-time.Minute)
	must(t, s.step(t.Context(), now.Add(time.Second)))
	if s.sweepEnd.Before(now) || s.probe.time.After(now.Add(time.Second)) {
		t.Errorf("compared %v ago, next probe in %v", now.Sub(s.sweepEnd), s.probe.time.Sub(now))
	}
}
