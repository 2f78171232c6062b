package engine

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/asking"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/metrics"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/cleaned"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/wording"
)

// This file is the one place where the engine's own records become wire types.

// Status implements [api.Backend]. What only the server knows it adds itself.
func (e *Engine) Status(ctx context.Context) (api.Status, error) {
	queue, recent, err := e.readRecords(ctx)
	if err != nil {
		return api.Status{}, err
	}
	s := api.Status{
		Running: true, Version: e.version, PID: os.Getpid(), Port: e.port,
		Uptime: fmt.Sprintf("%ds", int(time.Since(e.started).Seconds())),
		Vaults: []api.Vault{}, Dispatches: recent, Queue: queue, Agents: []api.Agent{},
		Notices: e.Notices(), Index: api.Index{Embedding: e.sumEmbedding()}, Watcher: e.watcherState(), Budgets: e.listBudgets(time.Now()),
	}
	if s.NotTakenCount, s.NotTaken, err = e.listUntaken(ctx, queue.Held); err != nil {
		return api.Status{}, err
	}
	if s.Schedule, err = e.schedule.List(ctx); err != nil {
		return api.Status{}, err
	}
	s.Schedule = s.Schedule[:min(len(s.Schedule), mostScheduled)]
	for _, r := range e.roles.List() {
		s.Agents = append(s.Agents, api.Agent{Role: r.Role, Runner: r.Runner, Ready: r.Ready, Detail: r.Detail, Reach: r.Reach.String(), Absent: r.Absent,
			ContextTokens: e.fits.Of(r.Role).Tokens, Cut: e.fits.Of(r.Role).Cut})
	}
	for _, v := range e.vaults {
		s.Vaults = append(s.Vaults, vaultStatus(v))
	}
	for _, v := range e.vaults.Opened() {
		index := v.IndexState()
		s.Index.Notes += index.Notes
		s.Index.Chunks += index.Chunks
		s.Index.Pending += index.Pending
		s.Index.LastError = cmp.Or(index.LastError, s.Index.LastError)
	}
	return s, nil
}

// readRecords returns how many dispatches and markers wait for what, and the last ones. They are read
// anew after a change, and after a second, for the time itself changes which are shown.
func (e *Engine) readRecords(ctx context.Context) (queue api.Queue, recent []api.Dispatch, err error) {
	// Settling is counted first: a marker that is accepted meanwhile is counted
	// twice, never not at all.
	settling := 0
	for _, v := range e.vaults {
		settling += v.CountSettling()
	}
	r := &e.records
	r.mu.Lock()
	defer r.mu.Unlock()
	if of := e.changes.Load(); r.of != of || time.Since(r.read) > time.Second {
		r.read = time.Time{}
		if r.counts, err = e.journal.Counts(ctx); err == nil {
			r.recent, err = e.listRecent(ctx)
		}
		if err != nil {
			return queue, nil, err
		}
		r.of, r.read = of, time.Now()
	}
	n := r.counts
	return api.Queue{
		Settling: settling, Queued: n[journal.Queued], Processing: n[journal.Processing], Proposed: n[journal.Proposed], Done: n[journal.Done],
		Failed: n[journal.Failed], Held: n[journal.Held], Parked: n[journal.Parked], Cancelled: n[journal.Cancelled],
	}, slices.Clone(r.recent), nil
}

// watcherState says whether any vault is watched, and if not, when the first one is again.
func (e *Engine) watcherState() api.Watcher {
	var first time.Time
	for _, v := range e.vaults {
		if v.IsWatched() {
			return api.Watcher{Running: true}
		}
		if until := v.PausedUntil(); first.IsZero() || !until.IsZero() && until.Before(first) {
			first = until
		}
	}
	return api.Watcher{PausedUntil: optionalTime(first)}
}

// mostScheduled is how many questions that come again a status shows.
const mostScheduled = 5

// recentDispatches is how many ended dispatches a status shows.
const recentDispatches = 50

// lately is how long an end is shown in any case, so that whoever follows the status
// sees each, also of a dispatch that is older than all the last ones.
const lately = time.Minute

// listRecent returns the last dispatches, the newest first, then every other that is
// active or has just ended.
func (e *Engine) listRecent(ctx context.Context) ([]api.Dispatch, error) {
	list, err := e.journal.List(ctx, journal.Filter{Limit: recentDispatches})
	if err != nil {
		return nil, fmt.Errorf("list dispatches: %w", err)
	}
	// One that ends between the two is in both, never in none.
	active, err := e.journal.Active(ctx)
	if err != nil {
		return nil, err
	}
	ended, err := e.journal.Ended(ctx, time.Now().Add(-lately))
	if err != nil {
		return nil, err
	}
	latest := make(map[string]journal.Dispatch, len(ended))
	for _, d := range ended {
		latest[d.ID] = d
	}
	shown := make(map[string]bool, len(list))
	records := []api.Dispatch{}
	for _, d := range slices.Concat(list, active, ended) {
		if shown[d.ID] {
			continue
		}
		if end, ok := latest[d.ID]; ok {
			d = end
		}
		shown[d.ID] = true
		records = append(records, e.toRecord(d))
	}
	return records, nil
}

// vaultStatus describes a vault. It reads what the vault's own goroutines have found.
func vaultStatus(v *vault.Vault) api.Vault {
	v.AskFacts()
	s := api.Vault{Name: v.Name, Path: v.Alias, State: "paused", PausedUntil: optionalTime(v.PausedUntil())}
	if v.IsOpen() {
		stats := v.Stats()
		s.Path, s.Watch, s.Reason, s.Notes = v.Root, stats.Source, stats.Reason, stats.Notes
		s.Atomic, s.LastEvent = v.IsAtomic(), optionalTime(stats.LastEvent)
	}
	if v.IsWatched() {
		state, reason := v.State()
		s.State, s.Reason = state, cmp.Or(reason, s.Reason)
	}
	return s
}

// toRecord is a dispatch without its texts.
func (e *Engine) toRecord(d journal.Dispatch) api.Dispatch {
	r := api.Dispatch{
		ID: d.ID, Vault: e.vaults.NameOf(d.Vault), File: d.File,
		Role: d.Role, TaskID: d.TaskID, Key: note.KeyText(d.Role, d.TaskID), Agent: d.Agent,
		Markers: len(d.Markers), Lines: []int{}, Status: string(d.Status),
		Attempts: d.Attempts, NextAttemptAt: optionalTime(d.NextAttempt), Runner: d.Runner, Trigger: d.Trigger,
		CreatedAt: d.Created, StartedAt: optionalTime(d.Started), FinishedAt: optionalTime(d.Finished), Error: d.Error,
	}
	if d.Status == journal.Done && d.None {
		r.Result = "none"
	}
	r.Progress = cmp.Or(e.steps.Of(d.ID), e.sound.Of(d.ID))
	if d.Status == journal.Held {
		r.Hold = &api.Hold{Kind: string(d.Hold), Reason: d.Error}
	}
	for i, m := range d.Markers {
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
func (e *Engine) toDetail(d journal.Dispatch, steps []journal.Step) api.Detail {
	detail := api.Detail{Dispatch: e.toRecord(d), Task: taskText(d), Diff: diff(d), Answers: []api.Answer{}, Steps: []api.Step{}, Answered: d.Answered, Undone: d.Undo == journal.Undone}
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
		if !bytes.Contains(m.Block.Text, []byte(m.Answer)) { // what stands there as it came needs no second look
			answer.Cleaned = cleaned.Why(m.Answer)
		}
		detail.Answers = append(detail.Answers, answer)
	}
	for _, s := range steps {
		detail.Steps = append(detail.Steps, api.Step{At: s.At, Step: s.Name, Detail: s.Detail})
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

// measureVaults is what the open vaults know of themselves.
func (e *Engine) measureVaults() (all []metrics.Vault) {
	for _, v := range e.vaults.Opened() {
		seen, index := v.Stats(), v.IndexState()
		all = append(all, metrics.Vault{Name: v.Name, Settling: v.CountSettling(), Hints: seen.Hints, Misses: seen.Misses, Notes: index.Notes, Bytes: index.Bytes})
	}
	return all
}

// sumEmbedding is the state of all vaults' vectors together.
func (e *Engine) sumEmbedding() api.Embedding {
	sum := api.Embedding{Provider: e.config.Embedding.Provider, Model: e.config.Embedding.Model}
	for _, v := range e.vaults.Opened() {
		state, ok := v.Embedding()
		if !ok {
			continue
		}
		sum.Dim = max(sum.Dim, state.Dim)
		sum.Vectors += state.Vectors
		sum.Pending += state.Pending
		sum.Stale += state.Stale
		if state.LastError != "" {
			sum.LastError = state.LastError
		}
	}
	return sum
}

// Working reports whether an agent is at work or its answer is being written.
func (e *Engine) Working() bool { return e.dispatcher.Running()+e.writer.Writing() > 0 }
