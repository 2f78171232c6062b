package vault

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/vault/behind"
	"vaultdispatcher/engine/vault/register"
)

// A look whose context has ended goes no further than the step at which it is, whichever that is. The note has no fault by
// that, and is looked at again.
func TestALookEndsWithItsContext(t *testing.T) {
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for _, c := range []struct {
		name  string
		text  string
		end   string   // the step in which the context ends
		steps []string // that are taken
	}{
		{"not at all", "words\n", "", []string{"restore", "keep", "reapply"}},
		{"before", "words\n", "before", nil},
		{"with the answers that are back", "words\n", "restore", []string{"restore"}},
		{"with what is not taken up", "words\n", "keep", []string{"restore", "keep"}},
		{"with a near miss", "@agent-Miner what?\n", "keep", []string{"restore", "keep"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, end := context.WithCancel(t.Context())
			defer end()
			var steps []string
			told := map[string][]untaken.Row{}
			p := &stepping{step: func(name string) {
				if steps = append(steps, name); name == c.end {
					end()
				}
			}, told: told}
			v := New(Options{Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: p, Dispatcher: p, Writer: p})
			v.makeParts(t.TempDir())
			v.judged = true
			if err := os.WriteFile(filepath.Join(v.Root, "n.md"), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if c.end == "before" {
				end()
			}
			_, err := v.look(ctx, Save{Rel: "n.md", Time: time.Now(), Trigger: "watch"})
			if len(steps) != len(c.steps) || errors.Is(err, context.Canceled) != (c.end != "") {
				t.Errorf("%q after the steps %q, want %q", err, steps, c.steps)
			}
			if n, why := v.Troubles.Any(); n > 0 || len(told["n.md"]) > 0 && c.text == "words\n" {
				t.Errorf("%d notes have a fault (%v); %v is told", n, why, told)
			}
			if again := v.notes.Of("n.md").wake.Rel != ""; again != (c.end != "") {
				t.Errorf("it is looked at again: %v", again)
			}
			steps, c.end = nil, ""
			if _, err := v.look(t.Context(), Save{Rel: "n.md", Time: time.Now(), Trigger: "watch"}); err != nil || len(steps) != 3 {
				t.Errorf("the next look: %v after the steps %q", err, steps)
			}
		})
	}
}

// A look gives way while the disk does not respond: nothing of the vault is held up, nothing is recorded, the note has no fault,
// and it is looked at again, as new as it was.
func TestALookGivesWayToADiskThatHangs(t *testing.T) {
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var steps []string
	p := &stepping{step: func(name string) { steps = append(steps, name) }, told: map[string][]untaken.Row{}}
	v := New(Options{Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: p, Dispatcher: p, Writer: p})
	v.makeParts(t.TempDir())
	v.judged = true
	if err := os.WriteFile(filepath.Join(v.Root, "n.md"), []byte("words\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	v.Condition.SetBegun(time.Now().Add(-time.Minute))
	_, err = v.look(t.Context(), Save{Rel: "n.md", Time: time.Now(), Trigger: "watch", New: true})
	if !behind.IsSilent(err) || len(steps) > 0 || len(p.told) > 0 {
		t.Errorf("the look ended with %v after the steps %q; told: %v", err, steps, p.told)
	}
	if !v.mu.TryLock() {
		t.Fatal("it holds the vault up")
	}
	next := v.notes.Of("n.md").wake
	v.mu.Unlock()
	if n, why := v.Troubles.Any(); n > 0 || !next.New {
		t.Errorf("%d notes have a fault (%v); the next look is %+v", n, why, next)
	}
	v.Condition.SetBegun(time.Time{})
	if _, err := v.look(t.Context(), next); err != nil || len(steps) != 3 {
		t.Errorf("the next look: %v after the steps %q", err, steps)
	}
}

// stepping tells which steps a look takes outside the vault.
type stepping struct {
	quiet
	step func(name string)
	told map[string][]untaken.Row
}

func (s *stepping) Restore(_ context.Context, _ []byte, claims []journal.Claim) ([]journal.Claim, error) {
	s.step("restore")
	return claims, nil
}

func (s *stepping) KeepUntaken(_, rel string, rows []untaken.Row, _ time.Time) time.Time {
	s.step("keep")
	s.told[rel] = rows
	return time.Time{}
}

func (s *stepping) Reapply(_ context.Context, _, _ string, _ []byte, free []note.Marker, _ func() string) ([]note.Marker, bool, error) {
	s.step("reapply")
	return free, false, nil
}

// A note that somebody has moved to a folder that is trusted is new until a look at it has come to its end: its questions
// wait for a person, also where the first look has failed.
func TestNewUntilALookHasEnded(t *testing.T) {
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	src := []byte("> @agent-Miner what?\n")
	for _, failing := range []bool{false, true} {
		p := &starting{fail: failing}
		v := New(Options{Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: p, Dispatcher: quiet{}, Writer: p})
		v.makeParts(t.TempDir())
		v.judged = true
		bring(t, v, "clips/n.md", time.Now(), src)
		if err := os.WriteFile(filepath.Join(v.Root, "n.md"), src, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := v.look(t.Context(), Save{Rel: "n.md", Time: time.Now(), Trigger: "watch", New: true, Urgent: true})
		if (err != nil) != failing {
			t.Fatalf("failing %v: %v", failing, err)
		}
		if p.fail = false; failing {
			if _, err := v.look(t.Context(), Save{Rel: "n.md", Time: time.Now(), Trigger: "watch", Urgent: true}); err != nil {
				t.Fatal(err)
			}
		}
		if len(p.groups) != 1 || p.groups[0].Hold != journal.ForUntrusted {
			t.Errorf("failing %v: the groups are %+v", failing, p.groups)
		}
	}
}

// starting keeps the groups that start.
type starting struct {
	quiet
	fail   bool // before the note is judged
	refuse bool // to start what is found
	groups []Admitted
}

func (s *starting) Restore(_ context.Context, _ []byte, claims []journal.Claim) ([]journal.Claim, error) {
	if s.fail {
		return nil, errors.New("the disk is full")
	}
	return claims, nil
}

func (s *starting) StartGroups(_ context.Context, _ *Vault, found Settled) ([]journal.Dispatch, error) {
	if s.refuse {
		return nil, errors.New("the engine is killed")
	}
	s.groups = append(s.groups, found.Groups...)
	return nil, nil
}

// What a note says that is not taken up is told of when its questions start, however the time falls: what is found to have
// settled had settled when the rows were kept, because an answer may take them away.
func TestRowsAreKeptNoEarlierThanQuestionsSettle(t *testing.T) {
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "n.md"), []byte("> @agent-Miner what?\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		p := &keepingLong{}
		v := New(Options{Config: config.Config{Settle: time.Second}, Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: p, Dispatcher: quiet{}, Writer: p})
		v.makeParts(dir)
		v.judged = true
		seen := time.Now()
		time.Sleep(time.Second - time.Millisecond) // the question settles while the rows are kept
		if _, err := v.look(t.Context(), Save{Rel: "n.md", Time: seen, Trigger: "watch"}); err != nil {
			t.Fatal(err)
		}
		if len(p.groups) > 0 {
			t.Errorf("it starts %v after the rows were kept, as it had not settled yet", time.Since(p.kept))
		}
		if at := v.notes.Of("n.md").wake; at.Rel == "" {
			t.Error("the note is not looked at again")
		}
	})
}

// keepingLong takes its time to keep rows.
type keepingLong struct {
	starting
	kept time.Time
}

func (k *keepingLong) KeepUntaken(string, string, []untaken.Row, time.Time) time.Time {
	k.kept = time.Now()
	time.Sleep(time.Minute)
	return time.Time{}
}

// When Run returns the vault has ended: only then does the engine close its index.
func TestRunReturnsWhenAllHasEnded(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for i := range 10_000 {
		v := New(Options{Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: quiet{}, Writer: recovering{then: func() error { return ended.Err() }}})
		if err := v.Run(ended); err != nil || !v.HasEnded() {
			t.Fatalf("run %d: %v, and it has ended: %t", i, err, v.HasEnded())
		}
	}
}
