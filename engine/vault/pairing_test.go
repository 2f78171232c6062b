package vault

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// TestPairCounts holds what claims mean on random notes: each claim takes at most
// one marker with its line, no marker is both free and claimed, and what is free
// or lost is exactly the difference of the counts.
func TestPairCounts(t *testing.T) {
	seed := seedOf(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 5000 {
		lines := func() []string {
			list := make([]string, r.IntN(6))
			for i := range list {
				list[i] = fmt.Sprintf("> @agent-Miner %d", r.IntN(3))
			}
			return list
		}
		markers, claims := markersOf(lines()), claimsOf(lines())
		p := PairClaims(markers, claims)
		have, taken, lost := map[string]int{}, map[string]int{}, map[string]int{}
		for _, m := range markers {
			have[m.Text]++
			if c := p.Claimed[m.Span]; c != nil {
				taken[c.Marker.Text]++
				if c.Marker.Text != m.Text {
					t.Fatalf("seed %d, round %d: %q is claimed by %q", seed, round, m.Text, c.Marker.Text)
				}
			}
		}
		for _, list := range p.lost {
			for _, c := range list {
				lost[c.Marker.Text]++
			}
		}
		for _, c := range claims {
			text := c.Marker.Text
			if taken[text] != min(have[text], count(claims, text)) || lost[text] != max(0, count(claims, text)-have[text]) {
				t.Fatalf("seed %d, round %d: %q: %d of %d taken, %d lost", seed, round, text, taken[text], have[text], lost[text])
			}
		}
		if len(p.Free)+len(p.Claimed) != len(markers) {
			t.Fatalf("seed %d, round %d: %d free and %d claimed of %d", seed, round, len(p.Free), len(p.Claimed), len(markers))
		}
	}
}

func count(claims []journal.Claim, text string) (n int) {
	for _, c := range claims {
		if c.Marker.Text == text {
			n++
		}
	}
	return n
}

func markersOf(lines []string) (markers []note.Marker) {
	src := ""
	for _, line := range lines {
		src += line + "\n\n"
	}
	return note.Parse([]byte(src)).Markers
}

func claimsOf(lines []string) (claims []journal.Claim) {
	for i, line := range lines {
		claims = append(claims, journal.Claim{
			Dispatch: fmt.Sprint("d", i), Status: journal.Processing,
			Marker: journal.Marker{Trace: note.Trace{Text: line, Line: 1 + 2*i}},
		})
	}
	return claims
}

// TestEdited tells a line that became another question from one that is gone.
func TestEdited(t *testing.T) {
	claim := func(line int, before, after string) []journal.Claim {
		return []journal.Claim{{Marker: journal.Marker{Trace: note.Trace{Line: line, Before: before, After: after}}}}
	}
	for _, tt := range []struct {
		name string
		lost []journal.Claim
		note string
		want bool
	}{
		{"another question on its line", claim(3, "a", "b"), "a\n\n> @agent-Miner new\n\nb\n", true},
		{"moved down, between the same neighbours", claim(3, "a", "b"), "x\ny\na\n\n> @agent-Miner new\n\nb\n", true},
		{"gone", claim(3, "a", "b"), "a\n\nb\n", false},
		{"gone, and another question elsewhere", claim(3, "a", "b"), "a\n\nb\n\nc\n\n> @agent-Miner new\n", false},
		{"alone in its note", claim(1, "", ""), "> @agent-Miner new\n", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := wasEdited(tt.lost, note.Parse([]byte(tt.note)).Markers); got != tt.want {
				t.Errorf("edited is %v", got)
			}
		})
	}
}

func TestToggle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := 0
		sw := newToggle(true, func() { told++ })
		position := func() bool { on, _ := sw.readPosition(); return on }
		_, changed := sw.readPosition()
		sw.setPosition(true, 0)
		select {
		case <-changed:
			t.Error("setting what is set counts as a change")
		default:
		}
		sw.setPosition(false, time.Hour)
		<-changed
		if position() {
			t.Error("still on")
		}
		time.Sleep(time.Hour - time.Second)
		synctest.Wait()
		if position() {
			t.Error("on again too early")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !position() {
			t.Error("not on again after an hour")
		}
		if told != 3 {
			t.Errorf("told %d times of two settings and a turn back", told)
		}
		sw.setPosition(false, time.Hour)
		sw.setPosition(false, 0) // for good: the hour does not count any more
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if position() {
			t.Error("came back although it was switched off for good")
		}
		sw.setPosition(true, 0)
		sw.setPosition(false, time.Minute)
		sw.setPosition(false, time.Hour) // longer
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if position() {
			t.Error("the first time counted")
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if !position() {
			t.Error("a pause that was made longer never ended")
		}
		sw.setPosition(false, 0)
		sw.setPosition(false, time.Hour) // no longer for good
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if !position() {
			t.Error("a pause that was limited afterwards never ended")
		}
		sw.setPosition(false, time.Hour)
		sw.setPosition(true, 0)
		sw.setPosition(false, 0)
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if position() {
			t.Error("an old timer switched it on")
		}
	})
}

// An hour is over when the clock on the wall says so, also where the computer has
// slept meanwhile and its timers with it; the next engine is told the same.
func TestToggleOverSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sw := newToggle(true, func() {})
		sw.setPosition(false, time.Hour)
		asleep := func(d time.Duration) {
			sw.mu.Lock()
			defer sw.mu.Unlock()
			sw.until = sw.until.Round(0).Add(-d)
		}
		asleep(50 * time.Minute)
		time.Sleep(9 * time.Minute)
		synctest.Wait()
		if on, _ := sw.readPosition(); on {
			t.Error("on again too early")
		}
		asleep(8 * time.Hour)
		if s, ok := sw.byHand(time.Now()); !ok || s != (Switch{On: true}) {
			t.Errorf("the next engine is told %+v, %v", s, ok)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if on, _ := sw.readPosition(); !on {
			t.Error("not on again, a minute after a night")
		}
	})
}
