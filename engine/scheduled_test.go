package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/schedule/runs"
)

// Of two engines that have the same run one asks: the other one finds the question in the note, whatever its lines end with and
// though an answer was typed into.
func TestRunIsAskedByOneEngine(t *testing.T) {
	t.Parallel()
	q := config.Scheduled{Every: "month 8:00", Role: "Miner", Note: "Open.md", Instruction: "what is open?\nall of it\n"}
	scheduled := func(c *config.Config) { c.Schedule = []config.Scheduled{q} }
	first := startMet(t, t.TempDir(), &echoes{}, scheduled)
	first.save("Open.md", "# Open\r\n\r\nwords\r\n")
	second := startEngine(t, t.TempDir(), &echoes{}, scheduled, func(c *config.Config) { c.Vaults[0].Path = first.vault })
	run := time.Now().Add(time.Hour).Truncate(time.Minute)
	ask := func(r *running) []journal.Schedule {
		t.Helper()
		for { // until the engine knows its schedule
			if err := r.AskRun(t.Context(), runs.Question{Scheduled: q, ID: q.ID()}, run); err != nil {
				t.Fatal(err)
			}
			known, err := r.journal.Schedules(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(known) == 1 && known[0].Last.Equal(run) {
				return known
			}
			r.pause()
		}
	}
	asked := ask(first)
	first.until("Open.md", "/agent-response")
	if d, err := first.journal.Get(t.Context(), asked[0].Dispatch); err != nil || d.TaskID != run.Format("2006-01-02-1504") || d.Trigger != journal.TriggerSchedule {
		t.Errorf("%+v, %v", d, err)
	}
	first.stop()
	file := filepath.Join(first.vault, "Open.md")
	answered, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(answered), "# Open\r\n\r\nwords\r\n") || strings.Count(string(answered), "> all of it (") != 1 {
		t.Errorf("%q, %v", answered, err)
	}
	if asked := ask(second); asked[0].Dispatch != "" || second.waiting() > 0 {
		t.Errorf("the second engine asks too: %+v", asked)
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != string(answered) {
		t.Errorf("%q, %v", now, err)
	}
	second.stop()
}
