package front

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/proposal"
	"vaultdispatcher/engine/schedule/runs"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/behind"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/writer"
)

// This file is what a person may decide about a dispatch, and about an answer before it is written. Its calls come from a
// person's own program, with the token or a session, or from a button of a message that this engine has signed (engine/webhook);
// nothing that a note, an agent or another message says leads here.

func (f *decisions) Retry(ctx context.Context, id string) (api.Dispatch, error) {
	d, err := f.getRetriable(ctx, id)
	if err != nil {
		return api.Dispatch{}, err
	}
	err = f.Starts.ByHand(ctx, d, func() error { return f.Dispatcher.Retry(ctx, id) })
	return f.recordAfter(ctx, id, err)
}

// AskAgain implements [api.Backend]. Answers in the note are replaced when the new ones are there.
func (f *decisions) AskAgain(ctx context.Context, id string) (api.Dispatch, error) {
	d, err := f.getRetriable(ctx, id)
	if err != nil {
		return api.Dispatch{}, err
	}
	if _, _, err := f.Roles.Find(d.Role); err != nil {
		return api.Dispatch{}, &api.Conflict{Reason: "It is not asked: " + err.Error() + "."}
	}
	if edits, err := writer.EditsOf(ctx, f.Journal, d); d.Status == journal.Done && (edits != nil || err != nil) {
		return api.Dispatch{}, &api.Conflict{Reason: "Its answer has edited the note. Undo it, and then ask again."}
	}
	if d.Status == journal.Done && d.Asked == journal.AskedTold {
		// No note has it.
	} else if d.Status == journal.Done && d.Asked != "" {
		return api.Dispatch{}, &api.Conflict{Reason: "Its answer was appended to the note; ask once more to have another below it."}
	} else if d.Status == journal.Done {
		v := f.Vaults.At(d.Vault)
		src, err := vault.OnDisk(ctx, v, func(disk vault.Disk) ([]byte, error) { return disk.Read(d.File) })
		if errors.Is(err, fs.ErrNotExist) {
			err = &api.Conflict{Reason: "The note is not at its place any more."}
		}
		if err != nil {
			return api.Dispatch{}, toWireError(err)
		}
		if reason := writer.WhyNotReplaced(src, d); reason != "" {
			return api.Dispatch{}, &api.Conflict{Reason: reason}
		}
	}
	err = f.Starts.ByHand(ctx, d, func() error { return f.Dispatcher.AskAgain(ctx, id) })
	return f.recordAfter(ctx, id, err)
}

// getRetriable returns a dispatch that may be tried again, which is no way around its release.
func (f *decisions) getRetriable(ctx context.Context, id string) (journal.Dispatch, error) {
	d, err := f.getStartable(ctx, id)
	if err == nil && d.Hold == journal.ForUntrusted {
		err = &api.Conflict{Reason: unread}
	}
	return d, err
}

func (f *decisions) Release(ctx context.Context, id string) (api.Dispatch, error) {
	d, err := f.getStartable(ctx, id)
	if err != nil {
		return api.Dispatch{}, err
	}
	if _, _, err := f.Roles.Find(d.Role); err != nil && d.Status == journal.Held {
		return api.Dispatch{}, &api.Conflict{Reason: "It still waits for you: " + err.Error() + "."}
	}
	err = f.Starts.ByHand(ctx, d, func() error { return f.Dispatcher.Release(ctx, id, "by hand") })
	return f.recordAfter(ctx, id, err)
}

// getStartable returns a dispatch that may be started at a person's wish.
func (f *decisions) getStartable(ctx context.Context, id string) (journal.Dispatch, error) {
	d, err := f.Journal.Get(ctx, id)
	if err != nil {
		return d, toWireError(err)
	}
	v := f.Vaults.At(d.Vault)
	if v == nil {
		return d, &api.Conflict{Reason: f.Vaults.WhyNone(d.Vault)}
	}
	if why := v.Condition.WhyIdle(); why != "" {
		return d, &api.Conflict{Reason: wording.Sentence(why)}
	}
	if reason := f.Roles.Rules.WhyNotAsked(d.Role, d.File); reason != "" {
		return d, &api.Conflict{Reason: "It is not asked: " + reason + "."}
	}
	return d, nil
}

// Cancel implements [api.Backend]. The marker remains, and waits for a retry or for its line to
// change; so does an answer that waits for a busy note. A parked dispatch has no marker any more: it
// leaves the list of answers that wait.
func (f *decisions) Cancel(ctx context.Context, id string) (api.Dispatch, error) {
	d, err := f.Journal.Get(ctx, id)
	if err == nil && d.Status == journal.Parked {
		return f.recordAfter(ctx, id, f.Journal.Dismiss(ctx, id, "the answer was taken or is not wanted"))
	}
	withhold := func() error { return f.Dispatcher.Withhold(ctx, id, "cancelled by hand") }
	refused := withhold()
	if !errors.Is(refused, journal.ErrState) || !d.Answered {
		return f.recordAfter(ctx, id, refused)
	}
	if err := f.Writer.CancelWaiting(ctx, id, withhold); err == nil || !errors.Is(err, journal.ErrState) {
		refused = err
	}
	return f.recordAfter(ctx, id, refused)
}

// Undo implements [api.Backend]: the markers are in the note again, and nothing
// starts them but a retry or a change of their line.
func (f *decisions) Undo(ctx context.Context, id string) (api.Dispatch, error) {
	d, err := f.Journal.Get(ctx, id)
	if err != nil {
		return api.Dispatch{}, toWireError(err)
	}
	if reason := f.whyNotUndoable(d); reason != "" {
		return api.Dispatch{}, &api.Conflict{Reason: reason}
	}
	return f.recordAfter(ctx, id, f.takeBack(ctx, d))
}

// TrimRuns removes the answers of a repeated question from its note, except the newest ones that it keeps. An answer that
// a person has edited or moved stays, and does not count.
func (f *decisions) TrimRuns(ctx context.Context, q runs.Question) error {
	root, _ := api.FindRoot(f.Roots(), q.Vault) // none where it names none
	list, err := f.Journal.List(ctx, journal.Filter{Status: journal.Done, Vault: root.Path, File: q.Note, Query: q.Instruction, Limit: api.MostAnswers})
	if err != nil {
		return err
	}
	kept := 0
	for _, d := range list {
		if id, _ := f.Journal.Part(ctx, d.ID, journal.PartSchedule); id != q.ID {
			continue
		}
		v := f.Vaults.At(d.Vault)
		if v == nil {
			continue
		}
		isInRun := false
		if d, err = f.Journal.Get(ctx, d.ID); err == nil {
			isInRun, err = vault.OnDisk(ctx, v, func(vault.Disk) (bool, error) { return f.Writer.IsInRun(ctx, d) })
		}
		if isInRun {
			if kept++; kept > q.Keep {
				err = f.takeBack(ctx, d)
			}
		}
		if refused := new(writer.Refused); err != nil && !errors.As(err, &refused) {
			return err
		}
	}
	return nil
}

// takeBack undoes what was written into an open vault.
func (f *decisions) takeBack(ctx context.Context, d journal.Dispatch) error {
	v := f.Vaults.At(d.Vault)
	d, err := v.BeginUndo(ctx, d)
	if err != nil {
		return err
	}
	var taken atomic.Bool // by the one that makes the undo: this call, or the writer if the disk was not available
	_, err = vault.OnDiskElse(ctx, v, func(disk vault.Disk) (struct{}, error) {
		if !taken.CompareAndSwap(false, true) {
			return struct{}{}, nil
		}
		return struct{}{}, f.undoBegun(context.WithoutCancel(ctx), disk, d)
	}, func(_ struct{}, err error) { f.tellUndoLate(d, err) })
	if err != nil && taken.CompareAndSwap(false, true) {
		f.Writer.Submit(d)
	}
	if silent, ok := errors.AsType[*behind.Silent](err); ok {
		err = &api.Conflict{Reason: "The vault " + silent.Vault + " is " + silent.Start + ". The undo has begun and goes on when it responds; a notice says if it fails."}
	}
	return err
}

// undoBegun makes an undo that the journal knows of. It waits for the disk.
func (f *decisions) undoBegun(ctx context.Context, disk vault.Disk, d journal.Dispatch) error {
	err := f.Writer.Undo(ctx, d)
	if err == nil {
		f.Board.End(func(n api.Notice) bool { return n.Code == api.NoticeUndo && n.Args["dispatch"] == d.ID })
	}
	// A marker that came meanwhile may have been taken for ours.
	disk.LookQuietly(ctx, vault.Save{Rel: d.File, Time: time.Now(), Trigger: "reconcile"})
	return err
}

// tellUndoLate tells what came of an undo whose caller has gone.
func (f *decisions) tellUndoLate(d journal.Dispatch, err error) {
	if refused, ok := errors.AsType[*writer.Refused](err); ok {
		f.UndoFailed(d, refused.Reason)
	} else if err != nil {
		f.Log.Warn("undo an answer", "dispatch", d.ID, "error", err)
	}
}

func (f *decisions) Proposed(ctx context.Context) ([]api.Proposal, error) {
	list, err := f.listWhole(ctx, journal.Proposed, api.MostProposed)
	proposals := make([]api.Proposal, len(list))
	for i, d := range list {
		detail := f.toDetail(d, nil)
		p := api.Proposal{Dispatch: detail.Dispatch, Answers: detail.Answers}
		shown, err := f.preview(ctx, d)
		if err != nil {
			p.Problem = "It cannot be shown now: " + err.Error()
		}
		p.Diff, p.Seen = shown.Diff, shown.Hash
		proposals[i] = p
	}
	return proposals, err
}

// preview returns the changes of a proposal to the present note.
func (f *decisions) preview(ctx context.Context, d journal.Dispatch) (proposal.Shown, error) {
	v := f.Vaults.At(d.Vault)
	switch {
	case v != nil:
	case len(f.Vaults.Opened()) < len(*f.Vaults):
		return proposal.Shown{}, &api.StatusError{Status: http.StatusServiceUnavailable, Code: "offline", Text: f.Vaults.WhyNone(d.Vault)}
	default:
		return proposal.Shown{}, &api.Conflict{Reason: f.Vaults.WhyNone(d.Vault)}
	}
	shown, err := vault.OnDisk(ctx, v, func(vault.Disk) (proposal.Shown, error) { return f.Writer.Preview(ctx, d) })
	return shown, toWireError(err)
}

func (f *decisions) Accept(ctx context.Context, id string, req api.AcceptRequest) (api.Dispatch, error) {
	d, err := f.Journal.Get(ctx, id)
	if err != nil {
		return api.Dispatch{}, toWireError(err)
	}
	if d.Status != journal.Proposed {
		_, err = f.Journal.Approve(ctx, id, "", nil) // says what it is
		return f.recordAfter(ctx, id, err)
	}
	shown, err := f.preview(ctx, d)
	if err != nil {
		return api.Dispatch{}, err
	}
	if shown.Hash != req.Seen {
		return api.Dispatch{}, api.Changed(shown.Diff, shown.Hash)
	}
	var answers []string
	if req.Text != nil {
		if len(d.Markers) > 1 {
			return api.Dispatch{}, &api.Invalid{Reason: "It has several answers, so none of them can be changed here; accept or reject them as they are.", Field: "text"}
		}
		answers, d.Markers[0].Answer = []string{*req.Text}, *req.Text
		if shown, err = f.preview(ctx, d); err != nil {
			return api.Dispatch{}, err
		}
	}
	if d, err = f.Journal.Approve(ctx, id, shown.Hash, answers); err == nil {
		f.Writer.Submit(d)
	}
	return f.recordAfter(ctx, id, err)
}

func (f *decisions) Reject(ctx context.Context, id, because string) (api.Dispatch, error) {
	d, err := f.Journal.Get(ctx, id)
	switch {
	case err != nil:
		return api.Dispatch{}, toWireError(err)
	case d.Status != journal.Proposed:
		_, err = f.Journal.Reject(ctx, id, because) // says what it is
	case because == "":
		err = f.Dispatcher.Withhold(ctx, id, "the answer was rejected")
	default:
		if d, err = f.getStartable(ctx, id); err != nil {
			return api.Dispatch{}, err
		}
		err = f.Starts.ByHand(ctx, journal.Dispatch{ID: id, Role: d.Role}, func() error { return f.Dispatcher.Reject(ctx, id, because) })
	}
	return f.recordAfter(ctx, id, err)
}
