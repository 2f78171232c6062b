package settle

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/testdata/testseed"
)

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// at is a time some seconds after t0.
func at(seconds float64) time.Time {
	return t0.Add(time.Duration(seconds * float64(time.Second)))
}

func marker(role, instruction string, terminated bool) note.Marker {
	return note.Marker{
		Role: role, Instruction: instruction, Terminated: terminated,
		Text: "> @agent-" + role + " " + instruction,
	}
}

func names(markers []note.Marker) []string {
	list := []string{}
	for _, m := range markers {
		list = append(list, m.Instruction)
	}
	return list
}

// look is one look at a note and what it must bring.
type look struct {
	at    float64
	free  []note.Marker
	ready string  // instructions
	next  float64 // when to look again; 0 = never
}

func (l look) play(t *testing.T, s *Markers) {
	t.Helper()
	ready, next := s.SettleMarkers("n.md", l.free, at(l.at), at(l.at))
	if got := fmt.Sprint(names(ready)); got != l.ready {
		t.Errorf("at %v s: ready %s, want %s", l.at, got, l.ready)
	}
	want := time.Time{}
	if l.next != 0 {
		want = at(l.next)
	}
	if !next.Equal(want) {
		t.Errorf("at %v s: next look %v, want %v", l.at, next.Sub(t0), want.Sub(t0))
	}
	s.ForgetStarted("n.md", ready)
}

// TestSettle plays looks at one note and says what may start at each.
func TestSettle(t *testing.T) {
	a, b := marker("Miner", "a", true), marker("Miner", "b", true)
	other := marker("Editor", "other", true)
	tail := marker("Miner", "tail", false)
	for _, tt := range []struct {
		name             string
		debounce, settle time.Duration
		steps            []look
	}{
		{"a line starts 2.5 s after it was first seen", time.Second, 2500 * time.Millisecond, []look{
			{1, []note.Marker{a}, "[]", 3.5},
			{3.5, []note.Marker{a}, "[a]", 0},
		}},
		{"the debounce is the least", 3 * time.Second, time.Second, []look{
			{1, []note.Marker{a}, "[]", 4},
			{4, []note.Marker{a}, "[a]", 0},
		}},
		{"other lines may go on changing", time.Second, 2500 * time.Millisecond, []look{
			{1, []note.Marker{a}, "[]", 3.5},
			{2, []note.Marker{a, other}, "[]", 3.5},
			{3.5, []note.Marker{a, other}, "[a]", 4.5},
		}},
		{"an edited line settles anew", time.Second, 2500 * time.Millisecond, []look{
			{1, []note.Marker{marker("Miner", "wh", true)}, "[]", 3.5},
			{3, []note.Marker{marker("Miner", "what", true)}, "[]", 5.5},
			{3.5, []note.Marker{marker("Miner", "what", true)}, "[]", 5.5},
			{5.5, []note.Marker{marker("Miner", "what", true)}, "[what]", 0},
		}},
		{"the last line without its end waits half as long again", time.Second, 2500 * time.Millisecond, []look{
			{1, []note.Marker{tail}, "[]", 4.75},
			{4.75, []note.Marker{tail}, "[tail]", 0},
		}},
		{"a line end makes it an ordinary line", time.Second, 2500 * time.Millisecond, []look{
			{1, []note.Marker{tail}, "[]", 4.75},
			{4, []note.Marker{marker("Miner", "tail", true)}, "[tail]", 0},
		}},
		{"a group starts together", time.Second, 2500 * time.Millisecond, []look{
			{1, []note.Marker{a}, "[]", 3.5},
			{3, []note.Marker{a, b}, "[]", 5.5},
			{3.5, []note.Marker{a, b}, "[]", 5.5},
			{5.5, []note.Marker{a, b}, "[a b]", 0},
		}},
		{"but does not wait for ever for one that is being typed", time.Second, 2500 * time.Millisecond, []look{
			{0, []note.Marker{a}, "[]", 2.5},
			{2, []note.Marker{a, marker("Miner", "1", true)}, "[]", 4.5},
			{4, []note.Marker{a, marker("Miner", "12", true)}, "[]", 6.5},
			{6, []note.Marker{a, marker("Miner", "123", true)}, "[]", 8.5},
			{8, []note.Marker{a, marker("Miner", "1234", true)}, "[]", 10},
			{10, []note.Marker{a, marker("Miner", "12345", true)}, "[a]", 12.5},
		}},
		{"settle 0 starts at once", 0, 0, []look{{1, []note.Marker{a, tail}, "[a tail]", 0}}},
		{"a removed line is forgotten", time.Second, 2500 * time.Millisecond, []look{
			{1, []note.Marker{a}, "[]", 3.5},
			{2, nil, "[]", 0},
			{3.5, []note.Marker{a}, "[]", 6},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := New(tt.debounce, tt.settle, find.Keys)
			for _, step := range tt.steps {
				step.play(t, s)
			}
		})
	}
}

// TestSettleAlwaysStarts types at random and then stops: whatever happened, each
// marker starts, none before it has stood for its time, and nothing is left over.
func TestSettleAlwaysStarts(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 2000 {
		s := New(time.Second, 2500*time.Millisecond, find.Keys)
		texts := make([]string, 1+r.IntN(4))
		stable := make([]time.Time, len(texts))
		now, running := t0, make(map[string]bool)
		build := func() (free []note.Marker) {
			for i, text := range texts {
				if name := fmt.Sprint(i, text); !running[name] {
					free = append(free, marker(fmt.Sprintf("R%d", i%2), name, i < len(texts)-1))
				}
			}
			return free
		}
		look := func() time.Time {
			ready, next := s.SettleMarkers("n.md", build(), now, now)
			for _, m := range ready {
				var i int
				fmt.Sscanf(m.Instruction, "%d", &i)
				if stood := now.Sub(stable[i]); stood < 2500*time.Millisecond {
					t.Fatalf("seed %d, round %d: %q started after %v", seed, round, m.Instruction, stood)
				}
				running[m.Instruction] = true
			}
			s.ForgetStarted("n.md", ready)
			return next
		}
		for i := range texts {
			stable[i] = now
		}
		for range r.IntN(20) {
			i := r.IntN(len(texts))
			texts[i] += string(rune('a' + r.IntN(26)))
			stable[i] = now
			look()
			now = now.Add(time.Duration(r.IntN(4000)) * time.Millisecond)
		}
		for range 10 {
			next := look()
			if next.IsZero() {
				break
			}
			now = next
		}
		if left := build(); len(left) > 0 || s.CountMarkers() > 0 {
			t.Fatalf("seed %d, round %d: %v never started, %d settling", seed, round, names(left), s.CountMarkers())
		}
	}
}
