package front

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/asking"
	"vaultdispatcher/engine/group"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/cleaned"
	"vaultdispatcher/engine/proposal"
	"vaultdispatcher/engine/vault/behind"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/writer"
)

// This file is the one place where the engine's own records become wire types.

func (f *records) Dispatches(ctx context.Context, want api.Filter) ([]api.Dispatch, error) {
	var root api.Root
	if want.Vault != "" {
		var err error
		if root, err = api.FindRoot(f.Roots(), want.Vault); err != nil {
			return nil, err
		}
	}
	list, err := f.Journal.List(ctx, journal.Filter{Status: journal.Status(want.Status), Vault: root.Path, File: want.File, Query: want.Query, Limit: want.Limit})
	if err != nil {
		return nil, fmt.Errorf("list dispatches: %w", err)
	}
	records := make([]api.Dispatch, len(list))
	for i, d := range list {
		records[i] = f.toRecord(d)
	}
	return records, nil
}

func (f *records) Dispatch(ctx context.Context, id string) (api.Detail, error) {
	d, err := f.Journal.Get(ctx, id)
	if err != nil {
		return api.Detail{}, toWireError(err)
	}
	steps, err := f.Journal.Steps(ctx, id)
	if err != nil {
		return api.Detail{}, toWireError(err)
	}
	detail := f.toDetail(d, steps)
	if detail.Cut, err = f.Journal.CutOf(ctx, id); err != nil {
		return api.Detail{}, toWireError(err)
	}
	if d.Status == journal.Done {
		detail.NoUndo = f.whyNotUndoable(d)
	}
	detail.NoRetry = f.whyNotRetriable(d)
	return detail, nil
}

func (f *records) Answers(ctx context.Context) ([]api.Detail, error) {
	list, err := f.listWhole(ctx, journal.Parked, api.MostAnswers)
	details := make([]api.Detail, len(list))
	for i, d := range list {
		details[i] = f.toDetail(d, nil)
	}
	return details, err
}

// listWhole returns the newest dispatches of a status, with their texts.
func (f *records) listWhole(ctx context.Context, status journal.Status, most int) ([]journal.Dispatch, error) {
	list, err := f.Journal.List(ctx, journal.Filter{Status: status, Limit: most})
	if err != nil {
		return nil, fmt.Errorf("list what is %s: %w", status, err)
	}
	for i, d := range list {
		if list[i], err = f.Journal.Get(ctx, d.ID); err != nil {
			return nil, fmt.Errorf("read what is %s: %w", status, err)
		}
	}
	return list, nil
}

// recordAfter returns the record after an action on it.
func (f *records) recordAfter(ctx context.Context, id string, err error) (api.Dispatch, error) {
	if err != nil {
		return api.Dispatch{}, toWireError(err)
	}
	d, err := f.Journal.Get(ctx, id)
	if err != nil {
		return api.Dispatch{}, toWireError(err)
	}
	f.Writer.Changed(d)
	return f.toRecord(d), nil
}

// whyNotRetriable says in one sentence why a dispatch that has failed or was cancelled
// cannot be retried, as far as that can be seen without its note, or nothing.
func (f *records) whyNotRetriable(d journal.Dispatch) string {
	switch {
	case d.Status != journal.Failed && d.Status != journal.Cancelled:
	case d.Status == journal.Cancelled && !d.Withheld:
		return "Its marker was changed or taken away; one that stands in the note is asked by itself."
	case d.Hold == journal.ForUntrusted:
		return unread
	case f.Vaults.At(d.Vault) == nil:
		return f.Vaults.WhyNone(d.Vault)
	}
	return ""
}

// unread is why a question of another person is not retried: that would start it unread.
const unread = "It came with a note from elsewhere and was never released. If it waits for you, read it, then release it; " +
	"if it was cancelled, change its line in the note to ask it."

// whyNotUndoable says in one sentence why a dispatch cannot be undone, as far as
// that can be seen without its note, or nothing.
func (f *records) whyNotUndoable(d journal.Dispatch) string {
	reason := writer.NotUndoable(d, time.Now())
	if reason == "" && f.Vaults.At(d.Vault) == nil {
		reason = f.Vaults.WhyNone(d.Vault)
	}
	return reason
}

// toRecord is a dispatch without its texts.
func (f *records) toRecord(d journal.Dispatch) api.Dispatch {
	r := api.Dispatch{
		ID: d.ID, Vault: f.Vaults.NameOf(d.Vault), File: d.File,
		Role: d.Role, TaskID: d.TaskID, Key: note.KeyText(d.Role, d.TaskID), Agent: d.Agent,
		Markers: len(d.Markers), Lines: []int{}, Status: string(d.Status),
		Attempts: d.Attempts, NextAttemptAt: optionalTime(d.NextAttempt), Runner: d.Runner, Trigger: d.Trigger,
		CreatedAt: d.Created, StartedAt: optionalTime(d.Started), FinishedAt: optionalTime(d.Finished), Error: d.Error,
	}
	r.Progress = cmp.Or(f.Steps.Of(d.ID), f.Sound.Of(d.ID))
	if d.Status == journal.Scheduled {
		r.NextAttemptAt = f.Runs.Next(d.ID)
	}
	if d.Status == journal.Cancelled && d.Undo == journal.Undone {
		r.Result = "undone"
	}
	if d.Status == journal.Held {
		r.Hold = &api.Hold{Kind: string(d.Hold), Reason: d.Error}
	}
	for i, m := range d.Markers {
		if d.Status == journal.Done && d.NoResult&(1<<i) != 0 {
			r.NoResult = append(r.NoResult, i+1)
			r.Result = map[bool]string{true: "none", false: "some"}[d.HasNoResult()]
		}
		if d.Asked == "" {
			r.Lines = append(r.Lines, m.Line)
		}
		text := wording.Line(m.Instruction)
		if i == 0 {
			r.Instruction = wording.Shorten(text, 80)
		}
		if len(d.Markers) > 1 || text != r.Instruction {
			r.Instructions = append(r.Instructions, wording.Shorten(text, 200))
		}
	}
	return r
}

// toDetail is a dispatch with its texts.
func (f *records) toDetail(d journal.Dispatch, steps []journal.Step) api.Detail {
	detail := api.Detail{Dispatch: f.toRecord(d), Task: group.TaskText(d), Diff: diff(d) + f.diffOfEdits(d), Answers: []api.Answer{}, Steps: []api.Step{}, Answered: d.Answered, Undone: d.Undo == journal.Undone}
	if d.Usage != (journal.Usage{}) {
		detail.Usage = &api.Usage{Model: d.Usage.Model, InputTokens: d.Usage.Input, OutputTokens: d.Usage.Output, CostUSD: d.Usage.Cost}
	}
	if d.Answered {
		detail.Sources = asking.ListSources(d)
	}
	for _, m := range d.Markers {
		if d.Asked != "" {
			m.Line = 0
		}
		answer := api.Answer{Line: m.Line, Instruction: m.Instruction, Answer: m.Answer, Written: m.Written}
		if !bytes.Contains(m.Block.Text, []byte(m.Answer)) { // an answer that is there as it came needs no second look
			answer.Cleaned = cleaned.Why(m.Answer)
		}
		detail.Answers = append(detail.Answers, answer)
	}
	for _, s := range steps {
		detail.Steps = append(detail.Steps, api.Step{At: s.Time, Step: s.Name, Detail: s.Detail})
	}
	return detail
}

// diff shows what a dispatch has put into its note, marker by marker.
func diff(d journal.Dispatch) string {
	var b strings.Builder
	for _, m := range d.Markers {
		if len(m.Block.Text) == 0 {
			continue
		}
		fmt.Fprintf(&b, "@@ line %d @@\n", m.Line)
		for _, side := range []struct {
			sign string
			text []byte
		}{{"-", []byte(m.Text)}, {"+", m.Block.Text}} {
			for _, line := range note.Lines(side.text) {
				fmt.Fprintf(&b, "%s%s\n", side.sign, strings.ToValidUTF8(line, "\uFFFD"))
			}
		}
	}
	return b.String()
}

// diffOfEdits shows what a dispatch has changed in parts of its note.
func (f *records) diffOfEdits(d journal.Dispatch) (text string) {
	edits, err := writer.EditsOf(context.Background(), f.Journal, d)
	for _, e := range edits {
		if err == nil && e.New != nil {
			text += proposal.Show(e.Old, e.New).Diff
		}
	}
	return text
}

// toWireError gives an error of the journal or of a vault the form that decides the HTTP status.
func toWireError(err error) error {
	if state, ok := errors.AsType[*journal.StateError](err); ok {
		return &api.Conflict{Reason: "This is not possible: " + state.Reason + "."}
	}
	if errors.Is(err, journal.ErrNotFound) {
		return api.ErrNotFound
	}
	if refused, ok := errors.AsType[*writer.Refused](err); ok {
		return &api.Conflict{Reason: refused.Reason}
	}
	if silent, ok := errors.AsType[*behind.Silent](err); ok {
		return &api.StatusError{Status: http.StatusServiceUnavailable, Code: "offline", Text: "The vault " + silent.Vault + " is " + silent.Start + "."}
	}
	return err
}

// optionalTime is nil for the zero time.
func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
