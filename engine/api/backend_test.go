package api

import (
	"context"
	"fmt"
	"strings"
	"sync"
)

// fake is a backend that remembers what it was asked.
type fake struct {
	roots []Root
	err   error // what every call fails with

	mu    sync.Mutex // guards what follows
	calls []string
	scans []place
	watch WatcherRequest
	down  chan struct{}
	block chan struct{} // Rescan waits for it, if there is one
}

func (f *fake) note(call string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, call)
	return f.err
}

func (f *fake) Status(context.Context) (Status, error) {
	long := strings.Repeat("ä", 200)
	return Status{Running: true, Version: "1.2.3", Uptime: "5s", Vaults: []Vault{{Name: "v"}}, Agents: []Agent{{Role: "Miner"}},
		Dispatches: []Dispatch{{ID: "d1", Instruction: long, Error: "no runner"}}}, f.note("status")
}

func (f *fake) Scan(_ context.Context, vault Root, rel string) (ScanResult, error) {
	err := f.note("scan")
	f.mu.Lock()
	defer f.mu.Unlock()
	f.scans = append(f.scans, place{vault, rel})
	return ScanResult{}, err
}

func (f *fake) SetWatcher(_ context.Context, req WatcherRequest) (Watcher, error) {
	err := f.note("watcher")
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watch = req
	return Watcher{Running: req.Running}, err
}

func (f *fake) Rescan(ctx context.Context) error {
	err := f.note("rescan")
	if f.block != nil {
		select {
		case <-f.block:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

func (f *fake) Dispatches(_ context.Context, filter Filter) ([]Dispatch, error) {
	return []Dispatch{{ID: "d1", Status: filter.Status, Instruction: filter.Query, Attempts: filter.Limit}}, f.note("dispatches")
}

func (f *fake) Dispatch(_ context.Context, id string) (Detail, error) {
	if id == "gone" {
		return Detail{}, ErrNotFound
	}
	return Detail{Dispatch: Dispatch{ID: id, Error: "timed out"}, Task: "Request 1"}, f.note("dispatch")
}

func (f *fake) Retry(_ context.Context, id string) (Dispatch, error) {
	if id == "busy" {
		return Dispatch{}, &Conflict{"It is running."}
	}
	return Dispatch{ID: id, Status: "queued", Error: "timed out"}, f.note("retry")
}

func (f *fake) Cancel(_ context.Context, id string) (Dispatch, error) {
	return Dispatch{ID: id, Status: "cancelled"}, f.note("cancel")
}

func (f *fake) Release(_ context.Context, id string) (Dispatch, error) {
	return Dispatch{ID: id, Status: "queued"}, f.note("release")
}

func (f *fake) Answers(context.Context) ([]Detail, error) {
	return []Detail{{Dispatch: Dispatch{ID: "d1", Status: "parked"}, Answers: []Answer{{Line: 3, Answer: "kept"}}}}, f.note("answers")
}

func (f *fake) Undo(_ context.Context, id string) (Dispatch, error) {
	if id == "edited" {
		return Dispatch{}, &Conflict{"The answer was edited."}
	}
	return Dispatch{ID: id, Status: "cancelled", Error: "undone by hand"}, f.note("undo")
}

func (f *fake) Explain(_ context.Context, query, file string, limit int) (string, error) {
	return fmt.Sprintf("%s asked of %s at most %d", query, file, limit), nil
}

func (f *fake) Search(_ context.Context, query string, limit int) (HitList, error) {
	return HitList{Hits: []Hit{{Text: query, Matched: limit, Near: 0.5}}, Notice: "found by words only"}, f.note("search")
}

func (f *fake) Roots() []Root { return f.roots }

func (f *fake) Shutdown() {
	f.note("shutdown")
	close(f.down)
}

func (f *fake) called() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.calls...)
}
