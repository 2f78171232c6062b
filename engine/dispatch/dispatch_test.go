package dispatch_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
)

func TestRun(t *testing.T) {
	bubble(t, "an answer is kept and written", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, echo)
		defer w.close()
		d := w.submit("one")
		wait(time.Second)
		w.want(d.ID, journal.Done, 0, "")
		if got := w.get(d.ID).Markers[0].Answer; got != "answer to one" {
			t.Errorf("answer %q", got)
		}
	})
	bubble(t, "three at once, never four", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Concurrency: 3}, slow(time.Second))
		defer w.close()
		for i := range 10 {
			w.submit(fmt.Sprint(i))
		}
		wait(time.Minute)
		if w.most != 3 || len(w.written) != 10 {
			t.Errorf("%d at once, %d written", w.most, len(w.written))
		}
	})
	bubble(t, "the status is asked for meanwhile", func(t *testing.T) { // the race detector sees whether it is safe
		w := newWorld(t, dispatch.Options{Concurrency: 3}, slow(time.Second))
		defer w.close()
		most, ended := 0, make(chan struct{})
		go func() {
			defer close(ended)
			for range 50 {
				most = max(most, w.d.Running())
				<-time.After(100 * time.Millisecond)
			}
		}()
		for i := range 10 {
			w.submit(fmt.Sprint(i))
		}
		<-ended
		if most != 3 {
			t.Errorf("%d at once, as the status says", most)
		}
	})
	bubble(t, "a new question and a pile start by turns", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Concurrency: 1}, slow(time.Second))
		defer w.close()
		submit := func(name string) {
			d := w.accepted(name)
			d.File = name + ".md"
			w.d.Submit(d)
			<-time.After(time.Millisecond)
		}
		for i := range 8 {
			submit(fmt.Sprint(i))
		}
		wait(2500 * time.Millisecond)
		submit("new")
		wait(time.Minute)
		if got := strings.Join(w.asked, " "); got != "0 7 1 new 2 6 3 4 5" {
			t.Errorf("asked %s", got)
		}
	})
	bubble(t, "what came with many others is behind, and has its turns", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Concurrency: 1}, slow(time.Second))
		defer w.close()
		submit := func(name string, isCrowded bool) {
			d := w.accepted(name)
			d.File, d.Crowded = name+".md", isCrowded
			w.d.Submit(d)
			<-time.After(time.Millisecond)
		}
		for i := range 6 {
			submit(fmt.Sprint("c", i), true)
		}
		for i := range 8 {
			submit(fmt.Sprint("p", i), false)
		}
		wait(time.Minute)
		if got := strings.Join(w.asked, " "); got != "c0 p7 p0 p6 c1 p5 p1 p4 c2 p3 p2 c3 c4 c5" {
			t.Errorf("asked %s", got)
		}
	})
	bubble(t, "all answers of a group or none", func(t *testing.T) {
		half := func(context.Context, agent.Task, int) (string, error) {
			return `{"responses":[{"request":1,"answer":"only one"}]}`, nil
		}
		w := newWorld(t, dispatch.Options{}, half)
		defer w.close()
		d := w.submit("a", "b")
		wait(time.Minute)
		w.want(d.ID, journal.Failed, 1, "request 2")
		if len(w.asked) != 2 || len(w.written) != 0 {
			t.Errorf("asked %d times, written %q: a reply that stays invalid takes two calls and writes nothing", len(w.asked), w.written)
		}
	})
	bubble(t, "a time far ahead is of a clock that was wrong", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, echo)
		defer w.close()
		soon, far := w.accepted("soon"), w.accepted("far")
		soon.NextAttempt, far.NextAttempt = time.Now().Add(8*time.Second), time.Now().AddDate(1, 0, 0)
		w.d.Submit(soon)
		w.d.Submit(far)
		wait(7 * time.Second)
		w.want(soon.ID, journal.Queued, 0, "")
		w.want(far.ID, journal.Done, 0, "")
		wait(2 * time.Second)
		w.want(soon.ID, journal.Done, 0, "")
	})
	bubble(t, "a turn that nobody was asked in is no interrupted run", func(t *testing.T) {
		away := func(_ context.Context, _ agent.Task, n int) (string, error) {
			if n <= 30 {
				return "", fmt.Errorf("no worker is there: %w", agent.ErrNoTurn)
			}
			return "came back", nil
		}
		w := newWorld(t, dispatch.Options{}, away)
		defer w.close()
		d := w.submit("one")
		wait(time.Hour)
		w.want(d.ID, journal.Done, 0, "")
	})
	bubble(t, "one repair is enough", func(t *testing.T) {
		repaired := func(_ context.Context, _ agent.Task, n int) (string, error) {
			if n == 1 {
				return "sorry, no JSON", nil
			}
			return `{"responses":[{"request":1,"answer":"x"},{"request":2,"answer":"y"}]}`, nil
		}
		w := newWorld(t, dispatch.Options{}, repaired)
		defer w.close()
		d := w.submit("a", "b")
		wait(time.Minute)
		w.want(d.ID, journal.Done, 0, "")
		if !slices.Equal(w.written, []string{"x", "y"}) {
			t.Errorf("written %q", w.written)
		}
	})
}

func TestFailure(t *testing.T) {
	bubble(t, "a passing cause is tried three times, 2 s and 8 s apart", func(t *testing.T) {
		var times []time.Duration
		begun := time.Now()
		w := newWorld(t, dispatch.Options{}, func(context.Context, agent.Task, int) (string, error) {
			times = append(times, time.Since(begun).Round(time.Second))
			return "", transient("it ended with status 3")
		})
		defer w.close()
		d := w.submit("one")
		wait(time.Second)
		w.want(d.ID, journal.Queued, 1, "status 3")
		if due := w.get(d.ID).NextAttempt; due.IsZero() {
			t.Error("no time of the next attempt")
		}
		wait(time.Hour)
		w.want(d.ID, journal.Failed, 3, "status 3")
		if want := []time.Duration{0, 2 * time.Second, 10 * time.Second}; !slices.Equal(times, want) {
			t.Errorf("tried at %v, want %v", times, want)
		}
	})
	bubble(t, "a failure says how many tries make sense", func(t *testing.T) {
		for tries, want := range map[int]int{1: 1, 2: 2, 9: 3} {
			w := newWorld(t, dispatch.Options{}, func(context.Context, agent.Task, int) (string, error) {
				return "", &agent.Failure{Kind: agent.Transient, Reason: "it broke its answer off", Tries: tries}
			})
			d := w.submit("one")
			wait(time.Hour)
			w.want(d.ID, journal.Failed, want, "broke")
			w.close()
		}
	})
	bubble(t, "a lasting cause is told at once", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, func(context.Context, agent.Task, int) (string, error) {
			return "", &agent.Failure{Kind: agent.Permanent, Reason: "it gave an empty answer"}
		})
		defer w.close()
		d := w.submit("one")
		wait(time.Hour)
		w.want(d.ID, journal.Failed, 1, "empty answer")
		if len(w.asked) != 1 {
			t.Errorf("asked %d times", len(w.asked))
		}
	})
	bubble(t, "a fault in a runner is the failure of its dispatch alone", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, func(ctx context.Context, task agent.Task, n int) (string, error) {
			if task.Requests[0].Instruction == "one" {
				panic("index out of range [0] with length 0")
			}
			return echo(ctx, task, n)
		})
		defer w.close()
		one, two := w.submit("one"), w.submit("two")
		wait(time.Hour)
		w.want(one.ID, journal.Failed, 1, "a fault in this program ended the run; its log says where: index out of range [0] with length 0")
		w.want(two.ID, journal.Done, 0, "")
	})
	bubble(t, "retry runs it again", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, func(ctx context.Context, task agent.Task, n int) (string, error) {
			if n <= 3 {
				return "", transient("no")
			}
			return echo(ctx, task, n)
		})
		defer w.close()
		d := w.submit("one")
		wait(time.Hour)
		w.want(d.ID, journal.Failed, 3, "no")
		if err := w.d.Retry(t.Context(), d.ID); err != nil {
			t.Fatal(err)
		}
		wait(time.Second)
		w.want(d.ID, journal.Done, 0, "")
	})
	bubble(t, "a role without a runner says so", func(t *testing.T) {
		none := func(string) (string, agent.Runner, error) {
			return "", nil, errors.New("no agent answers the role Miner")
		}
		w := newWorld(t, dispatch.Options{Roles: fakeRoles{find: none}}, echo)
		defer w.close()
		d := w.submit("one")
		wait(time.Second)
		w.want(d.ID, journal.Failed, 1, "no agent answers")
	})
}

func TestCancel(t *testing.T) {
	bubble(t, "at work", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, slow(time.Hour))
		defer w.close()
		d := w.submit("one")
		wait(time.Second)
		w.want(d.ID, journal.Processing, 0, "")
		if err := w.d.Cancel(t.Context(), d.ID, "the line has changed"); err != nil {
			t.Fatal(err)
		}
		wait(time.Second)
		w.want(d.ID, journal.Cancelled, 0, "the line has changed")
		if w.running != 0 || len(w.written) != 0 {
			t.Errorf("%d agents still run, written %q", w.running, w.written)
		}
	})
	bubble(t, "waiting", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Concurrency: 1}, slow(time.Minute))
		defer w.close()
		w.submit("one")
		d := w.submit("two")
		if err := w.d.Cancel(t.Context(), d.ID, "by the user"); err != nil {
			t.Fatal(err)
		}
		wait(time.Hour)
		w.want(d.ID, journal.Cancelled, 0, "by the user")
		if !slices.Equal(w.asked, []string{"one"}) {
			t.Errorf("asked %q", w.asked)
		}
	})
	bubble(t, "done is too late", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, echo)
		defer w.close()
		d := w.submit("one")
		wait(time.Second)
		if err := w.d.Cancel(t.Context(), d.ID, "late"); !errors.Is(err, journal.ErrState) {
			t.Errorf("Cancel returned %v", err)
		}
		w.want(d.ID, journal.Done, 0, "")
	})
}

func TestChain(t *testing.T) {
	bubble(t, "the groups of a note one after the other, in order", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Mode: dispatch.Chain}, slow(time.Second))
		defer w.close()
		for _, s := range []string{"one", "two", "three"} {
			w.submit(s)
		}
		wait(time.Minute)
		if w.most != 1 || !slices.Equal(w.written, []string{"answer to one", "answer to two", "answer to three"}) {
			t.Errorf("%d at once, written %q", w.most, w.written)
		}
	})
	bubble(t, "a later one waits while an earlier one is tried again", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Mode: dispatch.Chain}, func(ctx context.Context, task agent.Task, n int) (string, error) {
			if task.Requests[0].Instruction == "one" && n == 1 {
				return "", transient("no")
			}
			return echo(ctx, task, n)
		})
		defer w.close()
		w.submit("one")
		w.submit("two")
		wait(time.Minute)
		if !slices.Equal(w.asked, []string{"one", "one", "two"}) {
			t.Errorf("asked %q", w.asked)
		}
	})
}

func TestStop(t *testing.T) {
	bubble(t, "a run that ends within the grace is kept", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Grace: 5 * time.Second}, slow(3*time.Second))
		d := w.submit("one")
		wait(time.Second)
		begun := time.Now()
		w.stop()
		if took := time.Since(begun).Round(time.Second); took != 2*time.Second {
			t.Errorf("stopping took %v", took)
		}
		w.want(d.ID, journal.Done, 0, "")
		w.close()
	})
	bubble(t, "a longer one is ended, is no attempt and waits for the next start", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Grace: 5 * time.Second}, slow(time.Hour))
		d := w.submit("one")
		waiting := []journal.Dispatch{w.submit("two"), w.submit("three"), w.submit("four")}
		wait(time.Second)
		begun := time.Now()
		w.stop()
		if took := time.Since(begun).Round(time.Second); took != 5*time.Second {
			t.Errorf("stopping took %v", took)
		}
		w.want(d.ID, journal.Queued, 0, "")
		w.want(waiting[2].ID, journal.Queued, 0, "")
		unfinished, err := w.journal.Recover(t.Context())
		if err != nil || len(unfinished) != 4 {
			t.Errorf("%d unfinished, %v", len(unfinished), err)
		}
		w.close()
	})
}

// TestLater: nobody is asked before the time, also when it is put off again; what is
// cancelled meanwhile is never asked, and answers that are there are written.
func TestLater(t *testing.T) {
	bubble(t, "later", func(t *testing.T) {
		opens := time.Now().Add(time.Hour)
		w := newWorld(t, dispatch.Options{Engine: fakeEngine{delay: func(journal.Dispatch) time.Duration { return min(time.Minute, time.Until(opens)) }}}, echo)
		defer w.close()
		d, cancelled := w.submit("one"), w.submit("two")
		wait(30 * time.Minute)
		w.want(d.ID, journal.Queued, 0, "")
		if err := w.d.Cancel(t.Context(), cancelled.ID, "its line has changed"); err != nil {
			t.Error(err)
		}
		wait(31 * time.Minute)
		w.want(d.ID, journal.Done, 0, "")
		w.want(cancelled.ID, journal.Cancelled, 0, "its line has changed")
		if len(w.asked) != 1 {
			t.Errorf("asked %q", w.asked)
		}
	})
	bubble(t, "answers that are there", func(t *testing.T) {
		w := newWorld(t, dispatch.Options{Engine: fakeEngine{delay: func(journal.Dispatch) time.Duration { return time.Minute }}}, echo)
		defer w.close()
		d := w.accepted("one")
		d, err := w.journal.Start(t.Context(), d.ID, "fake", time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if err := w.journal.RecordAnswers(t.Context(), d.ID, []string{"there"}); err != nil {
			t.Fatal(err)
		}
		w.d.Submit(w.get(d.ID))
		wait(time.Second)
		w.want(d.ID, journal.Done, 0, "")
	})
}

// TestAnsweredSinceSubmitted: a record that has got its answers since it was read goes to
// be written, and its agent is not asked.
func TestAnsweredSinceSubmitted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, dispatch.Options{}, echo)
		defer w.close()
		old := w.accepted("one")
		_, err := w.journal.Start(t.Context(), old.ID, "fake", time.Now())
		err = errors.Join(err, w.journal.RecordAnswers(t.Context(), old.ID, []string{"the answer"}))
		err = errors.Join(err, w.journal.Requeue(t.Context(), old.ID, "its note is busy", time.Now(), journal.Count{}))
		if err != nil {
			t.Fatal(err)
		}
		w.d.Submit(old)
		wait(time.Second)
		w.want(old.ID, journal.Done, 0, "")
		if w.runs() != 0 || len(w.written) != 1 {
			t.Errorf("asked %d times, written %q", w.runs(), w.written)
		}
	})
}
