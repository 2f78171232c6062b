package front

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/presence"
)

// This file asks the questions that come again. A run is a dispatch with the time of the run as its TaskID.

// othersFirst is how long another engine of a vault without an owner has for a run, which stands in the note then.
const othersFirst = 10 * time.Minute

// AskRun asks a question that comes again, for the time of a run.
func (f *questions) AskRun(ctx context.Context, q config.Scheduled, run time.Time) error {
	root := api.Root{Name: q.Vault}
	v, err := f.vaultToAsk(ctx, root)
	if err != nil {
		return err
	}
	if others, _ := v.OtherEngines(); len(others) > 0 && slices.Min(others) < presence.ThisMachine() && time.Since(run) < othersFirst {
		return &api.Conflict{Reason: "The machine " + slices.Min(others) + " has a few minutes for it."}
	}
	clock, stamp := "15:04", "2006-01-02-1504"
	if run.Second() > 0 { // a person wanted it between two runs, and may again in the same minute
		clock, stamp = "15:04:05", "2006-01-02-150405"
	}
	question := strings.TrimSpace(q.Instruction) + " (" + run.Format("Monday 2 January 2006, "+clock) + ")"
	d, err := f.buildQuestion(ctx, root, api.AskRequest{Question: question, Role: q.Role, File: q.Note, Append: true})
	if err != nil {
		return err
	}
	asked, err := vault.OnDisk(ctx, v, func(disk vault.Disk) (bool, error) {
		src, err := disk.Read(d.File)
		return err == nil && bytes.Contains(src, []byte("> "+question[strings.LastIndexByte(question, '\n')+1:])), nil // a note that is not there yet has no answer
	})
	if err != nil {
		return toWireError(err)
	}
	d.TaskID, d.Trigger = run.Format(stamp), journal.TriggerSchedule
	d.Key = string(note.Marker{Role: d.Role, TaskID: d.TaskID}.Key())
	if asked {
		d.ID, d.Markers = "", nil
	} else {
		f.Starts.Take(&d, time.Now())
	}
	d, accepted, err := f.Journal.AcceptRun(ctx, d, q.ID(), run)
	if !accepted || asked {
		f.Starts.GiveBack(d.ID)
		return err
	}
	if d.Status == journal.Queued {
		f.Dispatcher.Submit(d)
	} else {
		f.Starts.LookAgain()
	}
	return nil
}

// Schedule implements [api.Backend].
func (f *questions) Schedule(ctx context.Context) ([]api.Scheduled, error) { return f.Runs.List(ctx) }

// ActOnSchedule implements [api.Backend].
func (f *questions) ActOnSchedule(ctx context.Context, id, act string) (api.Scheduled, error) {
	return f.Runs.Act(ctx, id, act)
}
