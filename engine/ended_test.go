package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
)

// What has just ended is shown, however many dispatches are newer: who follows the
// status hears of each end.
func TestAnEndIsShown(t *testing.T) {
	t.Parallel()
	const (
		recent = 50 // so many ended ones a status shows
		groups = recent + 5
	)
	r := startEngine(t, t.TempDir(), &echoes{}, func(c *config.Config) { c.Limits.PerNote = groups - 1 })
	var text strings.Builder
	for i := range groups {
		fmt.Fprintf(&text, "> @agent-Miner:%d what?\n\n", i)
	}
	r.save("many.md", text.String())
	var held []journal.Dispatch // so many in one note wait for a person
	for len(held) < groups {
		r.pause()
		var err error
		if held, err = r.journal.List(t.Context(), journal.Filter{Status: journal.Held, Limit: groups}); err != nil {
			t.Fatal(err)
		}
	}
	oldest := held[groups-1].ID
	shown := func() int {
		s, err := r.Status(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		return slices.IndexFunc(s.Dispatches, func(d api.Dispatch) bool { return d.ID == oldest && d.Status == "cancelled" })
	}
	if at := shown(); at >= 0 {
		t.Fatalf("it is shown as cancelled before, at %d", at)
	}
	if _, err := r.Cancel(t.Context(), oldest); err != nil {
		t.Fatal(err)
	}
	if at := shown(); at != recent {
		t.Errorf("it is shown at %d", at)
	}
}
