package report

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
)

// One dispatch says how far it is, as its row in the list does.
func TestDetailTellsProgress(t *testing.T) {
	var b strings.Builder
	d := api.Detail{Dispatch: api.Dispatch{ID: "d1", Status: "done", Progress: "not read aloud: no voice"}}
	PrintDetail(&b, d)
	if !strings.Contains(b.String(), "\nnot read aloud: no voice\n") {
		t.Errorf("printed is\n%s", b.String())
	}
}

// The columns of a list are aligned, also where a line below a row says why it is not done.
func TestListIsAligned(t *testing.T) {
	var b strings.Builder
	PrintDispatches(&b, []api.Dispatch{
		{ID: "d1", Status: "failed", File: "A.md", Key: "agent-Miner", Error: "it broke"},
		{ID: "d2", Status: "done", Result: "none", File: "A longer name.md", Key: "agent-Miner"},
	})
	lines := strings.Split(b.String(), "\n")
	if len(lines) != 4 || strings.Index(lines[0], "agent-Miner") != strings.Index(lines[2], "agent-Miner") || lines[1] != "    it broke" || !strings.Contains(lines[2], "  no result  ") {
		t.Errorf("printed is\n%s", b.String())
	}
}
