package vault

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/vault/register"
)

// What a person asks for is owed until a look has come to its end, whatever ended the first one and whichever comes next. It
// is owed once: what is written later settles.
func TestAScanIsOwedUntilALookHasEnded(t *testing.T) {
	save := Save{Rel: "n.md", Time: time.Now(), Trigger: "watch"}
	for ended, set := range map[string]func(v *Vault, p *owing, on bool){
		"an error":               func(_ *Vault, p *owing, on bool) { p.fail = on },
		"a start that fails":     func(_ *Vault, p *owing, on bool) { p.full = on },
		"its caller, who leaves": func(_ *Vault, p *owing, on bool) { p.left = on },
		"a vault not met":        func(v *Vault, _ *owing, on bool) { v.judged = !on },
		"a disk that is silent": func(v *Vault, _ *owing, on bool) {
			if v.Condition.SetBegun(time.Time{}); on {
				v.Condition.SetBegun(time.Now().Add(-time.Minute))
			}
		},
	} {
		for next, between := range map[string]func(v *Vault){
			"a save":                    func(*Vault) {},
			"two saves":                 func(v *Vault) { v.lookQuietly(t.Context(), save) },
			"news of another note":      func(v *Vault) { followed{v}.LookAt("n.md", time.Now().Add(time.Hour)) },
			"news of the one it copies": func(v *Vault) { v.notes.lookAgain("n.md", time.Now()) },
		} {
			t.Run(ended+", then "+next, func(t *testing.T) {
				ctx, leave := context.WithCancel(t.Context())
				defer leave()
				p := &owing{leave: leave}
				v := New(Options{Config: config.Config{Settle: time.Hour}, Journal: openJournal(t), Register: new(register.Register), Log: slog.New(slog.DiscardHandler)},
					Port{Engine: p, Dispatcher: quiet{}, Writer: p})
				v.makeParts(t.TempDir())
				v.judged = true
				file := filepath.Join(v.Root, "n.md")
				first, second := "> @agent-Miner what?\n", "> @agent-Miner what else?\n"
				if err := os.WriteFile(file, []byte(first), 0o600); err != nil {
					t.Fatal(err)
				}
				set(v, p, true)
				_, _ = v.look(ctx, Save{Rel: "n.md", Time: time.Now(), Trigger: "scan", Urgent: true})
				if len(p.groups) > 0 {
					t.Fatalf("it starts all the same: %+v", p.groups)
				}
				between(v)
				set(v, p, false)
				if _, err := v.look(t.Context(), save); err != nil {
					t.Fatal(err)
				}
				if len(p.groups) != 1 || p.trigger != "scan" {
					t.Fatalf("the scan is lost: %+v start by %q", p.groups, p.trigger)
				}
				if err := os.WriteFile(file, []byte(second), 0o600); err != nil {
					t.Fatal(err)
				}
				if _, err := v.look(t.Context(), save); err != nil {
					t.Fatal(err)
				}
				if len(p.groups) > 1 {
					t.Errorf("it is owed still: %+v", p.groups[1:])
				}
			})
		}
	}
}

// A look at a note of a vault that was not met yet waits for that, and for no clock.
func TestALookWaitsUntilTheVaultIsMet(t *testing.T) {
	p := &starting{}
	v := New(Options{Journal: openJournal(t), Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: p, Dispatcher: quiet{}, Writer: p})
	v.makeParts(t.TempDir())
	if err := os.WriteFile(filepath.Join(v.Root, "n.md"), []byte("> @agent-Miner what?\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := v.look(t.Context(), Save{Rel: "n.md", Time: time.Now(), Trigger: "watch"}); err != nil {
		t.Fatal(err)
	}
	if rel, at, waits := v.notes.wakes.Next(); waits {
		t.Errorf("%s is looked at again in %v, though nothing can have changed", rel, time.Until(at))
	}
	if err := v.first.judgeOldMarkers(t.Context(), []string{"n.md"}, nil); err != nil {
		t.Fatal(err)
	}
	if rel, isDue := v.notes.wakes.Take(time.Now()); !isDue || v.notes.takeWake(rel).Trigger != "watch" {
		t.Errorf("the vault was met, and %q is due: %v", rel, isDue)
	}
}

// owing has a look end early, and every note looked at again in an hour.
type owing struct {
	starting
	full, left bool
	leave      func()
	trigger    string
}

func (o *owing) KeepUntaken(string, string, []untaken.Row, time.Time) time.Time {
	if o.left {
		o.leave()
	}
	return time.Now().Add(time.Hour)
}

func (o *owing) StartGroups(ctx context.Context, v *Vault, found Settled) ([]journal.Dispatch, error) {
	if o.full {
		return nil, errors.New("the disk is full")
	}
	o.trigger = found.Trigger
	return o.starting.StartGroups(ctx, v, found)
}
