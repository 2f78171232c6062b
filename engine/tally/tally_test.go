package tally

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/vault/testdata/growth"
)

// in returns a time of a zone in which a day of this autumn has 25 hours.
func in(t *testing.T, day, hour, minute int) time.Time {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return time.Date(2026, 10, day, hour, minute, 0, 0, zone)
}

// A question counts on its day, by the clock of the person; one that waited for a person says nothing about how long answers take.
func TestReport(t *testing.T) {
	now := in(t, 26, 8, 0)
	done := func(at time.Time, took time.Duration) journal.Ending {
		return journal.Ending{Role: "Miner", Status: journal.Done, Created: at.Add(-took), Finished: at, Questions: 1, Tokens: 10, Cost: .5}
	}
	waited, undone, failed, rejected := done(in(t, 26, 7, 0), time.Hour), done(in(t, 26, 7, 0), time.Hour), done(in(t, 26, 7, 0), time.Hour), done(in(t, 25, 23, 59), time.Second)
	waited.Waited, undone.Status, undone.Reverted, failed.Status = true, journal.Cancelled, true, journal.Failed
	rejected.Role, rejected.Questions, rejected.Rejected, rejected.NoResult = "Writer", 5, 2, 1<<5-1
	ended := []journal.Ending{done(in(t, 25, 0, 0), 2*time.Second), done(in(t, 25, 1, 0), 4*time.Second), done(in(t, 24, 23, 59), time.Second), waited, undone, failed, rejected,
		{Role: "Miner", Status: journal.Cancelled, Finished: now}, done(in(t, 26, 0, 0).AddDate(0, 0, -30), time.Second)}
	asked := 0
	room := New(func(_ context.Context, since time.Time) ([]journal.Ending, error) {
		if asked++; !since.Equal(in(t, 27, 0, 0).AddDate(0, 0, -api.UsageDays)) {
			t.Errorf("what has ended since %v is read", since)
		}
		return ended, nil
	})
	r, err := room.Report(t.Context(), now)
	if err != nil || len(r.Roles) != 2 || r.Roles[0].Role != "Miner" {
		t.Fatalf("%v, %+v", err, r.Roles)
	}
	miner, writer := r.Roles[0], r.Roles[1]
	if got := miner.Answers[api.UsageDays-3:]; !slices.Equal(got, []float64{1, 2, 2}) || api.Sum(miner.Answers) != 5 || miner.Answered != 5 || miner.Undone != 1 || miner.Unanswered != 1 {
		t.Errorf("Miner: %v, %+v", got, miner)
	}
	if miner.Wait50 != 2 || miner.Wait95 != 4 || !slices.Equal(r.Wait50[api.UsageDays-3:], []float64{1, 2, -1}) || !slices.Equal(r.Wait95[api.UsageDays-3:], []float64{1, 4, -1}) {
		t.Errorf("waits are %v and %v, of a day %v and %v", miner.Wait50, miner.Wait95, r.Wait50, r.Wait95)
	}
	if writer.Answered != 5 || writer.Rejected != 2 || writer.NoResult != 5 || api.Sum(miner.Tokens) != 60 || miner.Dollars[api.UsageDays-1] != 1.5 {
		t.Errorf("%+v\n%+v", writer, miner)
	}
	if _, err := room.Report(t.Context(), now.Add(keepFor/2)); err != nil || asked != 1 {
		t.Errorf("%v; the journal was read %d times", err, asked)
	}
	if _, err := room.Report(t.Context(), now.Add(keepFor)); err != nil || asked != 2 {
		t.Errorf("%v; the journal was read %d times", err, asked)
	}
}

// A journal that cannot be read is no empty one.
func TestReportTellsWhatFails(t *testing.T) {
	broken := fmt.Errorf("the disk is away")
	room := New(func(context.Context, time.Time) ([]journal.Ending, error) { return nil, broken })
	for range 2 {
		if _, err := room.Report(t.Context(), time.Now()); err != broken {
			t.Errorf("%v", err)
		}
	}
}

// A report costs as much as has ended, whatever the number of roles.
func TestGrowthOfAReport(t *testing.T) {
	now := time.Now()
	growth.Gently(t, 500, func(n int) func() {
		ended := make([]journal.Ending, n)
		for i := range ended {
			ended[i] = journal.Ending{Role: fmt.Sprint("Role", i%50), Status: journal.Done, Questions: 1, Created: now.Add(-time.Duration(i) * time.Minute), Finished: now}
		}
		return func() {
			room := New(func(context.Context, time.Time) ([]journal.Ending, error) { return ended, nil })
			if r, err := room.Report(t.Context(), now); err != nil || len(r.Roles) != 50 {
				t.Errorf("%d roles, %v", len(r.Roles), err)
			}
		}
	})
}
