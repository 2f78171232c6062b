package engine

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
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
			if len(known) == 1 && known[0].LastRun.Equal(run) {
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

// A run whose note is not there says which one it misses; the schedule stays, and runs when the note is there.
func TestScheduleWithoutItsNote(t *testing.T) {
	t.Parallel()
	q := config.Scheduled{Every: "month 8:00", Role: "Miner", Note: "Log.md", Instruction: "what is new?"}
	r := startMet(t, t.TempDir(), &echoes{}, func(c *config.Config) { c.Schedule = []config.Scheduled{q} })
	_, err := r.ActOnSchedule(t.Context(), q.ID(), "run")
	if conflict, ok := errors.AsType[*api.Conflict](err); !ok || !strings.Contains(conflict.Reason, "The note Log.md is not in the vault") {
		t.Fatalf("without its note: %v", err)
	}
	r.save("Log.md", "words\n")
	if _, err := r.ActOnSchedule(t.Context(), q.ID(), "run"); err != nil {
		t.Fatal(err)
	}
	r.until("Log.md", "/agent-response")
}

// Of the answers of a question that comes again the newest stay that it keeps, and each that a person has edited; the rest of the
// note is as it was.
func TestScheduleKeeps(t *testing.T) {
	t.Parallel()
	q := config.Scheduled{Every: "month 8:00", Role: "Miner", Note: "Log.md", Instruction: "what is new?", Keep: 1}
	r := startMet(t, t.TempDir(), &echoes{}, func(c *config.Config) { c.Schedule = []config.Scheduled{q} })
	r.save("Log.md", "# Log\n\nwords\n")
	r.save("Open.md", "> @agent-Miner every month 8:00 keep 2: what is open?\r\n\r\nwords\r\n")
	for r.count(journal.Scheduled) != 1 {
		r.pause()
	}
	list, err := r.Schedule(t.Context())
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	run := func(id string, done, cancelled int) {
		t.Helper()
		if _, err := r.ActOnSchedule(t.Context(), id, "run"); err != nil {
			t.Fatal(err)
		}
		for r.count(journal.Done) != done || r.count(journal.Cancelled) != cancelled {
			r.pause()
		}
	}
	run(q.ID(), 1, 0)
	first := r.until("Log.md", "/agent-response")
	run(q.ID(), 1, 1)
	if got := r.until("Log.md", "/agent-response"); strings.Count(got, "what is new?") != strings.Count(first, "what is new?") || got == first || !strings.HasPrefix(got, "# Log\n\nwords\n") {
		t.Errorf("after the second run %q, after the first %q", got, first)
	}

	id := list[slices.IndexFunc(list, func(s api.Scheduled) bool { return s.InNote })].ID
	run(id, 2, 1)
	run(id, 3, 1)
	const end = "<!-- /agent-response -->\r\n"
	text := r.until("Open.md", end)
	at := strings.LastIndex(text, end)
	r.save("Open.md", text[:at]+"mine\r\n"+text[at:])
	run(id, 4, 1)
	run(id, 4, 2)
	r.rest()
	if got := r.until("Open.md", "mine\r\n"+end); strings.Count(got, end) != 3 || !strings.HasPrefix(got, "> @agent-Miner every month 8:00 keep 2: what is open?\r\n<!--") || !strings.HasSuffix(got, end+"\r\nwords\r\n") {
		t.Errorf("after four runs %q", got)
	}

	text = r.until("Open.md", end) // one that is moved is a person's, and none of those that are kept
	at = strings.Index(text, end) + len(end)
	begin := strings.Index(text, "<!--")
	moved := text[begin:at]
	r.save("Open.md", text[:begin]+text[at:]+"\r\nmore\r\n\r\n"+moved)
	run(id, 5, 2)
	run(id, 5, 3)
	r.rest()
	if got := r.until("Open.md", "more\r\n\r\n"+moved); strings.Count(got, end) != 4 {
		t.Errorf("after six runs %q", got)
	}
}
