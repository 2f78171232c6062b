package dispatch

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/testdata/testseed"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// What an agent says is believed as far as it makes sense.
func TestSetLimit(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   time.Duration
		want time.Duration // 0 = not believed
	}{
		{"in five hours", 5 * time.Hour, 5 * time.Hour},
		{"next week", 7 * 24 * time.Hour, 7 * 24 * time.Hour},
		{"at once", time.Millisecond, shortestLimit},
		{"now", 0, 0},
		{"an hour ago", -time.Hour, 0},
		{"in a hundred years", 100 * 365 * 24 * time.Hour, 0},
	} {
		var l limits
		got, ok := l.addLimit("Editor", "limited", noon.Add(tt.in), noon)
		if ok != (tt.want > 0) || ok && (got.End != noon.Add(tt.want) || got.Role != "editor" || got.Start != noon) {
			t.Errorf("%s: %+v, %v", tt.name, got, ok)
		}
	}
}

// An agent that keeps saying "soon" is asked less and less often.
func TestLimitToldAgain(t *testing.T) {
	var l limits
	now, told := noon, 0
	for now.Before(noon.Add(24 * time.Hour)) {
		made, _ := l.addLimit("Editor", "limited", now.Add(time.Second), now)
		now = made.End.Add(time.Second)
		told++
	}
	if told > 40 {
		t.Errorf("asked %d times in a day", told)
	}
	made, _ := l.addLimit("Editor", "limited", now.Add(time.Hour), now.Add(time.Minute)) // it had answered in between
	if made.End.Sub(made.Start) > time.Hour {
		t.Errorf("a minute after its end it lasts %v", made.End.Sub(made.Start))
	}
}

// However the clock is set, no limit lasts longer than was told; while the clock
// runs on it holds until its time and not longer.
func TestLimitsByAnyClock(t *testing.T) {
	seed := testseed.Take(t)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		var l limits
		told := time.Duration(1+random.IntN(600)) * time.Minute
		l.addLimit("Editor", "limited", noon.Add(told), noon)
		clock := noon
		for range 20 {
			before := clock
			clock = clock.Add(time.Duration(random.IntN(60)) * time.Minute)
			held, was := l.limitOf("Editor", strings.EqualFold, before)
			if _, is := l.limitOf("Editor", strings.EqualFold, clock); was && is != held.End.After(clock) {
				t.Fatalf("seed %d: until %v, and at %v limited is %v", seed, held.End, clock, is)
			}
			if random.IntN(4) == 0 {
				clock = clock.Add(time.Duration(random.IntN(2000)-1000) * time.Minute)
			}
			got, limited := l.limitOf("EDITOR", strings.EqualFold, clock)
			if limited && got.End.Sub(clock) > told {
				t.Fatalf("seed %d: %v are left of a limit of %v", seed, got.End.Sub(clock), told)
			}
		}
		if _, limited := l.limitOf("Editor", strings.EqualFold, clock.Add(2*told)); limited {
			t.Fatalf("seed %d: the limit does not end", seed)
		}
	}
}

// What limits a role limits those that are answered alike, and nobody else.
func TestLimitOfAnother(t *testing.T) {
	var l limits
	alike := func(a, b string) bool { return strings.EqualFold(a, b) || strings.EqualFold(b, "Poet") }
	l.addLimit("Editor", "one", noon.Add(time.Hour), noon)
	l.addLimit("Critic", "two", noon.Add(2*time.Hour), noon)
	for role, want := range map[string]string{"editor": "one", "Poet": "two", "Miner": ""} {
		if got, ok := l.limitOf(role, alike, noon); got.Reason != want || ok != (want != "") {
			t.Errorf("%s: %+v, %v; want %q", role, got, ok, want)
		}
	}
	if ended := l.endLimits("EDITOR", alike); !slices.Equal(ended, []string{"editor"}) || len(l.endLimits("editor", alike)) > 0 {
		t.Errorf("a limit ends once: %v", ended)
	}
	if got, ok := l.limitOf("editor", alike, noon); ok {
		t.Errorf("ended, and still %+v", got)
	}
	if ended := l.endLimits("Poet", alike); !slices.Equal(ended, []string{"critic"}) {
		t.Errorf("an answer to Poet has ended the limits of %v", ended)
	}
	if got := fitToClock(journal.Limit{Start: noon, End: noon.Add(time.Hour)}, noon.Add(-24*time.Hour)); got.End != noon.Add(-23*time.Hour) {
		t.Errorf("a day earlier it holds until %v", got.End)
	}
}
