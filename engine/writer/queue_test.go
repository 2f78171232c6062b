package writer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/journal/recorder"
	"vaultdispatcher/engine/note"
)

// desk is a writer with a real journal, whose notes are a list of what was written.
type desk struct {
	*Writer
	t    *testing.T
	stop func() // ends the writer, and waits for that

	mu      sync.Mutex // guards the fields below
	tried   []string   // "file" of every try, in order
	written []string   // answers
}

// newDesk starts a writer whose writes fail as write says; n counts the tries.
func newDesk(t *testing.T, write func(ctx context.Context, d journal.Dispatch, n int) error) *desk {
	t.Helper()
	j, err := journal.On(database.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	k := &desk{t: t, Writer: New(Options{Journal: j, Record: recorder.New(log, journal.IsRefused), FollowFor: time.Minute, Engine: quietEngine{}, Log: log})}
	k.try = func(ctx context.Context, d journal.Dispatch, _ time.Duration) error {
		k.mu.Lock()
		k.tried = append(k.tried, d.File)
		n := len(k.tried)
		k.mu.Unlock()
		if err := write(ctx, d, n); err != nil {
			return err
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		k.written = append(k.written, d.Markers[0].Answer)
		return j.RecordWritten(context.WithoutCancel(ctx), d.ID, []int{0}, [32]byte{})
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); k.Run(ctx) }()
	k.stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	return k
}

// close ends the desk; it must be called inside the bubble.
func (k *desk) close() {
	k.stop()
	if err := k.opts.Journal.Close(); err != nil {
		k.t.Error(err)
	}
}

// answered accepts a dispatch and keeps its answer.
func (k *desk) answered(file, answer string) journal.Dispatch {
	k.t.Helper()
	wait(time.Millisecond) // fake: keeps the order of creation
	line := "> @agent-Miner " + answer
	d, ok, err := k.opts.Journal.Accept(k.t.Context(), journal.Dispatch{
		Vault: "/v", File: file, Key: "agent-miner", Role: "Miner", Status: journal.Queued, Created: time.Now(),
		Markers: []journal.Marker{{Trace: note.Trace{Line: 1, Text: line}}},
	}, map[string]int{line: 1})
	if err != nil || !ok {
		k.t.Fatal(ok, err)
	}
	_, err = k.opts.Journal.Start(k.t.Context(), d.ID, "fake", time.Now())
	if err = errors.Join(err, k.opts.Journal.RecordAnswers(k.t.Context(), d.ID, []string{answer})); err != nil {
		k.t.Fatal(err)
	}
	return k.get(d.ID)
}

func (k *desk) get(id string) journal.Dispatch {
	k.t.Helper()
	d, err := k.opts.Journal.Get(k.t.Context(), id)
	if err != nil {
		k.t.Fatal(err)
	}
	return d
}

// want checks a dispatch's status and a part of its error.
func (k *desk) want(id string, status journal.Status, reason string) {
	k.t.Helper()
	if d := k.get(id); d.Status != status || !strings.Contains(d.Error, reason) || !d.Answered || d.Markers[0].Answer == "" {
		k.t.Errorf("it is %s with %q, want %s and %q: %+v", d.Status, d.Error, status, reason, d)
	}
}

// wait lets fake time pass until everything that is due by then has happened.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// bubble runs a test in fake time.
func bubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// pause waits like a write that meets with an editor.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// TestBusyNote: a note that is always busy delays neither a quiet one nor more answers
// than its own, and the answers for one note are written one after the other.
func TestBusyNote(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		atWork := make(map[string]int)
		var mu sync.Mutex
		k := newDesk(t, func(ctx context.Context, d journal.Dispatch, _ int) error {
			mu.Lock()
			atWork[d.File]++
			if atWork[d.File] > 1 {
				t.Errorf("%d writes of %s at once", atWork[d.File], d.File)
			}
			mu.Unlock()
			defer func() { mu.Lock(); atWork[d.File]--; mu.Unlock() }()
			if d.File == "busy.md" {
				return errors.Join(pause(ctx, 30*time.Second), errors.New("the note keeps changing"))
			}
			return pause(ctx, time.Second)
		})
		defer k.close()
		for i := range 20 {
			k.Submit(k.answered("busy.md", fmt.Sprint("busy ", i)))
		}
		var quiet []journal.Dispatch
		for i := range 3 {
			quiet = append(quiet, k.answered("quiet.md", fmt.Sprint("quiet ", i)))
			k.Submit(quiet[i])
		}
		wait(3*time.Second + 500*time.Millisecond)
		for _, d := range quiet {
			k.want(d.ID, journal.Done, "")
		}
		if want := []string{"quiet 0", "quiet 1", "quiet 2"}; !slices.Equal(k.written, want) {
			t.Errorf("written %q, want %q", k.written, want)
		}
		if n := k.Writing(); n != 20 {
			t.Errorf("%d are being written or due, want 20", n)
		}
	})
}

// TestHungDisk: a vault whose disk does not respond delays no other vault, and does
// not keep the engine from ending.
func TestHungDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hung := make(chan struct{})
		k := newDesk(t, func(_ context.Context, d journal.Dispatch, _ int) error {
			if d.Vault == "/v" {
				<-hung
				return errors.New("it was hung")
			}
			return nil
		})
		for i := range 3 * writesPerVault {
			k.Submit(k.answered(fmt.Sprintf("%d.md", i), "stuck"))
		}
		wait(time.Second)
		if len(k.tried) != writesPerVault {
			t.Errorf("%d writes at once in one vault", len(k.tried))
		}
		w := k.answered("other.md", "free")
		other := &entry{d: w}
		other.d.Vault = "/other"
		k.mu.Lock()
		k.try = func(context.Context, journal.Dispatch, time.Duration) error {
			return k.opts.Journal.Park(t.Context(), w.ID, "reached")
		}
		k.mu.Unlock()
		k.Submit(other.d)
		wait(time.Second)
		k.want(w.ID, journal.Parked, "reached")
		begun := time.Now()
		k.stop()
		if took := time.Since(begun); took > PartingTime {
			t.Errorf("it ended after %v", took)
		}
		close(hung)
		synctest.Wait()
		k.close()
	})
}

func TestWriteFailure(t *testing.T) {
	bubble(t, "it is tried again", func(t *testing.T) {
		k := newDesk(t, func(_ context.Context, _ journal.Dispatch, n int) error {
			if n < 4 {
				return errors.New("the note is being written by another program")
			}
			return nil
		})
		defer k.close()
		d := k.answered("n.md", "one")
		k.Submit(d)
		wait(time.Second)
		k.want(d.ID, journal.Queued, "another program")
		wait(time.Hour)
		k.want(d.ID, journal.Done, "")
		if len(k.tried) != 4 || len(k.written) != 1 {
			t.Errorf("tried %d times, written %q", len(k.tried), k.written)
		}
	})
	bubble(t, "not later than is asked for", func(t *testing.T) {
		begun, last := time.Now(), time.Duration(0)
		k := newDesk(t, func(context.Context, journal.Dispatch, int) error {
			if last = time.Since(begun).Truncate(time.Second); last < time.Minute {
				return &retryWithin{err: errors.New("the note is gone"), delay: time.Minute - last}
			} else if last < 9*time.Minute {
				return &retryWithin{err: errors.New("the note is sought"), delay: looksForLine}
			}
			return nil
		})
		defer k.close()
		d := k.answered("n.md", "one")
		k.Submit(d)
		wait(59 * time.Second)
		k.want(d.ID, journal.Queued, "the note is gone")
		wait(time.Second)
		k.want(d.ID, journal.Queued, "the note is sought")
		wait(time.Hour)
		k.want(d.ID, journal.Done, "")
		if last != 9*time.Minute {
			t.Errorf("the last try was after %v, want nine minutes", last)
		}
	})
	bubble(t, "an answer that cannot be written is kept, and a retry writes it", func(t *testing.T) {
		full := true
		k := newDesk(t, func(context.Context, journal.Dispatch, int) error {
			if full {
				return errors.New("the disk is full")
			}
			return nil
		})
		defer k.close()
		d := k.answered("n.md", "one")
		k.Submit(d)
		wait(time.Hour)
		k.want(d.ID, journal.Failed, "the disk is full")
		if len(k.tried) != maxWrites {
			t.Errorf("tried %d times", len(k.tried))
		}
		full = false
		d, err := k.opts.Journal.Retry(t.Context(), d.ID, "retry")
		if err != nil {
			t.Fatal(err)
		}
		k.Submit(d)
		wait(time.Second)
		k.want(d.ID, journal.Done, "")
	})
	bubble(t, "a changed note is tried at once, and what is next stays when it was", func(t *testing.T) {
		var times []time.Duration
		begun := time.Now()
		k := newDesk(t, func(context.Context, journal.Dispatch, int) error {
			times = append(times, time.Since(begun).Truncate(time.Second))
			return errors.New("its line is not in the note now")
		})
		defer k.close()
		k.Submit(k.answered("n.md", "one"))
		wait(5 * time.Second) // tried at 0 and 2; the next is at 10
		k.RetryNow("/v", "n.md")
		k.RetryNow("/v", "m.md")
		wait(6 * time.Second)
		if want := []time.Duration{0, 2 * time.Second, 5 * time.Second, 10 * time.Second}; !slices.Equal(times, want) {
			t.Errorf("tried at %v, want %v", times, want)
		}
	})
	bubble(t, "what is cancelled while it waits is not written", func(t *testing.T) {
		k := newDesk(t, func(context.Context, journal.Dispatch, int) error { return errors.New("no") })
		defer k.close()
		d := k.answered("n.md", "one")
		k.Submit(d)
		wait(time.Second)
		if err := k.opts.Journal.Withhold(t.Context(), d.ID, "cancelled by hand"); err != nil {
			t.Fatal(err)
		}
		wait(time.Hour)
		k.want(d.ID, journal.Cancelled, "by hand")
		if len(k.tried) != 1 {
			t.Errorf("tried %d times", len(k.tried))
		}
	})
}

// An answer whose note is busy can be cancelled as long as nobody writes it; the one that
// is being written cannot.
func TestCancelBehindABusyNote(t *testing.T) {
	bubble(t, "", func(t *testing.T) {
		k := newDesk(t, func(ctx context.Context, _ journal.Dispatch, _ int) error { return pause(ctx, time.Minute) })
		defer k.close()
		one, two, three := k.answered("n.md", "one"), k.answered("n.md", "two"), k.answered("n.md", "three")
		for _, d := range []journal.Dispatch{one, two, three} {
			k.Submit(d)
		}
		wait(time.Second)
		withhold := func(id string) func() error {
			return func() error { return k.opts.Journal.Withhold(t.Context(), id, "cancelled by hand") }
		}
		if err := withhold(two.ID)(); !errors.Is(err, journal.ErrState) {
			t.Fatalf("the journal alone takes it for being written: %v", err)
		}
		if err := k.CancelWaiting(t.Context(), two.ID, withhold(two.ID)); err != nil {
			t.Errorf("the one that waits: %v", err)
		}
		for name, d := range map[string]journal.Dispatch{"the one at work": one, "the one cancelled": two} {
			if err := k.CancelWaiting(t.Context(), d.ID, withhold(d.ID)); !errors.Is(err, journal.ErrState) {
				t.Errorf("%s: %v", name, err)
			}
		}
		failed := errors.New("the disk is full")
		if err := k.CancelWaiting(t.Context(), three.ID, func() error { return failed }); !errors.Is(err, failed) {
			t.Errorf("a cancel that fails: %v", err)
		}
		wait(time.Hour)
		k.want(one.ID, journal.Done, "")
		k.want(two.ID, journal.Cancelled, "by hand")
		k.want(three.ID, journal.Done, "")
		if len(k.tried) != 2 {
			t.Errorf("tried %d times", len(k.tried))
		}
	})
}

func TestStop(t *testing.T) {
	bubble(t, "what is being written or due is ended", func(t *testing.T) {
		k := newDesk(t, func(ctx context.Context, _ journal.Dispatch, _ int) error { return pause(ctx, time.Second) })
		one, two := k.answered("n.md", "one"), k.answered("n.md", "two")
		k.Submit(one)
		wait(100 * time.Millisecond)
		k.Submit(two)
		k.stop()
		k.want(one.ID, journal.Done, "")
		k.want(two.ID, journal.Done, "")
		k.close()
	})
	bubble(t, "what takes longer stays answered for the next start", func(t *testing.T) {
		k := newDesk(t, func(ctx context.Context, _ journal.Dispatch, _ int) error { return pause(ctx, time.Hour) })
		one, two := k.answered("n.md", "one"), k.answered("n.md", "two")
		k.Submit(one)
		k.Submit(two)
		wait(time.Second)
		begun := time.Now()
		k.stop()
		if took := time.Since(begun); took != graceTime {
			t.Errorf("stopping took %v", took)
		}
		k.want(one.ID, journal.Processing, "")
		k.want(two.ID, journal.Processing, "")
		if unfinished, err := k.opts.Journal.Recover(t.Context()); err != nil || len(unfinished) != 2 {
			t.Errorf("%d unfinished, %v", len(unfinished), err)
		}
		k.close()
	})
}

// TestMovedBehindBusyNote: an answer whose question goes to another note is written
// there at once, wherever it is in the queue of the one before.
func TestMovedBehindBusyNote(t *testing.T) {
	move := func(k *desk, d journal.Dispatch) {
		ok, err := k.opts.Journal.Move(k.t.Context(), d.ID, "quiet.md", map[string]int{d.Markers[0].Text: 1})
		if err != nil || !ok {
			k.t.Fatal(ok, err)
		}
		k.Moved(d.ID, "quiet.md")
	}
	busy := func(ctx context.Context, d journal.Dispatch, _ int) error {
		if d.File == "busy.md" {
			return errors.Join(pause(ctx, 30*time.Second), errors.New("the note keeps changing"))
		}
		return nil
	}
	bubble(t, "while it waits for the note", func(t *testing.T) {
		k := newDesk(t, busy)
		defer k.close()
		one, two := k.answered("busy.md", "one"), k.answered("busy.md", "two")
		k.Submit(one)
		k.Submit(two)
		wait(time.Second)
		move(k, two)
		wait(time.Second)
		k.want(two.ID, journal.Done, "")
	})
	bubble(t, "while the note is tried", func(t *testing.T) {
		k := newDesk(t, busy)
		defer k.close()
		d := k.answered("busy.md", "one")
		k.Submit(d)
		wait(time.Second)
		move(k, d)
		wait(29*time.Second + 500*time.Millisecond) // the try has ended
		k.want(d.ID, journal.Done, "")
	})
}

// TestSubmittedWhileWritten: what is submitted before its write has gone waits for its
// own time.
func TestSubmittedWhileWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var k *desk
		k = newDesk(t, func(ctx context.Context, d journal.Dispatch, n int) error {
			if n > 1 {
				return nil
			}
			if err := k.opts.Journal.RecordWritten(ctx, d.ID, []int{0}, [32]byte{}); err != nil {
				t.Error(err)
			}
			again, err := k.opts.Journal.RequeueOverwritten(ctx, d.ID, []int{0}, time.Now().Add(due.Backoff(1)), journal.WrittenOver)
			if err != nil {
				t.Error(err)
			}
			k.Submit(again)
			return context.Canceled // has no effect: it is submitted anew
		})
		defer k.close()
		d := k.answered("n.md", "one")
		k.Submit(d)
		wait(due.Backoff(1) - time.Second)
		k.mu.Lock()
		if len(k.tried) != 1 {
			t.Errorf("tried %d times before its time", len(k.tried))
		}
		k.mu.Unlock()
		wait(2 * time.Second)
		k.want(d.ID, journal.Done, "")
	})
}
