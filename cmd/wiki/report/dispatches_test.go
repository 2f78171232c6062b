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
