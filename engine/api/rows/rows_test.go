package rows

import (
	"testing"
	"time"

	"vaultdispatcher/engine/api"
)

// A dispatch of an earlier engine, which names its first question only, and one without words have their row.
func TestEachDispatchHasARow(t *testing.T) {
	for _, d := range []api.Dispatch{{ID: "d1", Markers: 2, Instruction: "why?"}, {ID: "why?"}} {
		if all := Of(d, "no such word"); len(all) != 1 || all[0].Text != "why?" || all[0].Line != 0 {
			t.Errorf("%+v: %+v", d, all)
		}
	}
}

// In a group each question has its own result; that of the group says that there is one.
func TestEachQuestionHasItsResult(t *testing.T) {
	d := api.Dispatch{ID: "d", Status: "done", Markers: 2, Instructions: []string{"one", "two"}, Result: "some", NoResult: []int{2}}
	if all := Of(d, ""); all[0].Result != "" || all[1].Result != "none" {
		t.Errorf("%+v", all)
	}
	d.Result, d.NoResult = "none", []int{1, 2}
	if all := Of(d, ""); all[0].Result != "none" || all[1].Result != "none" {
		t.Errorf("%+v", all)
	}
}

// How long an answer took is told of what is answered only, and is never nothing.
func TestTook(t *testing.T) {
	now := time.Now()
	before := now.Add(-time.Minute)
	for _, tt := range []struct {
		d    api.Dispatch
		want time.Duration
	}{
		{api.Dispatch{Status: "done", StartedAt: &before, FinishedAt: &now}, time.Minute},
		{api.Dispatch{Status: "done", StartedAt: &now, FinishedAt: &now}, time.Millisecond},
		{api.Dispatch{Status: "cancelled", StartedAt: &before, FinishedAt: &now}, 0},
		{api.Dispatch{Status: "processing", StartedAt: &now}, 0},
	} {
		if got := Of(tt.d, "")[0].Took(); got != tt.want {
			t.Errorf("%+v took %v, want %v", tt.d, got, tt.want)
		}
	}
}
