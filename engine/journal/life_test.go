package journal

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal/ids"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/wording"
)

// situations brings a fresh dispatch of two markers into every state it can be in.
var situations = []struct {
	name string
	path string // the actions that lead there, in words of actions
}{
	{"queued", ""},
	{"queued+answer", "start answered requeue"},
	{"processing", "start"},
	{"processing+answer", "start answered"},
	{"done", "start answered written"},
	{"failed", "start fail"},
	{"failed+answer", "start answered fail"},
	{"held", "hold"},
	{"held+answer", "start answered hold"},
	{"parked+answer", "start answered park"},
	{"cancelled", "cancel"},
	{"cancelled+claims", "withhold"},
	{"cancelled+answer+claims", "start answered requeue withhold"},
	{"cancelled+answer", "start answered park dismiss"},
	{"processing+answer+undoing", "start answered written undoing"},
	{"queued+answer+undoing", "start answered written undoing requeue"},
	{"cancelled+answer+undone+claims", "start answered written undoing undone"},
	{"cancelled+answer+undone", "start answered written undoing undone cancel"},
	{"queued+stands", "start answered written renew"},
	{"processing+stands", "start answered written renew start"},
	{"held+stands", "start answered written renew hold"},
	{"processing+answer+stands", "start answered written renew start answered"},
	{"queued+answer+stands", "start answered written renew start answered requeue"},
	{"failed+answer+stands", "start answered written renew start answered fail"},
	{"held+answer+stands", "start answered written renew start answered hold"},
	{"scheduled", "hold schedule"},
	{"proposed+answer", "start propose"},
	{"proposed+answer+stands", "start answered written renew start propose"},
}

var later = time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)

// actions are all steps there are, with what they lead to from each situation; a
// situation that is not named refuses the action.
var actions = []struct {
	name string
	do   func(context.Context, *Journal, string) error
	to   map[string]string
}{
	{"start", func(ctx context.Context, j *Journal, id string) error {
		_, err := j.Start(ctx, id, "runner", time.Now())
		return err
	}, map[string]string{"queued+stands": "processing+stands", "queued+answer+stands": "processing+answer+stands", "queued": "processing", "queued+answer": "processing+answer", "queued+answer+undoing": "processing+answer+undoing"}},
	{"answered", func(ctx context.Context, j *Journal, id string) error {
		return j.RecordAnswers(ctx, id, []string{"one", "two"})
	}, map[string]string{"processing+stands": "processing+answer+stands", "processing": "processing+answer"}},
	{"propose", func(ctx context.Context, j *Journal, id string) error {
		return j.RecordProposal(ctx, id, []string{"one", "two"})
	}, map[string]string{"processing+stands": "proposed+answer+stands", "processing": "proposed+answer"}},
	{"proposeAgain", func(ctx context.Context, j *Journal, id string) error { return j.ProposeAgain(ctx, id) },
		map[string]string{"processing+answer+stands": "proposed+answer+stands", "processing+answer": "proposed+answer"}},
	{"approve", func(ctx context.Context, j *Journal, id string) error {
		_, err := j.Approve(ctx, id, "seen", nil)
		return err
	}, map[string]string{"proposed+answer+stands": "queued+answer+stands", "proposed+answer": "queued+answer"}},
	{"reject", func(ctx context.Context, j *Journal, id string) error {
		_, err := j.Reject(ctx, id, "too long")
		return err
	}, map[string]string{"proposed+answer+stands": "queued+stands", "proposed+answer": "queued"}},
	{"swapping", func(ctx context.Context, j *Journal, id string) error {
		return j.RecordSwap(ctx, Swap{Dispatch: id, Path: "/vault/a.md", Temp: "/tmp/" + id})
	}, map[string]string{"processing+answer+stands": "processing+answer+stands", "processing+answer": "processing+answer", "processing+answer+undoing": "processing+answer+undoing"}},
	{"written", func(ctx context.Context, j *Journal, id string) error {
		return j.RecordWritten(ctx, id, []int{0, 1}, [32]byte{9})
	}, map[string]string{"processing+answer+stands": "done", "processing+answer": "done"}},
	{"writtenHalf", func(ctx context.Context, j *Journal, id string) error {
		return j.RecordWritten(ctx, id, []int{1}, [32]byte{9})
	}, map[string]string{"processing+answer+stands": "done", "processing+answer": "parked+answer"}},
	{"park", func(ctx context.Context, j *Journal, id string) error { return j.Park(ctx, id, "gone") },
		map[string]string{"processing+answer+stands": "parked+answer", "queued+answer+stands": "parked+answer", "failed+answer+stands": "parked+answer", "held+answer+stands": "parked+answer", "queued+answer": "parked+answer", "processing+answer": "parked+answer", "failed+answer": "parked+answer", "held+answer": "parked+answer"}},
	{"fail", func(ctx context.Context, j *Journal, id string) error { return j.Fail(ctx, id, "broken") },
		map[string]string{"queued+stands": "done", "processing+stands": "done", "queued+answer+stands": "failed+answer+stands", "processing+answer+stands": "failed+answer+stands", "queued": "failed", "queued+answer": "failed+answer", "processing": "failed", "processing+answer": "failed+answer",
			"queued+answer+undoing": "done", "processing+answer+undoing": "done"}},
	{"hold", func(ctx context.Context, j *Journal, id string) error {
		return j.Hold(ctx, id, ForBurst, "too many", time.Time{})
	},
		map[string]string{"scheduled": "held", "queued+stands": "held+stands", "processing+stands": "held+stands", "queued+answer+stands": "held+answer+stands", "processing+answer+stands": "held+answer+stands", "queued": "held", "queued+answer": "held+answer", "processing": "held", "processing+answer": "held+answer"}},
	{"cancel", func(ctx context.Context, j *Journal, id string) error { return j.Cancel(ctx, id, "by hand") },
		map[string]string{"scheduled": "cancelled", "proposed+answer": "cancelled", "proposed+answer+stands": "done", "queued+stands": "done", "processing+stands": "done", "held+stands": "done", "queued+answer+stands": "parked+answer", "failed+answer+stands": "parked+answer", "held+answer+stands": "parked+answer", "queued": "cancelled", "queued+answer": "parked+answer", "processing": "cancelled",
			"failed": "cancelled", "failed+answer": "parked+answer", "held": "cancelled", "held+answer": "parked+answer", "cancelled+claims": "cancelled", "cancelled+answer+claims": "parked+answer",
			"cancelled+answer+undone+claims": "cancelled+answer+undone"}},
	{"withhold", func(ctx context.Context, j *Journal, id string) error { return j.Withhold(ctx, id, "by hand") },
		map[string]string{"scheduled": "cancelled+claims", "proposed+answer": "cancelled+claims", "proposed+answer+stands": "done", "queued+stands": "done", "processing+stands": "done", "held+stands": "done", "queued+answer+stands": "parked+answer", "failed+answer+stands": "parked+answer", "held+answer+stands": "parked+answer", "queued": "cancelled+claims", "queued+answer": "cancelled+answer+claims", "processing": "cancelled+claims",
			"failed": "cancelled+claims", "failed+answer": "cancelled+answer+claims", "held": "cancelled+claims", "held+answer": "cancelled+answer+claims"}},
	{"requeue", func(ctx context.Context, j *Journal, id string) error {
		return j.Requeue(ctx, id, "again", later, Count{Attempts: 1})
	}, map[string]string{"processing+stands": "queued+stands", "processing+answer+stands": "queued+answer+stands", "processing": "queued", "processing+answer": "queued+answer", "processing+answer+undoing": "queued+answer+undoing"}},
	{"postpone", func(ctx context.Context, j *Journal, id string) error {
		_, err := j.Postpone(ctx, id, "at its limit", later)
		return err
	}, map[string]string{"queued+stands": "queued+stands", "processing+stands": "queued+stands", "queued": "queued", "processing": "queued"}},
	{"retry", func(ctx context.Context, j *Journal, id string) error {
		_, err := j.Retry(ctx, id, "retry")
		return err
	}, map[string]string{"queued+stands": "queued+stands", "held+stands": "queued+stands", "queued+answer+stands": "queued+answer+stands", "failed+answer+stands": "queued+answer+stands", "held+answer+stands": "queued+answer+stands", "queued": "queued", "queued+answer": "queued+answer", "failed": "queued", "failed+answer": "queued+answer", "held": "queued", "held+answer": "queued+answer", "cancelled+claims": "queued", "cancelled+answer+claims": "queued+answer",
		"cancelled+answer+undone+claims": "queued+answer"}},
	{"undoing", func(ctx context.Context, j *Journal, id string) error {
		_, err := j.BeginUndo(ctx, id)
		return err
	}, map[string]string{"done": "processing+answer+undoing"}},
	{"undone", func(ctx context.Context, j *Journal, id string) error {
		return j.RecordUndone(ctx, id, "undone", [32]byte{7})
	},
		map[string]string{"processing+answer+undoing": "cancelled+answer+undone+claims"}},
	{"kept", func(ctx context.Context, j *Journal, id string) error { return j.RecordUndoRefused(ctx, id, "edited") },
		map[string]string{"processing+answer+undoing": "done"}},
	{"overwritten", func(ctx context.Context, j *Journal, id string) error {
		_, err := j.RequeueOverwritten(ctx, id, []int{0, 1}, later, "an editor")
		return err
	}, map[string]string{"done": "queued+answer"}},
	{"overwrittenForGood", func(ctx context.Context, j *Journal, id string) error {
		_, err := j.RequeueOverwritten(ctx, id, []int{0, 1}, time.Time{}, "an editor")
		return err
	}, map[string]string{"done": "failed+answer"}},
	{"reverted", func(ctx context.Context, j *Journal, id string) error {
		return j.HoldReverted(ctx, id, []int{0, 1}, "a checkout")
	}, map[string]string{"done": "held+answer"}},
	{"restored", func(ctx context.Context, j *Journal, id string) error { return j.RecordRestored(ctx, id) },
		map[string]string{"held+answer+stands": "done", "held+answer": "done"}},
	{"found", func(ctx context.Context, j *Journal, id string) error {
		_, err := j.RequeueFound(ctx, id)
		return err
	}, map[string]string{"parked+answer": "queued+answer"}},
	{"schedule", func(ctx context.Context, j *Journal, id string) error { return j.ComeAgain(ctx, id, "every day") },
		map[string]string{"held": "scheduled", "cancelled+claims": "scheduled"}},
	{"release", func(ctx context.Context, j *Journal, id string) error {
		_, err := j.Release(ctx, id, "by hand")
		return err
	}, map[string]string{"held+stands": "queued+stands", "held+answer+stands": "queued+answer+stands", "held": "queued", "held+answer": "queued+answer"}},
	{"move", func(ctx context.Context, j *Journal, id string) error {
		d, err := j.Get(ctx, id)
		if err == nil {
			_, err = j.Move(ctx, id, d.File, map[string]int{d.Markers[0].Text: 4, d.Markers[1].Text: 4})
		} else {
			_, err = j.Move(ctx, id, "b.md", nil)
		}
		return err
	}, map[string]string{"scheduled": "scheduled", "proposed+answer": "proposed+answer", "proposed+answer+stands": "proposed+answer+stands", "queued+stands": "queued+stands", "processing+stands": "processing+stands", "held+stands": "held+stands", "queued+answer+stands": "queued+answer+stands", "processing+answer+stands": "processing+answer+stands", "failed+answer+stands": "failed+answer+stands", "held+answer+stands": "held+answer+stands", "queued": "queued", "queued+answer": "queued+answer", "processing": "processing", "processing+answer": "processing+answer",
		"failed": "failed", "failed+answer": "failed+answer", "held": "held", "held+answer": "held+answer",
		"cancelled+claims": "cancelled+claims", "cancelled+answer+claims": "cancelled+answer+claims",
		"cancelled+answer+undone+claims": "cancelled+answer+undone+claims"}},
	{"renew", func(ctx context.Context, j *Journal, id string) error {
		_, err := j.Renew(ctx, id)
		return err
	}, map[string]string{"queued": "queued", "queued+answer": "queued", "failed": "queued", "failed+answer": "queued", "held": "queued", "held+answer": "queued",
		"cancelled+claims": "queued", "cancelled+answer+claims": "queued", "cancelled+answer+undone+claims": "queued", "done": "queued+stands",
		"proposed+answer": "queued", "proposed+answer+stands": "queued+stands", "queued+stands": "queued+stands", "queued+answer+stands": "queued+stands", "held+stands": "queued+stands", "held+answer+stands": "queued+stands", "failed+answer+stands": "queued+stands"}},
	{"replaced", func(ctx context.Context, j *Journal, id string) error {
		return j.RecordReplaced(ctx, id, []note.Block{{Text: []byte("new")}, {}}, [32]byte{8})
	}, map[string]string{"processing+answer+stands": "done"}},
	{"dismiss", func(ctx context.Context, j *Journal, id string) error { return j.Dismiss(ctx, id, "taken") },
		map[string]string{"parked+answer": "cancelled+answer"}},
	{"recover", func(ctx context.Context, j *Journal, id string) error {
		_, err := j.Recover(ctx)
		return err
	}, map[string]string{"processing+stands": "queued+stands", "processing": "queued"}},
}

func act(t *testing.T, j *Journal, id, name string) error {
	t.Helper()
	for _, a := range actions {
		if a.name == name {
			return a.do(context.Background(), j, id)
		}
	}
	t.Fatalf("no action %s", name)
	return nil
}

// bring returns a new dispatch in the situation that path leads to.
func bring(t *testing.T, j *Journal, path string) Dispatch {
	t.Helper()
	d := accept(t, j, ids.New(time.Now())+".md", 2)
	for _, name := range strings.Fields(path) {
		must(t, act(t, j, d.ID, name))
	}
	return get(t, j, d.ID)
}

func situation(d Dispatch) string {
	name := string(d.Status)
	if d.Answered && d.Status != Done {
		name += "+answer"
	}
	if d.Replaces() {
		name += "+stands"
	}
	if d.Undo != "" {
		name += "+" + string(d.Undo)
	}
	if d.Withheld {
		name += "+claims"
	}
	return name
}

func TestEveryActionInEveryState(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	pairs, every := 0, 1 // each is prime to the number of situations and to that of actions, so all are met
	if fewer > 1 {
		every = 5
	}
	if testing.Short() {
		every = 13
	}
	if every > 1 && (len(actions)%every == 0 || len(situations)%every == 0) {
		t.Fatalf("one in %d of %d pairs leaves actions or situations out", every, len(actions)*len(situations))
	}
	for _, s := range situations {
		for _, a := range actions {
			if pairs++; pairs%every != 0 {
				continue
			}
			before := bring(t, j, s.path)
			if got := situation(before); got != s.name {
				t.Fatalf("%q leads to %s, not %s", s.path, got, s.name)
			}
			steps, err := j.Steps(ctx, before.ID)
			must(t, err)

			err = a.do(ctx, j, before.ID)

			after := get(t, j, before.ID)
			stepsAfter, stepsErr := j.Steps(ctx, before.ID)
			must(t, stepsErr)
			want, allowed := a.to[s.name]
			if !allowed {
				if !errors.Is(err, ErrState) && a.name != "recover" {
					t.Errorf("%s when %s: %v, want ErrState", a.name, s.name, err)
				}
				if err != nil && !strings.Contains(err.Error(), "it is "+wording.Status(string(before.Status))) {
					t.Errorf("%s when %s: %q does not name the state", a.name, s.name, err)
				}
				if !reflect.DeepEqual(before, after) || len(steps) != len(stepsAfter) {
					t.Errorf("%s when %s was refused and changed something", a.name, s.name)
				}
				continue
			}
			if err != nil || situation(after) != want {
				t.Errorf("%s when %s: %s, %v; want %s", a.name, s.name, situation(after), err, want)
			}
			if len(stepsAfter) <= len(steps) {
				t.Errorf("%s when %s left no line of history", a.name, s.name)
			}
			if before.Answered && a.name != "renew" && (!after.Answered && before.Status != Proposed || after.Markers[0].Answer != "one" || after.Markers[1].Answer != "two") {
				t.Errorf("%s when %s lost an answer", a.name, s.name)
			}
			wantClaims(t, j, after)
		}
	}
	t.Logf("%d pairs", pairs)
}

// wantClaims checks that exactly the unwritten markers of an unfinished dispatch
// are claimed.
func wantClaims(t *testing.T, j *Journal, d Dispatch) {
	t.Helper()
	want := 0
	switch d.Status {
	case Queued, Processing, Failed, Held, Proposed, Scheduled:
		want = 2
	case Cancelled:
		if d.Withheld {
			want = 2
		}
	}
	if d.Replaces() {
		want = 0 // its markers are not in the note
	}
	claims, err := j.Claims(context.Background(), d.Vault, d.File)
	must(t, err)
	if len(claims) != want {
		t.Errorf("a %s dispatch has %d claims, want %d", d.Status, len(claims), want)
	}
	for i, c := range claims {
		if c.Dispatch != d.ID || c.Status != d.Status || c.File != d.File || c.Marker.Text != d.Markers[i].Text {
			t.Errorf("claim %+v", c)
		}
	}
}

func TestUnknownDispatch(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	for _, a := range actions {
		if err := a.do(ctx, j, "0000000000000"); a.name != "recover" && !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", a.name, err)
		}
	}
	if _, err := j.Get(ctx, "x"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := j.Steps(ctx, "x"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

func TestAttemptsAndStarts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	d := bring(t, j, "start")
	check := func(what string, attempts, starts int, next time.Time) {
		t.Helper()
		got := get(t, j, d.ID)
		if got.Attempts != attempts || got.Starts != starts || !got.NextAttempt.Equal(next) {
			t.Errorf("%s: attempts %d, starts %d, next %v", what, got.Attempts, got.Starts, got.NextAttempt)
		}
	}
	check("started", 0, 1, time.Time{})
	must(t, j.Requeue(ctx, d.ID, "rate limit", later, Count{Attempts: 1}))
	check("a failed run", 1, 1, later)
	must(t, act(t, j, d.ID, "start"))
	must(t, j.Requeue(ctx, d.ID, "stopping", later, Count{}))
	check("our own stop", 1, 2, later)
	must(t, act(t, j, d.ID, "start"))
	must(t, j.Requeue(ctx, d.ID, "nobody was asked", later, Count{Starts: -1}))
	check("a run that asked nobody", 1, 2, later)
	must(t, act(t, j, d.ID, "start"))
	_, err := j.Recover(ctx)
	must(t, err)
	check("a crash", 1, 3, time.Time{})
	must(t, j.Fail(ctx, d.ID, "interrupted too often"))
	check("failed without a run", 1, 3, time.Time{})
	if got := get(t, j, d.ID); got.Finished.IsZero() || got.Error != "interrupted too often" {
		t.Errorf("failed: %+v", got)
	}
	got, err := j.Retry(ctx, d.ID, "retry")
	must(t, err)
	check("a retry", 0, 0, time.Time{})
	must(t, act(t, j, d.ID, "start"))
	must(t, act(t, j, d.ID, "postpone"))
	check("a run that met a limit", 0, 0, later)
	must(t, act(t, j, d.ID, "postpone"))
	check("still at its limit", 0, 0, later)
	if !got.Finished.IsZero() || got.Error != "" || got.Trigger != "retry" {
		t.Errorf("retried: %+v", got)
	}
	must(t, act(t, j, d.ID, "start"))
	must(t, j.Fail(ctx, d.ID, "empty answer"))
	check("a run that failed for good", 1, 1, time.Time{})
	_, err = j.Retry(ctx, d.ID, "retry")
	must(t, err)
	must(t, act(t, j, d.ID, "start"))
	must(t, act(t, j, d.ID, "answered"))
	must(t, j.Requeue(ctx, d.ID, "read-only note", later, Count{}))
	again, err := j.Start(ctx, d.ID, "another", time.Now())
	must(t, err)
	if again.Starts != 1 || again.Runner != "runner" || again.Markers[1].Answer != "two" {
		t.Errorf("writing again counted as a run: %+v", again)
	}
	must(t, j.Fail(ctx, d.ID, "read-only note"))
	check("a failed writing", 0, 1, time.Time{})
}

func TestWrittenHalf(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	d := bring(t, j, "start answered swapping")
	for _, bad := range [][]int{{-1}, {0, 2}} {
		if err := j.RecordWritten(ctx, d.ID, bad, [32]byte{1}); err == nil {
			t.Errorf("positions %v were taken", bad)
		}
	}
	if got := get(t, j, d.ID); !reflect.DeepEqual(got, d) {
		t.Fatalf("a refused write changed %+v", got)
	}
	must(t, j.RecordWritten(ctx, d.ID, []int{1}, [32]byte{1}))
	got := get(t, j, d.ID)
	if got.Status != Parked || got.Markers[0].Written || !got.Markers[1].Written || got.Hash != [32]byte{1} {
		t.Errorf("stored %+v", got)
	}
	if want := "1 of 2 marker lines are no longer in the note"; got.Error != want {
		t.Errorf("reason %q, want %q", got.Error, want)
	}
	if swaps, err := j.Swaps(ctx); err != nil || len(swaps) != 1 {
		t.Errorf("the swap was closed by the write: %v, %v", swaps, err)
	}
	wantSteps(t, j, d.ID, "accepted watch", "started runner", "answered ", "swapping /vault/a.md", "written 1", "parked "+got.Error)
}

func TestAnswersMustFit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	d := bring(t, j, "start")
	for _, answers := range [][]string{nil, {"one"}, {"one", "two", "three"}} {
		if err := j.RecordAnswers(ctx, d.ID, answers); err == nil || errors.Is(err, ErrState) {
			t.Errorf("%d answers for 2 markers: %v", len(answers), err)
		}
	}
	if got := get(t, j, d.ID); !reflect.DeepEqual(got, d) {
		t.Errorf("refused answers changed %+v", got)
	}
}

// A question of another agent, or of a proof, stays one when a person runs it again: what it may see hangs on that.
func TestRunAgainForWhomItWas(t *testing.T) {
	t.Parallel()
	j := openAt(t, filepath.Join(t.TempDir(), "journal.db"))
	for first, want := range map[string]string{"watch": TriggerRetry, TriggerAgent: TriggerAgent, TriggerProof: TriggerProof} {
		d, equal := group(first+".md", 1)
		d.Trigger = first
		d, _, err := j.Accept(t.Context(), d, equal)
		must(t, err)
		if got, err := j.Retry(t.Context(), d.ID, TriggerRetry); err != nil || got.Trigger != want {
			t.Errorf("%s, run again: %q, %v", first, got.Trigger, err)
		}
		if got, err := j.Renew(t.Context(), d.ID); err != nil || got.Trigger != want {
			t.Errorf("%s, asked anew: %q, %v", first, got.Trigger, err)
		}
	}
}
