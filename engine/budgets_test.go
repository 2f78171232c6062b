package engine

import (
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	_ "time/tzdata"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/ids"
	"vaultdispatcher/engine/roles"
)

// idle is a listener that nobody calls.
type idle struct{ net.Listener }

func (idle) Addr() net.Addr { return &net.TCPAddr{} }

// A budget that is used up holds what comes until midnight of the zone, in the night in which a clock skips an hour and in one
// that has an hour twice; the next engine knows what was used, and a person goes beyond it.
func TestBudgetEndsAtMidnight(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for day, midnight := range map[string]string{"2000-03-26T00:30:00+01:00": "2000-03-27T00:00:00+02:00", "2000-10-29T01:30:00+02:00": "2000-10-30T00:00:00+01:00"} {
		synctest.Test(t, func(t *testing.T) {
			begin, _ := time.Parse(time.RFC3339, day)
			<-time.After(time.Until(begin))
			state := t.TempDir()
			open := func() *Engine {
				cfg := config.Default()
				cfg.Agents["Editor"] = config.Agent{Runner: "command", Command: []string{"x"}, Price: config.Price{Input: 1e6}, Limits: config.Budget{DollarsPerDay: 10}}
				e, err := New(t.Context(), Options{Config: cfg, State: state, Listener: idle{}, Log: slog.New(slog.DiscardHandler),
					Cache: func(string) (string, error) { return filepath.Join(state, "cache"), nil }})
				if err != nil {
					t.Fatal(err)
				}
				return e
			}
			ask := func(e *Engine) journal.Dispatch {
				d := journal.Dispatch{ID: ids.New(time.Now()), Vault: state, Role: "Editor", Key: "Editor", Status: journal.Queued, Created: time.Now(), Markers: []journal.Marker{{Instruction: "x"}}}
				d.File = d.ID + ".md"
				e.starts.Take(&d, time.Now().In(berlin))
				d, _, err := e.journal.Accept(t.Context(), d, map[string]int{"": 1})
				if err != nil {
					t.Fatal(err)
				}
				<-time.After(time.Second)
				return d
			}
			e := open()
			first := ask(e)
			if told := e.starts.CountUsage(t.Context(), first, agent.Usage{Input: 8}, 0, 0); told.Cost != 8 {
				t.Errorf("eight tokens cost %v", told.Cost)
			}
			if second := ask(e); second.Status != journal.Queued || !strings.Contains(textsOf(e.Backend().Notices()), "80 % of today's budget is used: $8.00 of $10.00 (wiki.agents.Editor.limits.dollarsPerDay)") {
				t.Errorf("at 80 %%: %v, %s", second.Status, textsOf(e.Backend().Notices()))
			}
			e.starts.CountUsage(t.Context(), first, agent.Usage{Input: 3}, 0, 0)
			e.Close()
			e = open() // what was used is known
			defer e.Close()
			third := ask(e)
			if got := third.NextAttempt.In(berlin).Format(time.RFC3339); third.Hold != journal.ForBudget || got != midnight || !strings.HasPrefix(third.Error, "today's budget is used up: $11.00 of") {
				t.Errorf("it waits until %s for %s: %s", got, third.Hold, third.Error)
			}
			forced := ask(e)
			if err := e.starts.ByHand(t.Context(), forced, func() error { return e.dispatcher.Release(t.Context(), forced.ID, "by hand") }); err != nil || e.starts.HoldsBack(t.Context(), forced) {
				t.Errorf("a person's release is stopped: %v", err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			releaser := roles.NewReleaser(roles.ReleaserOptions{List: e.journal.HeldUntil, Failed: func(err error) { t.Error(err) },
				Release: func(ctx context.Context, d journal.Timed) error {
					return e.dispatcher.Release(ctx, d.ID, "its hour has come")
				}})
			go func() { releaser.Run(ctx); close(done) }()
			check := func(want journal.Status) {
				t.Helper()
				synctest.Wait()
				if d, err := e.journal.Get(t.Context(), third.ID); err != nil || d.Status != want {
					t.Errorf("at %v it is %s, want %s, %v", time.Now().In(berlin), d.Status, want, err)
				}
			}
			end, _ := time.Parse(time.RFC3339, midnight)
			<-time.After(time.Until(end) - time.Second)
			check(journal.Held)
			<-time.After(2 * time.Second)
			check(journal.Queued)
			if d := ask(e); d.Status != journal.Queued {
				t.Errorf("the new day begins with %s", d.Error)
			}
			cancel()
			<-done
		})
	}
}

// A question that takes much of a budget is told of before it is asked.
func TestLargeQuestionIsTold(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Agents["Editor"] = config.Agent{Runner: "command", Command: []string{"x"}, Price: config.Price{Input: 3}, Limits: config.Budget{TokensPerDay: 1000}}
	state := t.TempDir()
	e, err := New(t.Context(), Options{Config: cfg, State: state, Listener: idle{}, Log: slog.New(slog.DiscardHandler), Cache: func(string) (string, error) { return state, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	d := journal.Dispatch{ID: "d", Role: "Editor", File: "a.md"}
	for length, want := range map[int]bool{396: false, 400: true} {
		end := e.starts.tellLarge(d, strings.Repeat("x", length))
		if told := strings.Contains(textsOf(e.Backend().Notices()), "Editor reads about 100 tokens"); told != want {
			t.Errorf("%d bytes: %s", length, textsOf(e.Backend().Notices()))
		}
		end()
		if len(e.notices.List([]api.Notice{})) > 0 {
			t.Error("the notice stays")
		}
	}
}
