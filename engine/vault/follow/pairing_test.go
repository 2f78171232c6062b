package follow

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/testdata/testseed"
)

// TestPairCounts holds what claims mean on random notes: each claim takes at most
// one marker with its line, no marker is both free and claimed, and what is free
// or lost is exactly the difference of the counts.
func TestPairCounts(t *testing.T) {
	seed := testseed.Take(t)
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
		for _, list := range p.Orphans {
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
		return []journal.Claim{{Marker: journal.Marker{Trace: note.Trace{Line: line, Upper: before, Lower: after}}}}
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
			free := note.Parse([]byte(tt.note)).Markers
			if got := WasEdited(tt.lost, free, free); got != tt.want {
				t.Errorf("edited is %v", got)
			}
		})
	}
}

// White space is no edit of a question that waits for its agent or its answer, and one of any other.
func TestPairFolded(t *testing.T) {
	const was, is = "> @agent-Miner a  b", "a\n\n>@agent-Miner a b\n\nb\n"
	for status, same := range map[journal.Status]bool{journal.Queued: true, journal.Processing: true, journal.Failed: false, journal.Held: false, journal.Cancelled: false} {
		claims := []journal.Claim{{Dispatch: "d", Status: status, Marker: journal.Marker{Trace: note.Trace{Text: was, Line: 3, Upper: "a", Lower: "b"}}}}
		p := PairClaims(note.Parse([]byte(is)).Markers, claims)
		if len(p.Claimed) == 1 != same || len(p.Free) == 0 != same {
			t.Errorf("%s: %+v", status, p)
		}
	}
	lost := []journal.Claim{{Status: journal.Processing, Marker: journal.Marker{Trace: note.Trace{Text: was, Line: 9, Upper: "x", Lower: "y"}}}}
	two := note.Parse([]byte(is + "\n> @agent-Miner  a b\n")).Markers
	if p := PairClaims(two, lost); len(p.Free) != 2 || !WasEdited(p.Orphans[""], nil, p.Free) {
		t.Errorf("of two one is taken, or its run goes on: %+v", p)
	}
}
