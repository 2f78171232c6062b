package report

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/rows"
)

// The queue's line and the list have one word for what has no result, also of one question in a group.
func TestNoResultIsNotDone(t *testing.T) {
	list := []api.Dispatch{{ID: "d1", Status: "done", Markers: 3, Instructions: []string{"who came?", "who left?", "who sang?"}, Result: "some", NoResult: []int{2}},
		{ID: "d2", Status: "done", Markers: 1, Instruction: "who slept?", Result: "none", NoResult: []int{1}}}
	status := api.Status{Queue: api.Queue{Done: 2, Scheduled: 1}, Questions: []api.QuestionCount{{Status: "done", Count: 4, NoResult: 2}}}
	if got := QueueLine(rows.CountAll(status), 1); got != "2 done, 2 no result, 1 on a schedule" {
		t.Errorf("%q", got)
	}
	status.Questions[0].More = true
	if got := QueueLine(rows.CountAll(status), 0); got != "2+ done, 2+ no result" {
		t.Errorf("%q", got)
	}
	status.Questions = nil
	if got := QueueLine(rows.CountAll(status), 0); got != "2 done" {
		t.Errorf("of an earlier engine: %q", got)
	}
	for status, want := range map[string]string{"done": "who came? who sang?", "no result": "who left? who slept?"} {
		var b strings.Builder
		PrintDispatches(&b, list, api.Filter{Status: status})
		var got []string
		for line := range strings.Lines(b.String()) {
			question, _, _ := strings.Cut(line, "  ")
			got = append(got, question)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s:\n%s", status, b.String())
		}
	}
	if got := QueueLine([]rows.Count{{Word: "done", N: 1000, More: true}}, 0); got != "1000+ done" {
		t.Errorf("%q", got)
	}
	if got := QueueLine(nil, 0); got != "empty" {
		t.Errorf("%q", got)
	}
}
