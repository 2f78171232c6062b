package watch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"vaultdispatcher/engine/testdata/testseed"
	"vaultdispatcher/engine/watch/disk"
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
		if got := p.pauseAfter(tt.usual, start.Add(tt.idle)); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// A request ends the rest at once.
func TestPollerStirred(t *testing.T) {
	start := time.Unix(1000, 0)
	p := newPoller(0, false, start)
	later := start.Add(time.Hour)
	p.hotAt, p.folders.time, p.pass.time = later.Add(15*time.Second), later.Add(15*time.Second), later.Add(15*time.Second)
	p.endRest(later)
	if p.hotAt.Sub(later) != hotPause || p.folders.time.Sub(later) != folderPause || p.pass.time.Sub(later) != passPause {
		t.Errorf("after a request: %+v", p)
	}
}

// However long the slices take, a round keeps its share of the time, and begins
// again after a minute at most when it can.
func TestPollerKeepsItsShare(t *testing.T) {
	seed := testseed.Take(t)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		start := time.Unix(1000, 0)
		p := newPoller(0, rnd.IntN(2) == 0, start)
		now, busy := start, time.Duration(0)
		for range 2000 {
			now = p.pass.time
			if len(p.pass.rest) == 0 {
				p.pass.began, p.pass.spent = now, 0
				p.pass.rest = make([]*folder, 1+rnd.IntN(10))
			}
			took := time.Duration(rnd.Int64N(int64(2 * slice)))
			p.pass.rest = p.pass.rest[1:]
			now, busy = now.Add(took), busy+took
			p.recordSlice(&p.pass, passPause, now, took)
			p.endRest(now)
		}
		if whole := now.Sub(start); busy > whole/(p.shareOfTime()-1) {
			t.Fatalf("worked %v of %v, share 1/%d", busy, whole, p.shareOfTime())
		}
		if wait := p.pass.time.Sub(now); wait > passLongest+time.Second {
			t.Fatalf("waits %v", wait)
		}
	}
}

// A round takes less than a hundredth of a core, and no more than a tenth of the time that a disk
// or another machine needs; that others use the machine makes it no slower than that.
func TestCostOfASlice(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		remote          bool
		cpu, took, want time.Duration
	}{
		{false, 5 * ms, 5 * ms, 5 * ms},
		{false, 5 * ms, 25 * ms, 5 * ms},
		{false, 0, 25 * ms, 2500 * time.Microsecond},
		{true, 5 * ms, 25 * ms, 25 * ms},
		{true, 0, 25 * ms, 25 * ms},
	}
	for _, tt := range tests {
		p := newPoller(0, tt.remote, time.Unix(1000, 0))
		cost := p.costOfSlice(tt.cpu, tt.took)
		if cost != tt.want || p.shareOfTime()*cost < remoteShare*tt.took {
			t.Errorf("%+v: costs %v", tt, cost)
		}
	}
}

// Rounds that cost little come again after their pause, whatever it costs more is
// paid for by waiting.
func TestRoundsComeAgain(t *testing.T) {
	start := time.Unix(1000, 0)
	tests := []struct {
		took, want time.Duration
		remote     bool
	}{
		{time.Millisecond, folderPause, false},
		{20 * time.Millisecond, folderPause, false},
		{100 * time.Millisecond, 10 * time.Second, false},
		{100 * time.Millisecond, folderPause, true},
		{time.Second, 10 * time.Second, true},
		{time.Hour, time.Hour + remoteShare*time.Hour, true},
	}
	for _, tt := range tests {
		p := newPoller(0, tt.remote, start)
		p.folders.began, p.folders.rest = start, nil
		p.recordSlice(&p.folders, folderPause, start.Add(tt.took), tt.took)
		if got := p.folders.time.Sub(start); got != tt.want {
			t.Errorf("%+v: again after %v", tt, got)
		}
	}
}

func TestHotKeepsTheLatest(t *testing.T) {
	s := newSnapshot()
	for i := range 1000 {
		s.putNote(s.folders[""], fmt.Sprintf("n%d.md", i), disk.Stamp{MTime: int64(i * 7 % 1000)})
	}
	h := newHot()
	h.seedLatest(s)
	for name, when := range h.notes {
		if when < 1000-hotLimit {
			t.Errorf("%s of %d is hot", name, when)
		}
	}
	if len(h.notes) != hotLimit {
		t.Errorf("%d notes are hot", len(h.notes))
	}
	h.addNote("new.md", 5000)
	if !h.isHot("new.md") || len(h.notes) != hotLimit {
		t.Errorf("%d notes are hot after another", len(h.notes))
	}
	h.addNote("old.md", 1)
	if h.isHot("old.md") || len(h.notes) != hotLimit {
		t.Errorf("%d notes are hot after an old one", len(h.notes))
	}
}

// Without a full pass, the round of the folders finds what came, went or was
// replaced, and the round of the hot notes what was saved in place.
func TestQuickRounds(t *testing.T) {
	root := t.TempDir()
	plant(t, root, 50, 10)
	v, s := atRest(t, root, func(o *Options) { o.Mode = ModePoll })
	p := s.poller
	p.pass.time = time.Now().Add(time.Hour)
	round := func(at time.Time) {
		t.Helper()
		for must(t, s.pollDue(t.Context(), at)); len(p.folders.rest) > 0; {
			must(t, s.pollDue(t.Context(), p.folders.time)) // a slice each
		}
	}
	folders := func() { t.Helper(); round(p.folders.time) }
	saves := []struct {
		rel  string
		save func(rel, text string)
		look func()
	}{
		{"area 01/new.md", v.write, folders},
		{"made/deep/er/n.md", v.write, folders},
		{"area 02/topic 0012/a note about something 00003.md", func(rel, text string) {
			v.write("draft.tmp", text)
			must(t, os.Rename(v.path("draft.tmp"), v.path(rel)))
		}, folders},
		{"area 01/new.md", v.write, func() { round(p.hotAt) }},
	}
	for i, save := range saves {
		text := fmt.Sprintf("save %d", i)
		save.save(save.rel, text)
		save.look()
		if !v.sees(save.rel, text) {
			t.Errorf("%s was not found", save.rel)
		}
	}
	must(t, os.Remove(v.path("area 01/new.md")))
	round(p.hotAt)
	if v.knows("area 01/new.md") {
		t.Error("a hot note that went was not found to")
	}
}

// The hot notes are looked at with a round that comes a moment before them, so that both wake the machine once.
func TestHotNotesShareAWake(t *testing.T) {
	_, s := atRest(t, t.TempDir(), func(o *Options) { o.Mode = ModePoll })
	p, at := s.poller, time.Now().Add(time.Hour)
	for early, together := range map[time.Duration]bool{hotEarly: true, hotEarly + 1: false} {
		p.hotAt, p.folders.time, p.pass.time = at.Add(early), at, at.Add(time.Hour)
		before := p.hotAt
		must(t, s.pollDue(t.Context(), at))
		if (p.hotAt != before) != together {
			t.Errorf("%v before their time: next look %v later", early, p.hotAt.Sub(before))
		}
	}
}
