package vault

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/vault/register"
)

// A look whose context has ended goes no further than the step at which it is, whichever that is. The note has no fault by
// that, and is looked at again.
func TestALookEndsWithItsContext(t *testing.T) {
	j, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
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
			v.met = true
			if err := os.WriteFile(filepath.Join(v.Root, "n.md"), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if c.end == "before" {
				end()
			}
			_, err := v.look(ctx, Save{Rel: "n.md", Seen: time.Now(), Trigger: "watch"})
			if len(steps) != len(c.steps) || errors.Is(err, context.Canceled) != (c.end != "") {
				t.Errorf("%q after the steps %q, want %q", err, steps, c.steps)
			}
			if n, why := v.Unfinished(); n > 0 || len(told["n.md"]) > 0 && c.text == "words\n" {
				t.Errorf("%d notes have a fault (%v); %v is told", n, why, told)
			}
			if _, again := v.wanted["n.md"]; again != (c.end != "") {
				t.Errorf("it is looked at again: %v", again)
			}
			steps, c.end = nil, ""
			if _, err := v.look(t.Context(), Save{Rel: "n.md", Seen: time.Now(), Trigger: "watch"}); err != nil || len(steps) != 3 {
				t.Errorf("the next look: %v after the steps %q", err, steps)
			}
		})
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

// A look that takes longer than its budget gives way, so that other notes are looked at, and has more time the next time: a
// slow disk keeps no note from being looked at for good.
func TestALookGivesWay(t *testing.T) {
	j, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var budgets []time.Duration
	slow := true
	p := &patient{restore: func(ctx context.Context) {
		if at, ok := ctx.Deadline(); ok {
			budgets = append(budgets, time.Until(at).Round(time.Minute))
		}
		if slow {
			<-ctx.Done()
		}
	}}
	v := New(Options{Journal: j, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: quiet{}, Dispatcher: quiet{}, Writer: p})
	v.makeParts(t.TempDir())
	v.met = true
	if err := os.WriteFile(filepath.Join(v.Root, "n.md"), []byte("words\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := Save{Rel: "n.md", Seen: time.Now(), Trigger: "watch"}
	v.budget = time.Millisecond
	for range 2 * mostPatience {
		if _, err := v.look(t.Context(), s); err == nil || t.Context().Err() != nil {
			t.Fatalf("the look has come to its end: %v", err)
		}
		if _, again := v.wanted["n.md"]; !again {
			t.Fatal("the note is not looked at again")
		}
		v.forgetWake("n.md")
	}
	if n, why := v.Unfinished(); n > 0 {
		t.Errorf("%d notes have a fault: %v", n, why)
	}
	v.budget, budgets = time.Hour, nil
	for slow = false; len(budgets) < 2; {
		if _, err := v.look(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if want := []time.Duration{1 << mostPatience * time.Hour, time.Hour}; !slices.Equal(budgets, want) {
		t.Errorf("the budgets are %v, want %v", budgets, want)
	}
}

// patient is a writer that says when it is asked.
type patient struct {
	quiet
	restore func(ctx context.Context)
}

func (p *patient) Restore(ctx context.Context, _ []byte, claims []journal.Claim) ([]journal.Claim, error) {
	p.restore(ctx)
	return claims, ctx.Err()
}
