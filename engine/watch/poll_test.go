package watch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

func TestPollerRests(t *testing.T) {
	start := time.Unix(1000, 0)
	tests := []struct {
		every, usual, idle, want time.Duration
	}{
		{0, time.Second, 0, time.Second},
		{0, time.Second, 10*time.Minute - 1, time.Second},
		{0, time.Second, 10 * time.Minute, 2 * time.Second},
		{0, time.Second, 35 * time.Minute, 8 * time.Second},
		{0, time.Second, 24 * time.Hour, 15 * time.Second},
		{0, 4 * time.Second, 24 * time.Hour, 15 * time.Second},
		{3 * time.Second, time.Second, 24 * time.Hour, 3 * time.Second},
		{time.Minute, time.Second, 0, time.Minute},
	}
	for _, tt := range tests {
		p := newPoller(tt.every, false, start)
		if got := p.pause(tt.usual, start.Add(tt.idle)); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// A request ends the rest at once.
func TestPollerStirred(t *testing.T) {
	start := time.Unix(1000, 0)
	p := newPoller(0, false, start)
	later := start.Add(time.Hour)
	p.hotAt, p.folders.at, p.pass.at = later.Add(15*time.Second), later.Add(15*time.Second), later.Add(15*time.Second)
	p.stir(later)
	if p.hotAt.Sub(later) != hotPause || p.folders.at.Sub(later) != folderPause || p.pass.at.Sub(later) != passPause {
		t.Errorf("after a request: %+v", p)
	}
}

// However long the slices take, a round keeps its share of the time, and begins
// again after a minute at most when it can.
func TestPollerKeepsItsShare(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	if *seedFlag != 0 {
		seed = *seedFlag
	}
	t.Logf("replay with: go test -run %s -args -seed %d", t.Name(), seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		start := time.Unix(1000, 0)
		p := newPoller(0, rnd.IntN(2) == 0, start)
		now, busy := start, time.Duration(0)
		for range 2000 {
			now = p.pass.at
			if len(p.pass.left) == 0 {
				p.pass.began, p.pass.spent = now, 0
				p.pass.left = make([]*folder, 1+rnd.IntN(10))
			}
			took := time.Duration(rnd.Int64N(int64(2 * slice)))
			p.pass.left = p.pass.left[1:]
			now, busy = now.Add(took), busy+took
			p.worked(&p.pass, passPause, now, took)
			p.stirred = now
		}
		if whole := now.Sub(start); busy > whole/(p.share()-1) {
			t.Fatalf("worked %v of %v, share 1/%d", busy, whole, p.share())
		}
		if wait := p.pass.at.Sub(now); wait > passLongest+time.Second {
			t.Fatalf("waits %v", wait)
		}
	}
}

func TestHotKeepsTheLatest(t *testing.T) {
	s := newSnapshot()
	for i := range 1000 {
		s.put(s.folders[""], fmt.Sprintf("n%d.md", i), stamp{mtime: int64(i * 7 % 1000)})
	}
	h := newHot()
	h.seed(s)
	for name, when := range h.notes {
		if when < 1000-hotLimit {
			t.Errorf("%s of %d is hot", name, when)
		}
	}
	if len(h.notes) != hotLimit {
		t.Errorf("%d notes are hot", len(h.notes))
	}
	h.add("new.md", 5000)
	if !h.has("new.md") || len(h.notes) != hotLimit {
		t.Errorf("%d notes are hot after another", len(h.notes))
	}
	h.add("old.md", 1)
	if h.has("old.md") || len(h.notes) != hotLimit {
		t.Errorf("%d notes are hot after an old one", len(h.notes))
	}
}

// By the pauses that a vault has by itself, saves of these kinds are found within
// 2.5 seconds, on a machine with time: in any case before a full pass is due.
func TestPollIsQuick(t *testing.T) {
	root := t.TempDir()
	plant(t, root, 50, 10)
	v := watched(t, root, func(o *Options) { o.Mode = ModePoll })
	s := v.w.Stats()
	if s.Source != "poll" || s.Reason != "the mode is poll" || s.Watches != 0 {
		t.Errorf("stats are %+v", s)
	}
	kinds := map[string]func(i int, text string) string{
		"new": func(i int, text string) string {
			rel := fmt.Sprintf("area 01/new %d.md", i)
			v.write(rel, text)
			return rel
		},
		"in a new folder": func(i int, text string) string {
			rel := fmt.Sprintf("made/%d/n.md", i)
			v.write(rel, text)
			return rel
		},
		"renamed over": func(i int, text string) string {
			rel := fmt.Sprintf("area 02/topic %04d/a note about something 00003.md", 10*i+2)
			v.write("draft.tmp", text)
			must(t, os.Rename(v.path("draft.tmp"), v.path(rel)))
			return rel
		},
		"hot": func(i int, text string) string {
			v.write("area 01/new 0.md", text)
			return "area 01/new 0.md"
		},
	}
	for i := range 2 {
		for _, kind := range []string{"new", "in a new folder", "renamed over", "hot"} {
			text := fmt.Sprintf("%s %d", kind, i)
			start := time.Now()
			rel := kinds[kind](i, text)
			v.until(text, func() bool { return v.sees(rel, text) })
			if took := time.Since(start); took > 3500*time.Millisecond {
				t.Errorf("%s was found after %v", text, took)
			}
		}
	}
}
