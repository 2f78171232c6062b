package rewrite

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/sanitize"
)

// FuzzPlan asks in one note and answers in what has become of it. What would be
// written has exactly the markers that were there without those answered, and
// where nothing else changed a second time writes nothing.
func FuzzPlan(f *testing.F) {
	dice := rand.New(rand.NewPCG(1, 2))
	for i := range uint64(24) {
		s := newSheet(dice)
		before := s.bytes(nil)
		s.edit()
		f.Add(before, s.bytes(nil), answerText(dice, 1), i*0x9e3779b97f4a7c15, i%2 == 0)
		f.Add(before, before, answerText(dice, 2), i, true)
	}
	empty := []byte(">  @agent-Miner cag\f:\n+")
	f.Add(empty, empty, "an empty list of one item", uint64(1), false)
	f.Fuzz(func(t *testing.T, before, now []byte, answer string, pick uint64, partial bool) {
		job := Job{Partial: partial}
		doc := note.Parse(before)
		if fault := doc.Fault; fault != nil {
			t.Fatal(fault)
		}
		for i, m := range doc.Markers {
			if pick>>(i%64)&1 == 1 {
				job.Places = append(job.Places, place(m, answer))
			} else {
				job.Siblings = append(job.Siblings, place(m, ""))
			}
		}
		next, res, err := planned(now, job)
		if errors.Is(err, ErrUnsafe) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Written)+len(res.Missing) != len(job.Places) && next != nil {
			t.Fatalf("%+v of %d places", res, len(job.Places))
		}
		if next == nil {
			return
		}
		if fault := note.Parse(next).Fault; fault != nil {
			t.Fatal(fault)
		}
		checkPlanned(t, now, next, job, answer)
		if again, _, err := planned(next, job); bytes.Equal(before, now) && (err != nil || again != nil) {
			t.Fatalf("a second time: %v\n%q\n%q\n%q", err, now, next, again)
		}
	})
}

// checkPlanned holds the markers of the new text against those of the old.
func checkPlanned(t *testing.T, now, next []byte, job Job, answer string) {
	t.Helper()
	answered := make(map[string]int)
	for _, p := range job.Places {
		answered[note.Head(p.Text)]++ // it may have got more lines since, which stay
	}
	left := heads(next)
	at, gone := 0, 0
	for _, text := range heads(now) {
		if at < len(left) && left[at] == text {
			at++
		} else if answered[text]--; answered[text] < 0 {
			t.Fatalf("%q is gone and was not answered: %q", text, next)
		} else {
			gone++
		}
	}
	if at != len(left) {
		t.Fatalf("%q is new in %q", left[at:], next)
	}
	if answer = sanitize.Answer(answer, defaultLimit); strings.Count(string(next), "<!-- /agent-response -->") < gone {
		t.Fatalf("fewer blocks than the %d answers %q: %q", gone, answer, next)
	}
}

func heads(src []byte) (list []string) {
	for _, m := range note.Parse(src).Markers {
		list = append(list, note.Head(m.Text))
	}
	return slices.Clip(list)
}
