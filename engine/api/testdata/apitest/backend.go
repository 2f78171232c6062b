package apitest

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"vaultdispatcher/engine/api"
)

// Scanned is a note that was to be looked at.
type Scanned struct {
	Root api.Root
	Rel  string
	Now  bool
}

// Backend is a backend that remembers what it was asked.
type Backend struct {
	Vaults []api.Root
	Err    error // what every call fails with

	sync.Mutex // guards what follows
	Calls      []string
	Scans      []Scanned
	Watch      api.WatcherRequest
	Down       chan struct{}
	Asked      api.AskRequest
	AskedIn    api.Root
	Said       []string      // what AwaitAnswer tells
	NoAnswer   error         // what AwaitAnswer fails with
	Block      chan struct{} // Rescan and AwaitAnswer wait for it, if there is one
}

// NewBackend returns a backend with one vault of two notes.
func NewBackend(t testing.TB) *Backend {
	t.Helper()
	vault := RealDir(t)
	for _, name := range []string{"note.md", "sub/other.md"} {
		WriteNote(t, filepath.Join(vault, name))
	}
	return &Backend{Vaults: []api.Root{{Name: "v", Path: vault}}, Down: make(chan struct{})}
}

func (f *Backend) Note(call string) error {
	f.Lock()
	defer f.Unlock()
	f.Calls = append(f.Calls, call)
	return f.Err
}

func (f *Backend) Status(context.Context, bool) (api.Status, error) {
	long := strings.Repeat("ä", 200)
	return api.Status{Running: true, Version: "1.2.3", Uptime: "5s", Vaults: []api.Vault{{Name: "v"}}, Agents: []api.Agent{{Role: "Miner"}},
		Dispatches: []api.Dispatch{{ID: "d1", Instruction: long, Error: "no runner"}}}, f.Note("status")
}

func (f *Backend) Scan(_ context.Context, vault api.Root, rel string, now bool) (api.ScanResult, error) {
	err := f.Note("scan")
	f.Lock()
	defer f.Unlock()
	f.Scans = append(f.Scans, Scanned{vault, rel, now})
	return api.ScanResult{}, err
}

// Ask implements [api.Backend].
func (f *Backend) Ask(_ context.Context, vault api.Root, req api.AskRequest) (api.Dispatch, error) {
	err := f.Note("ask")
	f.Lock()
	defer f.Unlock()
	f.Asked, f.AskedIn = req, vault
	return api.Dispatch{ID: "d1"}, err
}

// AwaitAnswer implements [api.Backend].
func (f *Backend) AwaitAnswer(ctx context.Context, id string, said func(string)) (api.Answered, error) {
	for _, text := range f.Said {
		if said != nil {
			said(text)
		}
	}
	if f.Block != nil {
		select {
		case <-f.Block:
		case <-ctx.Done():
			return api.Answered{}, ctx.Err()
		}
	}
	return api.Answered{Dispatch: id, Answer: "Weekly.", Sources: []api.Source{{File: "note.md", Heading: "Backups"}}}, f.NoAnswer
}

func (f *Backend) SetWatcher(_ context.Context, req api.WatcherRequest) (api.Watcher, error) {
	err := f.Note("watcher")
	f.Lock()
	defer f.Unlock()
	f.Watch = req
	return api.Watcher{Running: req.Running}, err
}

func (f *Backend) Rescan(ctx context.Context) error {
	err := f.Note("rescan")
	if f.Block != nil {
		select {
		case <-f.Block:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

// Schedule implements [api.Backend].
func (f *Backend) Schedule(context.Context) ([]api.Scheduled, error) {
	return []api.Scheduled{{ID: "s1", Every: "monday 8:00", Role: "Miner"}}, f.Note("schedule")
}

// ActOnSchedule implements [api.Backend].
func (f *Backend) ActOnSchedule(_ context.Context, id, act string) (api.Scheduled, error) {
	return api.Scheduled{ID: id, Paused: act == "pause"}, f.Note(act + " schedule")
}

// DismissNotice implements [api.Backend].
func (f *Backend) DismissNotice(context.Context, string) error { return f.Note("dismiss") }

func (f *Backend) Dispatches(_ context.Context, filter api.Filter) ([]api.Dispatch, error) {
	d := api.Dispatch{ID: "d1", Status: filter.Status, Vault: filter.Vault, File: filter.File, Instruction: filter.Query, Attempts: filter.Limit}
	if d.Status == "held" {
		d.Hold = &api.Hold{Kind: "old"}
	}
	return []api.Dispatch{d}, f.Note("dispatches")
}

func (f *Backend) Dispatch(_ context.Context, id string) (api.Detail, error) {
	if id == "gone" {
		return api.Detail{}, api.ErrNotFound
	}
	return api.Detail{Dispatch: api.Dispatch{ID: id, Error: "timed out"}, Task: "Request 1"}, f.Note("dispatch")
}

// Usage implements [api.Backend]: of each role three days have answers, today the last.
func (f *Backend) Usage(context.Context) (api.UsageReport, error) {
	r := UsageOf("Miner", "Writer")
	return r, f.Note("usage")
}

// UsageOf is a report in which each of these roles has answered on three days.
func UsageOf(roles ...string) api.UsageReport {
	r := api.UsageReport{}
	for i := range api.UsageDays {
		r.Days = append(r.Days, noon.AddDate(0, 0, i-api.UsageDays+1))
		r.Wait50, r.Wait95 = append(r.Wait50, -1), append(r.Wait95, -1)
	}
	last := api.UsageDays - 1
	for i, name := range roles {
		one := api.RoleUsage{Role: name, Answers: make([]float64, api.UsageDays), Tokens: make([]float64, api.UsageDays), Dollars: make([]float64, api.UsageDays),
			Answered: 7 + i, NoResult: 1, Undone: 1, Unanswered: 2, Rejected: i, Wait50: 0.4, Wait95: 75}
		one.Answers[last], one.Answers[last-1], one.Answers[3] = 4, 2, float64(1+i)
		one.Tokens[last], one.Dollars[last] = float64(1200*(i+1)), 0.02*float64(i+1)
		r.Roles = append(r.Roles, one)
	}
	r.Wait50[last], r.Wait95[last], r.Wait50[last-1], r.Wait95[last-1] = 0.4, 75, 2, 600
	return r
}

func (f *Backend) AskAgain(_ context.Context, id string) (api.Dispatch, error) {
	return api.Dispatch{ID: id}, f.Note("again")
}

func (f *Backend) Retry(_ context.Context, id string) (api.Dispatch, error) {
	if id == "busy" {
		return api.Dispatch{}, &api.Conflict{"It is running."}
	}
	return api.Dispatch{ID: id, Status: "queued", Error: "timed out"}, f.Note("retry")
}

func (f *Backend) Cancel(_ context.Context, id string) (api.Dispatch, error) {
	return api.Dispatch{ID: id, Status: "cancelled"}, f.Note("cancel")
}

func (f *Backend) Release(_ context.Context, id string) (api.Dispatch, error) {
	return api.Dispatch{ID: id, Status: "queued"}, f.Note("release")
}

func (f *Backend) Answers(context.Context) ([]api.Detail, error) {
	return []api.Detail{{Dispatch: api.Dispatch{ID: "d1", Status: "parked"}, Answers: []api.Answer{{Line: 3, Answer: "kept"}}}}, f.Note("answers")
}

func (f *Backend) Undo(_ context.Context, id string) (api.Dispatch, error) {
	if id == "edited" {
		return api.Dispatch{}, &api.Conflict{"The answer was edited."}
	}
	return api.Dispatch{ID: id, Status: "cancelled", Error: "undone by hand"}, f.Note("undo")
}

func (f *Backend) Proposed(context.Context) ([]api.Proposal, error) {
	return []api.Proposal{{Dispatch: api.Dispatch{ID: "d1", Status: "proposed"}, Answers: []api.Answer{{Line: 3, Answer: "Weekly."}}, Diff: "@@ -1,1 +1,1 @@\n-> @agent-Miner! why\n+Weekly.\n", Seen: "5ee"}}, f.Note("proposed")
}

func (f *Backend) Accept(_ context.Context, id string, req api.AcceptRequest) (api.Dispatch, error) {
	if req.Seen != "5ee" {
		return api.Dispatch{}, api.Changed("-a\n+b\n", "5ee")
	}
	if req.Text == nil {
		req.Text = new("")
	}
	return api.Dispatch{ID: id, Status: "queued"}, f.Note("accept " + *req.Text)
}

func (f *Backend) Reject(_ context.Context, id, because string) (api.Dispatch, error) {
	return api.Dispatch{ID: id, Status: "cancelled"}, f.Note("reject " + because)
}

func (f *Backend) Explain(_ context.Context, query, file string, limit int) (string, error) {
	return fmt.Sprintf("%s asked of %s at most %d", query, file, limit), nil
}

func (f *Backend) Search(_ context.Context, query string, limit int) (api.HitList, error) {
	return api.HitList{Hits: []api.Hit{{Text: query, Matched: limit, Similarity: 0.5}}, Notice: "found by words only"}, f.Note("search")
}

func (f *Backend) Roots() []api.Root { return f.Vaults }

func (f *Backend) Shutdown() {
	f.Note("shutdown")
	close(f.Down)
}

func (f *Backend) Called() []string {
	f.Lock()
	defer f.Unlock()
	return append([]string(nil), f.Calls...)
}
