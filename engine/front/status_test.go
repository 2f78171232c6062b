package front

import (
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/rows"
	"vaultdispatcher/engine/asking"
	"vaultdispatcher/engine/broadcast/speech"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/notices"
	"vaultdispatcher/engine/schedule/runs"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/wording"
)

// The questions of a status are those of the rows that its list has, and so are their words.
func TestQuestionsAreCountedAsListed(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	j, err := journal.On(database.Open(ctx, filepath.Join(dir, "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	ask := func(questions int, noResult int64, end func(id string) error) {
		t.Helper()
		d := journal.Dispatch{Vault: dir, File: "a.md", Key: "agent-miner", Role: "Miner", Status: journal.Queued, Asked: journal.AskedTold, Markers: make([]journal.Marker, questions)}
		for i := range d.Markers {
			d.Markers[i].Instruction = "why?"
		}
		d, _, err := j.Accept(ctx, d, nil)
		if err == nil && end != nil {
			_, started := j.Start(ctx, d.ID, "runner", time.Now())
			err = errors.Join(started, j.KeepResult(ctx, d.ID, nil, noResult), j.RecordAnswers(ctx, d.ID, make([]string, questions)), end(d.ID))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	done := func(id string) error { return j.RecordTold(ctx, id) }
	parked := func(id string) error { return j.Park(ctx, id, "its place is gone") }
	ask(1, 0, nil)
	ask(3, 0, nil)
	for _, noResult := range []int64{0, 1, 4, 7} {
		ask(3, noResult, done)
		ask(3, noResult, parked)
	}
	ask(1, 1, done)
	f := New(Options{Vaults: &vault.Set{openVault(dir)}, Journal: j, Steps: new(asking.Progress), Sound: new(speech.Desk)})
	counts, err := j.Counts(ctx)
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.countQuestions(ctx, counts)
	if err != nil || len(got) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, c := range got {
		list, err := f.Dispatches(ctx, api.Filter{Status: c.Status})
		if err != nil {
			t.Fatal(err)
		}
		want := api.QuestionCount{Status: c.Status}
		for _, q := range rows.OfList(list, "") {
			if want.Count++; q.Outcome() == wording.NoResult {
				want.NoResult++
			}
		}
		if c != want {
			t.Errorf("%+v, want %+v", c, want)
		}
	}
	if n, asked, none, err := j.CountNewest(ctx, journal.Done, 2); n != 2 || asked != 4 || none != 4 || err != nil {
		t.Errorf("of the newest two: %d with %d questions, %d without a result, %v", n, asked, none, err)
	}
}

// As long as nothing changes a status reads nothing of the journal.
func TestStatusReadsWhatHasChanged(t *testing.T) {
	ctx := t.Context()
	j, err := journal.On(database.Open(ctx, filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	board := new(notices.Board)
	f := New(Options{Vaults: &vault.Set{}, Journal: j, Board: board,
		Runs: runs.New(runs.Options{Journal: j, Zone: time.UTC, Log: slog.New(slog.DiscardHandler)})})
	if _, err := f.readPast(ctx, false); err != nil {
		t.Fatal(err)
	}
	f.history[0].read = time.Now().Add(time.Hour) // no second goes by
	j.Close()
	if _, err := f.readPast(ctx, false); err != nil {
		t.Errorf("nothing has changed: %v", err)
	}
	board.StatusChanged()
	if _, err := f.readPast(ctx, false); err == nil {
		t.Error("a change is not read")
	}
}

// The questions of a status are counted after each change while nothing is at work, and else once a second.
func TestQuestionsAreCountedOnceASecondInABurst(t *testing.T) {
	ctx := t.Context()
	j, err := journal.On(database.Open(ctx, filepath.Join(t.TempDir(), "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	board := new(notices.Board)
	f := New(Options{Vaults: &vault.Set{}, Journal: j, Board: board, Steps: new(asking.Progress), Sound: new(speech.Desk),
		Runs: runs.New(runs.Options{Journal: j, Zone: time.UTC, Log: slog.New(slog.DiscardHandler)})})
	var asked []string
	ask := func() {
		t.Helper()
		d, _, err := j.Accept(ctx, journal.Dispatch{Vault: "v", File: "a.md", Key: "agent-miner", Role: "Miner", Status: journal.Queued, Asked: journal.AskedTold, Markers: make([]journal.Marker, 1)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		asked = append(asked, d.ID)
		board.StatusChanged()
	}
	expect := func(when string, queued int) {
		t.Helper()
		k, err := f.readPast(ctx, false)
		n := 0
		for _, c := range k.questions {
			n += c.Count
		}
		if err != nil || n != queued || k.counts[journal.Queued] != len(asked) {
			t.Errorf("%s: %+v of %d, want %d; %v", when, k.questions, k.counts[journal.Queued], queued, err)
		}
	}
	ask()
	expect("at first", 1)
	f.history[0].counted = time.Now().Add(time.Hour) // no second goes by
	ask()
	expect("within the second", 1)
	f.history[0].counted = time.Now().Add(-time.Second)
	ask()
	expect("after it", 3)
	f.history[0].counted = time.Now().Add(time.Hour)
	for _, id := range asked {
		if err := j.Cancel(ctx, id, "a test"); err != nil {
			t.Fatal(err)
		}
	}
	asked = nil
	board.StatusChanged()
	expect("when none waits any more", 0)
}
