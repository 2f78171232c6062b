package watch

import (
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/watch/source"
)

func probing(o *Options) { o.Probe = ".probe" }

// A source that works is heard, no event comes of it, and the folder of the probe
// stays: who has found it there, and is about to write into it, can.
func TestProbeHeard(t *testing.T) {
	v := watched(t, t.TempDir(), probing)
	v.write("n.md", "n")
	v.settled()
	v.stop()
	v, s := atRest(t, v.root, probing)
	now := time.Now() // it stands still: only what is heard ends the probe
	s.stepProbe(now)
	if !s.probe.waiting {
		t.Fatal("no probe was made")
	}
	v.until("the probe is heard", func() bool { s.stepProbe(now); return !s.probe.waiting })
	if s.doubt != "" || time.Until(s.probe.time) < probePause/2 {
		t.Errorf("doubt %q, next in %v", s.doubt, time.Until(s.probe.time))
	}
	if names, err := os.ReadDir(v.path(".probe")); err != nil || len(names) != 0 {
		t.Errorf("in the folder of the probe: %v, %v", names, err)
	}
	must(t, s.step(t.Context(), time.Now()))
	v.mirrors(s)
	if all, _ := v.count(".probe"); all != 0 {
		t.Error("the probe was reported")
	}
}

// mirrors is mirrorsDisk for a session at rest.
func (v *vault) mirrors(s *session) {
	v.Helper()
	if s.folders == nil {
		return // one watch is on all of them
	}
	if armed, _ := s.folders.Watches(); armed != len(s.snap.folders) {
		v.Errorf("%d watches, %d folders", armed, len(s.snap.folders))
	}
}

// An empty vault may be the place where a disk will be mounted: nothing stays in it.
func TestProbeLeavesAnEmptyVaultEmpty(t *testing.T) {
	v, s := atRest(t, t.TempDir(), probing)
	now := time.Now()
	s.stepProbe(now)
	v.until("the probe is heard", func() bool { s.stepProbe(now); return !s.probe.waiting })
	if names, err := os.ReadDir(v.root); err != nil || len(names) != 0 {
		t.Errorf("left %v, %v", names, err)
	}
}

// What was in the folder of the probe stays.
func TestProbeKeepsItsFolder(t *testing.T) {
	v, s := atRest(t, t.TempDir(), probing)
	v.write(".probe/kept", "x")
	now := time.Now()
	s.stepProbe(now)
	v.until("the probe is heard", func() bool { s.stepProbe(now); return !s.probe.waiting })
	names, err := os.ReadDir(v.path(".probe"))
	must(t, err)
	if len(names) != 1 || names[0].Name() != "kept" {
		t.Errorf("left %v", names)
	}
}

// deaf is a source that says nothing.
type deaf struct{}

func (deaf) Name() string { return "deaf" }
func (deaf) Close()       {}

func TestProbeUnheard(t *testing.T) {
	t.Parallel()
	v := newVault(t, t.TempDir(), probing, swift)
	v.w.opener = func(string, *source.Hints, *slog.Logger) (source.Source, error) { return deaf{}, nil }
	v.start()
	v.waitReady()
	v.write("n.md", "n")
	v.until("polling", func() bool {
		s := v.w.Stats()
		return s.Source == "poll" && strings.Contains(s.Reason, "was not told of")
	})
	v.settled()
}

// A folder that is a link, or no folder, is no place to write.
func TestProbeWhereNothingCanBeMade(t *testing.T) {
	for _, what := range []string{"link", "file"} {
		outside := t.TempDir()
		v, s := atRest(t, t.TempDir(), probing)
		if what == "file" {
			v.write(".probe", "a file")
		} else {
			must(t, os.Symlink(outside, v.path(".probe")))
		}
		s.stepProbe(time.Now())
		if s.probe.waiting || s.doubt != "" || time.Until(s.probe.time) < probePause/2 {
			t.Errorf("%s: %+v, doubt %q", what, s.probe, s.doubt)
		}
		if names, err := os.ReadDir(outside); err != nil || len(names) != 0 {
			t.Errorf("%s: made %v, %v", what, names, err)
		}
	}
}
