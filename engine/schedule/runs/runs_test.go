package runs

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"
	_ "time/tzdata"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/journal/ids"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/schedule"
)

// desk is a Desk over a journal, whose questions are asked as the engine does.
type desk struct {
	*Desk
	journal *journal.Journal
	asked   []string
	trimmed []string
	why     error  // a question is not asked now
	above   string // the line above those that are written
}

func openDesk(t *testing.T, file string, zone *time.Location, questions ...config.Scheduled) *desk {
	t.Helper()
	j, err := journal.On(database.Open(t.Context(), file))
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{journal: j}
	d.Desk = New(Options{Questions: questions, Journal: j, Changed: func() {}, VaultName: func(root string) string { return root }, Zone: zone, Log: slog.New(slog.DiscardHandler),
		Trim: func(_ context.Context, q Question) error {
			d.trimmed = append(d.trimmed, q.Instruction)
			return d.why
		},
		Ask: func(ctx context.Context, q Question, run time.Time) error {
			if d.why != nil {
				return d.why
			}
			record := journal.Dispatch{ID: ids.New(time.Now()), Vault: "v", File: "a.md", Key: q.Instruction, Role: q.Role, Asked: journal.AskedAppend, Trigger: journal.TriggerSchedule,
				Status: journal.Queued, Created: time.Now(), Markers: []journal.Marker{{Instruction: q.Instruction}}}
			_, accepted, err := j.AcceptRun(ctx, record, q.ID, run)
			if accepted {
				d.asked = append(d.asked, run.In(zone).Format("Jan 2 15:04"))
			}
			return err
		}})
	return d
}

// live runs the desk for a time.
func (d *desk) live(t *testing.T, length time.Duration, meanwhile ...func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { d.Run(ctx); close(done) }()
	for _, f := range meanwhile {
		<-time.After(length / time.Duration(len(meanwhile)+1))
		synctest.Wait()
		f()
	}
	<-time.After(length / time.Duration(len(meanwhile)+1))
	synctest.Wait()
	cancel()
	<-done
}

// end ends the last run of each question.
func (d *desk) end(t *testing.T) {
	t.Helper()
	all, err := d.journal.Schedules(t.Context())
	for _, s := range all {
		if s.Dispatch != "" && err == nil {
			err = d.journal.Cancel(t.Context(), s.Dispatch, "over")
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// writeLine has a line of a note come again, and returns the id that it does so by.
func (d *desk) writeLine(t *testing.T, instruction string) string {
	t.Helper()
	text := "> @agent-Miner " + instruction
	line := journal.Dispatch{Vault: "v", File: "a.md", Key: "agent-miner", Role: "Miner", Status: journal.Held, Hold: journal.ForSchedule, Trigger: "watch",
		Markers: []journal.Marker{{Trace: note.Trace{Text: text, Line: 3, Upper: d.above}, Instruction: instruction}}}
	kept, accepted, err := d.journal.Accept(t.Context(), line, map[string]int{text: 1})
	if err != nil || !accepted || kept.Status != journal.Scheduled {
		t.Fatalf("%+v, %v", kept, err)
	}
	return kept.ID
}

// A question comes at its time over both changes of the clock, be it of the configuration or of a note; while one waits there is no
// second, what was missed meanwhile, while the engine was away too, comes once, and a pause makes up for nothing.
// A paused line that is edited is paused still; one that comes to its place much later, or beside it, is not.
func TestAPauseStaysWithItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openDesk(t, filepath.Join(t.TempDir(), "j.db"), time.UTC)
		defer d.journal.Close()
		for _, c := range []struct {
			away  time.Duration
			other bool
			want  bool
		}{{time.Minute, false, true}, {time.Hour, false, false}, {time.Minute, true, false}} {
			id := d.writeLine(t, "every day 8:00 what is open?")
			if s, err := d.Act(t.Context(), id, "pause"); err != nil || !s.Paused {
				t.Fatalf("%+v, %v", s, err)
			}
			if err := d.journal.Cancel(t.Context(), id, "its line has changed"); err != nil {
				t.Fatal(err)
			}
			if list, err := d.List(t.Context()); err != nil || len(list) > 0 {
				t.Fatalf("%+v, %v", list, err)
			}
			<-time.After(c.away)
			d.above = map[bool]string{true: "another line"}[c.other]
			again := d.writeLine(t, "every day 9:00 what is open?")
			d.live(t, time.Second)
			list, err := d.List(t.Context())
			if err != nil || len(list) != 1 || list[0].Paused != c.want {
				t.Errorf("%+v: %+v, %v", c, list, err)
			}
			if err := d.journal.Cancel(t.Context(), again, "over"); err != nil {
				t.Fatal(err)
			}
			d.above = ""
			d.live(t, time.Second)
		}
	})
}

func TestRuns(t *testing.T) {
	for name, inNote := range map[string]bool{"configuration": false, "note": true} {
		t.Run(name, func(t *testing.T) { liveThroughTheYear(t, inNote) })
	}
}

func liveThroughTheYear(t *testing.T, inNote bool) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		begin := time.Date(2000, 3, 24, 12, 0, 0, 0, berlin)
		<-time.After(time.Until(begin))
		file, questions := filepath.Join(t.TempDir(), "j.db"), []config.Scheduled{{Every: "day 2:30", Role: "Miner", Instruction: "what is open?"}}
		id := questions[0].ID()
		if inNote {
			questions = nil
		}
		d := openDesk(t, file, berlin, questions...)
		if inNote {
			id = d.writeLine(t, "every day 2:30 what is open?")
		}
		d.live(t, 3*24*time.Hour, func() { d.end(t) }, func() { d.end(t) })
		if want := []string{"Mar 25 02:30", "Mar 26 03:30", "Mar 27 02:30"}; !slices.Equal(d.asked, want) {
			t.Errorf("asked %q, want %q", d.asked, want)
		}
		d.live(t, 5*24*time.Hour) // the last one waits all the time
		if len(d.asked) != 3 {
			t.Errorf("asked beside one that waits: %q", d.asked)
		}
		d.end(t)
		d.journal.Close()
		<-time.After(10 * 24 * time.Hour) // nobody is there

		d = openDesk(t, file, berlin, questions...)
		defer d.journal.Close()
		d.why = errors.New("the vault is away")
		d.live(t, time.Hour)
		if list, err := d.List(t.Context()); err != nil || len(d.asked) > 0 || list[0].Problem != "the vault is away" {
			t.Errorf("asked %q: %+v, %v", d.asked, list, err)
		}
		d.why = nil
		d.live(t, time.Hour)
		if want := []string{"Apr 11 02:30"}; !slices.Equal(d.asked, want) {
			t.Errorf("after days away %q, want %q", d.asked, want)
		}
		d.end(t)
		if s, err := d.Act(t.Context(), id, "pause"); err != nil || !s.Paused || s.Next != nil {
			t.Errorf("%+v, %v", s, err)
		}
		d.live(t, 48*time.Hour)
		if s, err := d.Act(t.Context(), id, "resume"); err != nil || s.Paused || s.Next.Format("Jan 2 15:04") != "Apr 14 02:30" {
			t.Errorf("%+v, %v", s, err)
		}
		d.live(t, time.Hour)
		if len(d.asked) != 1 {
			t.Errorf("a pause is made up for: %q", d.asked)
		}
		if _, err := d.Act(t.Context(), id, "run"); err != nil || len(d.asked) != 2 {
			t.Errorf("by hand: %q, %v", d.asked, err)
		}
		if _, err := d.Act(t.Context(), id, "run"); err == nil {
			t.Error("a second one is asked beside one that waits")
		}
		if _, err := d.Act(t.Context(), "nobody", "run"); err == nil {
			t.Error("what does not come again is asked")
		}
		d.end(t)
		<-time.After(time.Until(time.Date(2000, 10, 27, 12, 0, 0, 0, berlin)))
		d.asked = nil
		d.live(t, 3*24*time.Hour, func() { d.end(t) }, func() { d.end(t) })
		if want := []string{"Oct 27 02:30", "Oct 28 02:30", "Oct 29 02:30"}; !slices.Equal(d.asked, want) { // the clock shows 2:30 twice on the 29th
			t.Errorf("in autumn %q, want %q", d.asked, want)
		}
		if inNote {
			if err := d.journal.Cancel(t.Context(), id, "its line has changed"); err != nil {
				t.Fatal(err)
			}
			d.end(t)
			if d.live(t, 48*time.Hour); len(d.asked) != 3 {
				t.Errorf("asked without its line: %q", d.asked)
			}
			if list, err := d.List(t.Context()); err != nil || len(list) > 0 {
				t.Errorf("listed without its line: %+v, %v", list, err)
			}
		}
	})
}

// Each run has the answers trimmed once, when it is over; what could not be done is tried again.
func TestRunsAreTrimmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openDesk(t, filepath.Join(t.TempDir(), "j.db"), time.UTC, config.Scheduled{Every: "day 8:00", Role: "Miner", Instruction: "x", Keep: 2},
			config.Scheduled{Every: "day 8:00", Role: "Miner", Instruction: "keeps all"})
		defer d.journal.Close()
		if d.live(t, 24*time.Hour); len(d.asked) != 2 || len(d.trimmed) > 0 {
			t.Errorf("asked %q; trimmed %q while it is at work", d.asked, d.trimmed)
		}
		d.end(t)
		d.why = errors.New("the vault is away")
		d.live(t, 10*time.Minute)
		tries := len(d.trimmed)
		d.why = nil
		d.live(t, time.Hour)
		if tries < 2 || len(d.trimmed) != tries+1 || slices.Contains(d.trimmed, "keeps all") {
			t.Errorf("trimmed %q, %d of them while the vault was away", d.trimmed, tries)
		}
	})
}

// A run that a person wants is made, under a name of its own, also in the second in which its question became known or ran.
func TestRunAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openDesk(t, filepath.Join(t.TempDir(), "j.db"), time.UTC)
		defer d.journal.Close()
		id := d.writeLine(t, "every day 2:30 what is open?")
		names := make(map[string]bool)
		for n := 1; n < 4; n++ {
			if _, err := d.Act(t.Context(), id, "run"); err != nil || len(d.asked) != n {
				t.Fatalf("run %d: %q, %v", n, d.asked, err)
			}
			d.end(t)
			all, err := d.journal.Schedules(t.Context())
			if err != nil || len(all) != 1 {
				t.Fatalf("%+v, %v", all, err)
			}
			if names[schedule.Stamp(all[0].LastRun)] = true; len(names) != n {
				t.Errorf("%d runs have the names %v", n, names)
			}
		}
	})
}

// Of many callers for the same run one is accepted, and none for an earlier one.
func TestRunIsAcceptedOnce(t *testing.T) {
	q := config.Scheduled{Every: "day 8:00", Role: "Miner", Instruction: "x"}
	d := openDesk(t, filepath.Join(t.TempDir(), "j.db"), time.UTC, q)
	defer d.journal.Close()
	now := time.Now()
	if err := d.journal.KeepSchedules(t.Context(), []string{q.ID()}, now); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		for _, run := range []time.Time{now.Add(time.Hour), now.Add(time.Minute)} {
			if err := d.opts.Ask(t.Context(), Question{Scheduled: q, ID: q.ID()}, run); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(d.asked) != 1 {
		t.Errorf("asked %q", d.asked)
	}
	if err := d.journal.KeepSchedules(t.Context(), nil, now); err != nil {
		t.Fatal(err)
	}
	if all, err := d.journal.Schedules(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("what is not configured is remembered: %+v, %v", all, err)
	}
}
