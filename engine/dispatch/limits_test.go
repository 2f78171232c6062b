package dispatch_test

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
)

// limited answers from a time on; before it says so.
func limited(until time.Time) agentFunc {
	return func(ctx context.Context, task agent.Task, n int) (string, error) {
		if time.Now().Before(until) {
			return "", agent.Fail(&agent.RateLimited{Program: "fake", Expiry: until})
		}
		return echo(ctx, task, n)
	}
}

func TestLimit(t *testing.T) {
	bubble(t, "everybody of the role waits and goes on", func(t *testing.T) {
		until := time.Now().Add(5 * time.Hour)
		w := newWorld(t, dispatch.Options{Concurrency: 1}, limited(until))
		defer w.close()
		first, second := w.submit("one"), w.submit("two")
		wait(time.Second)
		third := w.submit("three")
		wait(time.Second)
		for _, id := range []string{first.ID, second.ID, third.ID} {
			w.want(id, journal.Queued, 0, "fake is at its limit until")
			if d := w.get(id); !d.NextAttempt.Equal(until.Truncate(time.Millisecond)) || d.Starts != 0 {
				t.Errorf("next attempt %v after %d starts, want %v", d.NextAttempt, d.Starts, until)
			}
		}
		if n := w.runs(); n != 1 {
			t.Errorf("the agent was asked %d times", n)
		}
		if l := w.d.Limits(); len(l) != 1 || l[0].Role != "miner" {
			t.Errorf("limits %+v", l)
		}
		wait(time.Until(until.Add(-time.Minute)))
		w.want(first.ID, journal.Queued, 0, "")
		wait(2 * time.Minute)
		for _, id := range []string{first.ID, second.ID, third.ID} {
			w.want(id, journal.Done, 0, "")
		}
		if l, err := w.journal.Limits(t.Context()); err != nil || len(l)+len(w.d.Limits()) != 0 {
			t.Errorf("limits after their end: %+v, %v", l, err)
		}
	})
	bubble(t, "ten limits in a row fail nothing", func(t *testing.T) {
		until := time.Now().Add(2 * 24 * time.Hour)
		w := newWorld(t, dispatch.Options{}, func(ctx context.Context, task agent.Task, n int) (string, error) {
			if time.Now().Before(until) {
				return "", agent.Fail(&agent.RateLimited{Program: "fake", Expiry: time.Now().Add(3 * time.Hour)})
			}
			return echo(ctx, task, n)
		})
		defer w.close()
		d := w.submit("one")
		wait(2*24*time.Hour - 2*time.Hour)
		w.want(d.ID, journal.Queued, 0, "at its limit")
		if n := w.runs(); n < 12 {
			t.Errorf("asked %d times", n)
		}
		wait(8 * time.Hour)
		w.want(d.ID, journal.Done, 0, "")
	})
	bubble(t, "an unknown end is an ordinary failure", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, func(context.Context, agent.Task, int) (string, error) {
			return "", agent.Fail(&agent.RateLimited{Program: "fake"})
		})
		defer w.close()
		d := w.submit("one")
		wait(time.Minute)
		w.want(d.ID, journal.Failed, 3, "rate limit")
	})
	bubble(t, "who is not logged in fails at once", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, func(ctx context.Context, task agent.Task, n int) (string, error) {
			if n == 1 {
				return "", agent.Fail(&agent.NotLoggedIn{Program: "fake", Remedy: "run fake and log in"})
			}
			return echo(ctx, task, n)
		})
		defer w.close()
		d := w.submit("one")
		wait(time.Minute)
		w.want(d.ID, journal.Failed, 1, "fake is not logged in; run fake and log in")
		if err := w.d.Retry(t.Context(), d.ID); err != nil {
			t.Error(err)
		}
		wait(time.Second)
		w.want(d.ID, journal.Done, 0, "")
	})
	bubble(t, "a retry asks at once and ends the limit for all", func(t *testing.T) {
		sooner := time.Now().Add(time.Hour)
		w := newWorld(t, dispatch.Options{}, func(ctx context.Context, task agent.Task, n int) (string, error) {
			if time.Now().Before(sooner) {
				return "", agent.Fail(&agent.RateLimited{Program: "fake", Expiry: time.Now().Add(24 * time.Hour)})
			}
			return echo(ctx, task, n)
		})
		defer w.close()
		first, second := w.submit("one"), w.submit("two")
		wait(time.Minute)
		if err := w.d.Retry(t.Context(), first.ID); err != nil {
			t.Error(err)
		}
		wait(time.Minute)
		w.want(first.ID, journal.Queued, 0, "at its limit")
		wait(2 * time.Hour)
		if err := w.d.Retry(t.Context(), first.ID); err != nil {
			t.Error(err)
		}
		wait(time.Second)
		w.want(first.ID, journal.Done, 0, "")
		w.want(second.ID, journal.Done, 0, "")
	})
	bubble(t, "an answer to one role ends the limit of those that share it", func(t *testing.T) {
		sooner := time.Now().Add(time.Hour)
		share := func(a, b string) bool { return !strings.EqualFold(a, "Other") && !strings.EqualFold(b, "Other") }
		w := newWorld(t, dispatch.Options{Roles: fakeRoles{share: share}, Concurrency: 1}, func(ctx context.Context, task agent.Task, n int) (string, error) {
			if time.Now().Before(sooner) {
				return "", agent.Fail(&agent.RateLimited{Program: "fake", Expiry: time.Now().Add(24 * time.Hour)})
			}
			return echo(ctx, task, n)
		})
		defer w.close()
		var all []journal.Dispatch
		for _, role := range []string{"Editor", "Critic", "Poet", "Other"} {
			d := w.acceptedAs(role, "one")
			w.d.Submit(d)
			wait(time.Minute)
			all = append(all, d)
		}
		wait(2 * time.Hour)
		if err := w.d.Retry(t.Context(), all[2].ID); err != nil {
			t.Error(err)
		}
		wait(time.Minute)
		for _, d := range all[:3] {
			w.want(d.ID, journal.Done, 0, "")
		}
		w.want(all[3].ID, journal.Queued, 0, "at its limit")
		if l, err := w.journal.Limits(t.Context()); err != nil || len(l) != 1 || l[0].Role != "other" {
			t.Errorf("limits that are left: %+v, %v", l, err)
		}
	})
	bubble(t, "a retry asks although it has to wait for its vault first", func(t *testing.T) {
		sooner, back := time.Now().Add(time.Hour), time.Now().Add(2*time.Hour+time.Minute)
		delay := func(journal.Dispatch) time.Duration {
			if time.Now().After(sooner) && time.Now().Before(back) {
				return 5 * time.Second
			}
			return 0
		}
		w := newWorld(t, dispatch.Options{Engine: fakeEngine{delay: delay}}, func(ctx context.Context, task agent.Task, n int) (string, error) {
			if time.Now().Before(sooner) {
				return "", agent.Fail(&agent.RateLimited{Program: "fake", Expiry: time.Now().Add(24 * time.Hour)})
			}
			return echo(ctx, task, n)
		})
		defer w.close()
		d := w.submit("one")
		wait(2 * time.Hour)
		if err := w.d.Retry(t.Context(), d.ID); err != nil {
			t.Error(err)
		}
		wait(30 * time.Second)
		w.want(d.ID, journal.Queued, 0, "")
		wait(time.Minute)
		w.want(d.ID, journal.Done, 0, "")
	})
	bubble(t, "a cancelled one stays cancelled", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, limited(time.Now().Add(time.Hour)))
		defer w.close()
		d := w.submit("one")
		wait(time.Minute)
		if err := w.d.Withhold(t.Context(), d.ID, "by hand"); err != nil {
			t.Error(err)
		}
		wait(2 * time.Hour)
		w.want(d.ID, journal.Cancelled, 0, "by hand")
	})
}

// The next engine keeps to the limit and goes on when it ends, by its own timer.
func TestLimitSurvivesRestart(t *testing.T) {
	bubble(t, "restart", func(t *testing.T) {
		until := time.Now().Add(5 * time.Hour)
		w := newWorld(t, dispatch.Options{}, limited(until))
		d := w.submit("one")
		wait(time.Minute)
		w.stop()
		wait(time.Hour)
		var asked atomic.Int32
		next := dispatch.New(dispatch.Options{
			Journal: w.journal, Concurrency: 3, Log: slog.New(slog.DiscardHandler),
			Roles:  fakeRoles{find: func(string) (string, agent.Runner, error) { asked.Add(1); return "", nil, agent.Fail(context.Canceled) }},
			Engine: fakeEngine{}, Writer: fakeWriter{w}, Meter: noMeter{},
		})
		unfinished, err := w.journal.Recover(t.Context())
		if err != nil || len(unfinished) != 1 {
			t.Fatalf("%d unfinished, %v", len(unfinished), err)
		}
		next.Submit(unfinished[0])
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- next.Run(ctx) }()
		wait(3 * time.Hour)
		if n := asked.Load(); n != 0 {
			t.Errorf("asked %d times before the limit ended", n)
		}
		w.want(d.ID, journal.Queued, 0, "at its limit")
		wait(time.Hour + 2*time.Minute)
		if asked.Load() == 0 {
			t.Error("not asked after the limit ended")
		}
		cancel()
		<-ended
		w.close()
	})
}

// spender says what each run has cost, also one that fails.
type spender struct{ replies []string }

func (s *spender) Run(context.Context, agent.Task) (agent.Reply, error) {
	text := s.replies[0]
	s.replies = s.replies[1:]
	cost := agent.Usage{Model: "m", Input: 100, Output: 10, Cost: 0.5}
	if reason, failed := strings.CutPrefix(text, "!"); failed {
		return agent.Reply{}, &agent.Failure{Kind: agent.Transient, Reason: reason, Usage: cost}
	}
	return agent.Reply{Text: text, Usage: cost}, nil
}

// Failed runs and repairs cost as well.
func TestFiguresAreKept(t *testing.T) {
	bubble(t, "three runs", func(t *testing.T) {
		s := &spender{replies: []string{"!broken", "no JSON", `{"responses":[{"request":1,"answer":"a"},{"request":2,"answer":"b"}]}`}}
		w := newWorld(t, dispatch.Options{Roles: fakeRoles{find: func(string) (string, agent.Runner, error) { return "fake", s, nil }}}, nil)
		defer w.close()
		d := w.submit("one", "two")
		wait(time.Minute)
		w.want(d.ID, journal.Done, 1, "")
		if got, want := w.get(d.ID).Usage, (journal.Usage{Model: "m", Input: 300, Output: 30, Cost: 1.5}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	})
}
