package dispatch_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
)

// oneLane has one role answered one at a time.
func oneLane(role string) string {
	if role == "Broadcaster" {
		return role
	}
	return ""
}

// submitAs has questions of these roles asked, in this order.
func (w *world) submitAs(roles ...string) (all []journal.Dispatch) {
	w.t.Helper()
	for i, role := range roles {
		d := w.accepted(fmt.Sprint("make ", i))
		d.Role = role
		w.d.Submit(d)
		<-time.After(time.Millisecond)
		all = append(all, d)
	}
	return all
}

// What shares a lane runs one after the other and leaves the other slots to the rest.
func TestLanes(t *testing.T) {
	bubble(t, "at work", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Roles: fakeRoles{lane: oneLane}}, slow(time.Minute))
		defer w.close()
		all := w.submitAs("Broadcaster", "Broadcaster", "Miner", "Miner", "Miner")
		wait(30 * time.Second)
		for i, want := range []journal.Status{journal.Processing, journal.Queued, journal.Processing, journal.Processing, journal.Queued} {
			w.want(all[i].ID, want, 0, "")
		}
		wait(3 * time.Minute)
		for _, d := range all {
			w.want(d.ID, journal.Done, 0, "")
		}
	})
}

// aJob looks after work that is done elsewhere: each look takes a second, and between two of them it rests.
func (w *world) aJob(looks int, most *int) agentFunc {
	look := func(ctx context.Context, task agent.Task) error {
		w.mu.Lock()
		w.running++
		*most = max(*most, w.running)
		w.mu.Unlock()
		_, err := slow(time.Second)(ctx, task, 1)
		w.mu.Lock()
		w.running--
		w.mu.Unlock()
		return err
	}
	return func(ctx context.Context, task agent.Task, _ int) (string, error) {
		w.mu.Lock()
		w.running-- // that the runner of the world has counted
		w.mu.Unlock()
		defer func() { w.mu.Lock(); w.running++; w.mu.Unlock() }()
		for range looks {
			if err := errors.Join(look(ctx, task), task.Rest(ctx, 10*time.Second)); err != nil {
				return "", err
			}
		}
		return "made", look(ctx, task)
	}
}

// At most three are at work, whatever their roles. What is done elsewhere leaves its slot to others between two looks at it, and
// has one of the three for each look.
func TestRestingGivesItsSlotAway(t *testing.T) {
	bubble(t, "beside others", func(t *testing.T) {
		var w *world
		most := 0
		w = newWorld(t, dispatch.Options{Roles: fakeRoles{lane: oneLane}}, func(ctx context.Context, task agent.Task, n int) (string, error) {
			if task.Requests[0].Instruction == "make 0" {
				return w.aJob(4, &most)(ctx, task, n)
			}
			return slow(5*time.Second)(ctx, task, n)
		})
		defer w.close()
		roles := []string{"Broadcaster"}
		for range 12 {
			roles = append(roles, "Miner")
		}
		all := w.submitAs(roles...)
		wait(3 * time.Second) // the job rests since the first second
		if counts, err := w.journal.Counts(t.Context()); err != nil || counts[journal.Processing] != 4 {
			t.Errorf("%v, %v", counts, err)
		}
		wait(3 * time.Minute)
		for _, d := range all {
			w.want(d.ID, journal.Done, 0, "")
		}
		if w.most > 3 || most != 3 {
			t.Errorf("%d were at work, %d when the job was looked at", w.most, most)
		}
	})
}

// Jobs alone end too, with one slot for all, and one that rests when the engine stops ends with it.
func TestJobsAlone(t *testing.T) {
	for _, concurrency := range []int{1, 3} {
		bubble(t, fmt.Sprint(concurrency), func(t *testing.T) {
			var w *world
			most := 0
			w = newWorld(t, dispatch.Options{Concurrency: concurrency, Roles: fakeRoles{}}, func(ctx context.Context, task agent.Task, n int) (string, error) {
				return w.aJob(3, &most)(ctx, task, n)
			})
			all := w.submitAs("A", "B", "C", "D", "E", "F")
			wait(5 * time.Minute)
			for _, d := range all {
				w.want(d.ID, journal.Done, 0, "")
			}
			if most != concurrency {
				t.Errorf("%d looks at once", most)
			}
			last := w.submitAs("A")
			wait(5 * time.Second)
			w.stop()
			w.want(last[0].ID, journal.Queued, 0, "the engine stopped")
			w.close()
		})
	}
}

// A run that is cancelled while it rests, or while it waits for a slot, ends and keeps none.
func TestCancelledWhileResting(t *testing.T) {
	for _, after := range []time.Duration{5 * time.Second, 15 * time.Second} {
		bubble(t, after.String(), func(t *testing.T) {
			var failed error
			w := newWorld(t, dispatch.Options{Concurrency: 1}, func(ctx context.Context, task agent.Task, n int) (string, error) {
				if task.Requests[0].Instruction == "make 0" {
					failed = task.Rest(ctx, 10*time.Second)
					return "", failed
				}
				return slow(time.Minute)(ctx, task, n)
			})
			defer w.close()
			all := w.submitAs("A", "B")
			wait(after)
			if err := w.d.Cancel(t.Context(), all[0].ID, "by hand"); err != nil {
				t.Fatal(err)
			}
			wait(time.Second)
			if !errors.Is(failed, context.Canceled) {
				t.Errorf("it ended with %v", failed)
			}
			wait(2 * time.Minute)
			w.want(all[1].ID, journal.Done, 0, "")
			w.want(w.submitAs("A")[0].ID, journal.Processing, 0, "")
		})
	}
}
