package report

import (
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
)

// One dispatch says how far it is, as its row in the list does.
func TestDetailTellsProgress(t *testing.T) {
	var b strings.Builder
	d := api.Detail{Dispatch: api.Dispatch{ID: "d1", Status: "done", Progress: "not read aloud: no voice"}}
	PrintDetail(&b, d, false)
	if !strings.Contains(b.String(), "\nnot read aloud: no voice\n") {
		t.Errorf("printed is\n%s", b.String())
	}
}

// What the agent was sent is long, and is printed where it is asked for.
func TestDetailTellsTheTask(t *testing.T) {
	d := api.Detail{Dispatch: api.Dispatch{ID: "d1", Status: "done"}, Task: "Answer this.\nAnd that.\n"}
	for withTask, want := range map[bool]string{false: "\ntask: 2 lines; with --task it is here\n", true: "\ntask:\nAnswer this.\nAnd that.\n"} {
		var b strings.Builder
		if PrintDetail(&b, d, withTask); !strings.Contains(b.String(), want) || !withTask && strings.Contains(b.String(), "Answer") {
			t.Errorf("with its task %v, printed is\n%s", withTask, b.String())
		}
	}
}

// Each question has a row that begins with its words; the columns are aligned, also where a line below a row says why it is
// not done. A search shows those of a group that have its words.
func TestListHasARowForEachQuestion(t *testing.T) {
	begun := time.Now().Add(-time.Hour)
	ended := begun.Add(75 * time.Second)
	list := []api.Dispatch{
		{ID: "d1", Status: "failed", File: "A.md", Key: "agent-Miner", Instruction: "who came?", Error: "it broke"},
		{ID: "d2", Status: "done", Result: "none", File: "A longer name.md", Role: "Miner", Key: "agent-Miner:T1", Markers: 2, Instruction: "how was the trip?",
			Instructions: []string{"how was the trip?", "when is the launch?"}, StartedAt: &begun, FinishedAt: &ended},
	}
	var b strings.Builder
	PrintDispatches(&b, list, "")
	lines := strings.Split(b.String(), "\n")
	if len(lines) != 5 || !strings.HasPrefix(lines[0], "who came?  ") || lines[1] != "  it broke" || !strings.HasPrefix(lines[2], "how was the trip?  ") ||
		strings.Index(lines[0], "Miner") != strings.Index(lines[3], "Miner:T1") || !strings.Contains(lines[3], "  no result   1m ") || !strings.HasSuffix(lines[3], " d2") {
		t.Errorf("printed is\n%s", b.String())
	}
	b.Reset()
	if PrintDispatches(&b, list[1:], "LAUNCH miner"); strings.Contains(b.String(), "trip") || !strings.Contains(b.String(), "launch") {
		t.Errorf("of a search printed is\n%s", b.String())
	}
}

// The columns are aligned where a question has characters of two cells, or of none.
func TestColumnsOfWideCharacters(t *testing.T) {
	questions := []string{"who came?", "备份在哪里？", "☕️ と 👩‍🚀 はどこ?", "cafe\u0301 où ?", "ｶﾀｶﾅ 한국어"}
	cells := []int{9, 12, 16, 9, 11}
	var list []api.Dispatch
	for _, text := range questions {
		list = append(list, api.Dispatch{ID: "d", Status: "done", File: "N.md", Key: "agent-Miner", Instruction: text})
	}
	var b strings.Builder
	PrintDispatches(&b, list, "")
	for i, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		before, _, _ := strings.Cut(line, "Miner  ")
		if spaces := strings.TrimPrefix(before, questions[i]); len(spaces) != 18-cells[i] || strings.Trim(spaces, " ") != "" {
			t.Errorf("%q and %d spaces, want %d, in\n%s", questions[i], len(spaces), 18-cells[i], b.String())
		}
	}
}
