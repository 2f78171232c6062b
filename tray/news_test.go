package tray

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/testdata/testseed"
)

// at is a time of the tests, in seconds.
func at(s int) time.Time { return time.Unix(1000+int64(s), 0) }

func ended(id, status, file string, s int) api.Dispatch {
	when := at(s)
	return api.Dispatch{ID: id, Vault: "v", File: file, Instruction: "why " + id + "?", Status: status, FinishedAt: &when}
}

func proposed(id string, asked int) api.Dispatch {
	return api.Dispatch{ID: id, Vault: "v", File: "A.md", Instruction: "why " + id + "?", Status: "proposed", CreatedAt: at(asked)}
}

func TestNews(t *testing.T) {
	type step struct {
		s     int
		list  []api.Dispatch
		muted bool
		want  string // title: body; empty = nothing
	}
	running := api.Dispatch{ID: "a", Vault: "v", File: "A.md", Instruction: "why a?", Status: "processing"}
	failed := ended("a", "failed", "A.md", 1)
	failed.Error = "it\nbroke"
	again := ended("a", "done", "A.md", 5)
	again.Error = "old text was over it"
	nothing := ended("a", "done", "A.md", 1)
	nothing.Result = "none"
	group := ended("g", "done", "A.md", 1)
	group.Instruction, group.Instructions, group.Markers = "one?", []string{"one?", "two?", "three?"}, 3
	unfound := group
	unfound.Result, unfound.NoResult = "some", []int{2}
	broken := group
	broken.Status, broken.Error = "failed", "it broke"
	partly := ended("a", "done", "A.md", 1)
	partly.Result = "some"
	for _, test := range []struct {
		name  string
		steps []step
	}{
		{"once for an answer", []step{
			{s: 0, list: []api.Dispatch{running}},
			{s: 2, list: []api.Dispatch{ended("a", "done", "d/A.md", 1)}, want: "Answered in A: why a?"},
			{s: 9, list: []api.Dispatch{ended("a", "done", "d/A.md", 1)}},
		}},
		{"what was there before is no news", []step{
			{s: 0, list: []api.Dispatch{ended("a", "done", "A.md", -9)}},
			{s: 2, list: []api.Dispatch{ended("a", "done", "A.md", -9), ended("b", "failed", "B.md", -5)}},
		}},
		{"one that was never seen at work", []step{
			{s: 0},
			{s: 2, list: []api.Dispatch{ended("a", "done", "A.md", 1)}, want: "Answered in A: why a?"},
		}},
		{"a failure, a retry and a failure again", []step{
			{s: 0, list: []api.Dispatch{running}},
			{s: 2, list: []api.Dispatch{failed}, want: "Not answered in A: it broke"},
			{s: 20, list: []api.Dispatch{ended("a", "failed", "A.md", 19)}, want: "Not answered in A: why a?"},
		}},
		{"an answer that was written again", []step{
			{s: 0, list: []api.Dispatch{ended("a", "done", "A.md", -1)}},
			{s: 9, list: []api.Dispatch{again}, want: "An answer in A: old text was over it"},
		}},
		{"nothing was found", []step{
			{s: 0},
			{s: 2, list: []api.Dispatch{nothing}, want: "No result in A: why a?"},
		}},
		{"some found nothing", []step{
			{s: 0},
			{s: 2, list: []api.Dispatch{ended("b", "done", "B.md", 1), nothing}, want: "1 answered, 1 no result: A, B"},
		}},
		{"one of several questions found nothing", []step{
			{s: 0},
			{s: 2, list: []api.Dispatch{partly}, want: "Partly no result in A: why a?"},
		}},
		{"several groups, one of them in part", []step{
			{s: 0},
			{s: 2, list: []api.Dispatch{ended("b", "done", "B.md", 1), partly}, want: "1 answered, 1 partly no result: A, B"},
		}},
		{"several questions that were asked together", []step{
			{s: 0},
			{s: 2, list: []api.Dispatch{group}, want: "3 answered: A"},
		}},
		{"one of these found nothing", []step{
			{s: 0},
			{s: 2, list: []api.Dispatch{unfound}, want: "2 answered, 1 no result: A"},
		}},
		{"all of them failed for one reason", []step{
			{s: 0},
			{s: 2, list: []api.Dispatch{broken}, want: "Not answered in A: it broke"},
		}},
		{"many in one", []step{
			{s: 0},
			{s: 2, list: []api.Dispatch{ended("c", "failed", "C.md", 1), ended("b", "done", "B.md", 1), ended("a", "done", "A.md", 1)}, want: "2 answered, 1 unanswered: A, B, C"},
		}},
		{"what comes soon after waits", []step{
			{s: 0},
			{s: 2, list: []api.Dispatch{ended("a", "done", "A.md", 1)}, want: "Answered in A: why a?"},
			{s: 4, list: []api.Dispatch{ended("b", "done", "B.md", 3), ended("a", "done", "A.md", 1)}},
			{s: 6, list: []api.Dispatch{ended("c", "done", "C.md", 5), ended("b", "done", "B.md", 3), ended("a", "done", "A.md", 1)}},
			{s: 8, list: []api.Dispatch{ended("c", "done", "C.md", 5), ended("b", "done", "B.md", 3), ended("a", "done", "A.md", 1)}, want: "2 answered: B, C"},
		}},
		{"nothing while muted, nor later of that time", []step{
			{s: 0},
			{s: 2, list: []api.Dispatch{ended("a", "done", "A.md", 1)}, muted: true},
			{s: 9, list: []api.Dispatch{ended("a", "done", "A.md", 1)}},
		}},
		{"what was out of sight meanwhile is no news", []step{
			{s: 0, list: []api.Dispatch{running}},
			{s: 2, list: []api.Dispatch{ended("a", "done", "A.md", 1)}, want: "Answered in A: why a?"},
			{s: 9, list: []api.Dispatch{ended("b", "done", "B.md", 8)}, want: "Answered in B: why b?"},
			{s: 20, list: []api.Dispatch{ended("b", "done", "B.md", 8), ended("a", "done", "A.md", 1)}},
		}},
		{"cancelled is no news", []step{
			{s: 0, list: []api.Dispatch{running}},
			{s: 2, list: []api.Dispatch{ended("a", "cancelled", "A.md", 1)}},
		}},
		{"an answer in no note", []step{
			{s: 0},
			{s: 2, list: []api.Dispatch{ended("a", "done", "", 1)}, want: "Answered: why a?"},
			{s: 9, list: []api.Dispatch{ended("b", "failed", "", 8), ended("a", "done", "", 1)}, want: "Not answered: why b?"},
		}},
		{"an answer to approve, once for each", []step{
			{s: 0, list: []api.Dispatch{running, proposed("old", -5)}},
			{s: 2, list: []api.Dispatch{proposed("a", -5)}, want: "For you to approve in A: why a?"},
			{s: 9, list: []api.Dispatch{proposed("a", -5), proposed("old", -5)}},
			{s: 20, list: []api.Dispatch{proposed("b", 19), proposed("earlier", -9), proposed("a", -5)}, want: "For you to approve in A: why b?"},
		}},
		{"an answer without a place", []step{
			{s: 0, list: []api.Dispatch{running}},
			{s: 2, list: []api.Dispatch{ended("a", "parked", "A.md", 1)}, want: "An answer lost its place in A: why a?"},
		}},
	} {
		var h herald
		for i, s := range test.steps {
			h.takeDispatches(s.list, at(s.s), s.muted)
			b, _ := h.nextBulletin(at(s.s).Add(gather))
			if got := strings.TrimSuffix(b.title+": "+b.body, ": "); got != s.want {
				t.Errorf("%s, step %d: %q, want %q", test.name, i, got, s.want)
			}
		}
	}
}

// What ends after the start is news, though somebody has set the clock since, or this
// computer has slept meanwhile, which is no time that the tray has run.
func TestNewsWhileTheClockIsSet(t *testing.T) {
	const minute, hour = time.Minute, time.Hour
	begun := at(0)
	for _, test := range []struct {
		name          string
		finished, now time.Duration // by the clock on the wall, from what it showed at the start
		ran           time.Duration
		want          bool
	}{
		{"in order", minute, 2 * minute, 2 * minute, false},
		{"the clock was an hour fast", minute - hour, 2*minute - hour, 2 * minute, false},
		{"it was an hour slow", minute + hour, 2*minute + hour, 2 * minute, false},
		{"it ended, and then came the night", minute, 9 * hour, 2 * minute, false},
		{"before the start", -minute, 2 * minute, 2 * minute, true},
		{"before it, when the clock was fast already", -minute, 2*minute - hour, 2 * minute, false}, // told rather than lost
		{"long before it", -2 * hour, 2*minute - hour, 2 * minute, true},
	} {
		if got := predatesRun(begun.Add(test.finished), begun, begun.Add(test.now), test.ran); got != test.want {
			t.Errorf("%s: old is %v", test.name, got)
		}
	}
}

// The first thing of a moment waits a little for others, what comes after a bulletin
// for longer, and then there is a time for it.
func TestNewsIsDue(t *testing.T) {
	var h herald
	h.takeDispatches(nil, at(0), false)
	if h.nextTimer() != nil {
		t.Error("due without anything to tell")
	}
	h.takeDispatches([]api.Dispatch{ended("a", "done", "A.md", 1)}, at(2), false)
	if _, ok := h.nextBulletin(at(2)); ok || !h.nextTime().Equal(at(2).Add(gather)) {
		t.Errorf("the first is due %v", h.nextTime())
	}
	told := at(2).Add(gather)
	if _, ok := h.nextBulletin(told); !ok || !h.nextTime().IsZero() {
		t.Errorf("told: %v, then due %v", ok, h.nextTime())
	}
	h.takeDispatches([]api.Dispatch{ended("b", "done", "B.md", 3), ended("a", "done", "A.md", 1)}, at(3), false)
	if !h.nextTime().Equal(told.Add(quiet)) {
		t.Errorf("the next is due %v", h.nextTime())
	}
}

// A click opens the note where it is about one, and else the dashboard.
func TestNewsOpens(t *testing.T) {
	for _, test := range []struct {
		ends []api.Dispatch
		note bool
	}{
		{[]api.Dispatch{ended("a", "done", "A.md", 1)}, true},
		{[]api.Dispatch{ended("a", "failed", "A.md", 1)}, true},
		{[]api.Dispatch{ended("a", "done", "", 1)}, false},
		{[]api.Dispatch{ended("a", "done", "", 1), ended("b", "done", "", 1)}, false},
		{[]api.Dispatch{ended("a", "parked", "A.md", 1)}, false},
		{[]api.Dispatch{ended("a", "done", "A.md", 1), ended("b", "done", "A.md", 1)}, true},
		{[]api.Dispatch{ended("a", "done", "A.md", 1), ended("b", "done", "B.md", 1)}, false},
		{[]api.Dispatch{ended("a", "done", "A.md", 1), ended("b", "failed", "A.md", 1)}, false},
	} {
		var h herald
		h.takeDispatches(nil, at(0), false)
		h.takeDispatches(test.ends, at(2), false)
		if b, ok := h.nextBulletin(at(2).Add(gather)); !ok || (b.note != nil) != test.note {
			t.Errorf("%v: %+v", test.ends, b)
		}
	}
}

// However many there are and however often a list leaves some out, each is told once,
// and what is remembered of them has a limit.
func TestEachEndIsToldOnce(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	var h herald
	h.takeDispatches(nil, at(0), false)
	var all []api.Dispatch
	told := make(map[string]int)
	for s := range 150 {
		var list []api.Dispatch
		for i := len(all) - 1; i >= max(0, len(all)-mostKnown/8); i-- { // some of what was there
			if r.IntN(2) == 0 {
				list = append(list, all[i])
			}
		}
		for range r.IntN(100) {
			d := ended(fmt.Sprint(len(all)), "done", "A.md", s)
			all, list = append(all, d), append([]api.Dispatch{d}, list...)
		}
		h.takeDispatches(list, at(s), false)
		for _, d := range h.pending {
			told[d.ID]++
		}
		h.pending = nil
		if n := len(h.outcomes) + len(h.earlier); n > 3*mostKnown {
			t.Fatalf("%d are remembered", n)
		}
	}
	for _, d := range all {
		if told[d.ID] != 1 {
			t.Errorf("%s is told %d times", d.ID, told[d.ID])
		}
	}
}

// A note with lines that are not taken up is told of once, with the first of them; mended and
// wrong again it is told of again.
func TestNewsOfWhatIsNotTakenUp(t *testing.T) {
	miss := func(file, reason string, quiet bool) api.Untaken {
		return api.Untaken{Vault: "v", File: file, Line: 1, Text: "> @agent-Miner: x", Reason: reason, Mend: "> @agent-Miner x", Kind: "miss", Quiet: quiet}
	}
	var h herald
	for i, step := range []struct {
		list  []api.Untaken
		muted bool
		want  string
	}{
		{[]api.Untaken{miss("old.md", "a", false)}, false, ""},
		{[]api.Untaken{miss("old.md", "a", false), miss("d/A.md", "a space", false), miss("d/A.md", "another", false)}, false,
			"Not taken up in A: Write > @agent-Miner x – a space"},
		{[]api.Untaken{miss("old.md", "a", false), miss("d/A.md", "a space", false), miss("quiet.md", "code", true)}, false, ""},
		{[]api.Untaken{miss("muted.md", "a", false)}, true, ""},
		{[]api.Untaken{miss("muted.md", "a", false), miss("B.md", "b", false), miss("C.md", "c", false)}, false, "2 not taken up: B, C"},
		{nil, false, ""},
		{[]api.Untaken{miss("d/A.md", "a space", false)}, false, "Not taken up in A: Write > @agent-Miner x – a space"},
	} {
		now := at(100 * i)
		h.takeUntaken(step.list, now, step.muted)
		b, ok := h.nextBulletin(now.Add(quiet + gather))
		got := ""
		if ok {
			got = b.title + ": " + b.body
		}
		if got != step.want {
			t.Errorf("step %d: %q, not %q", i, got, step.want)
		}
	}
}
