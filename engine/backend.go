package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/behind"
	"vaultdispatcher/engine/vault/follow"
	"vaultdispatcher/engine/vault/rules"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/engine/writer"
)

// An Engine is what the loopback server serves.
var _ api.Backend = (*Engine)(nil)

// Roots implements [api.Backend].
func (e *Engine) Roots() []api.Root {
	roots := make([]api.Root, len(e.vaults))
	for i, v := range e.vaults {
		roots[i] = api.Root{Name: v.Name, Path: v.Alias, Silent: v.Silence()}
		if v.IsOpen() {
			roots[i].Path, roots[i].Aliases = v.Root, []string{v.Alias}
		}
	}
	return roots
}

// Scan implements [api.Backend]: it looks at a note as a save would and says
// what it found. Nothing starts earlier by it than it would settle, but with now.
func (e *Engine) Scan(ctx context.Context, root api.Root, rel string, now bool) (api.ScanResult, error) {
	v := e.vaults.Await(ctx, root.Name)
	if v == nil {
		return api.ScanResult{}, api.ErrOffline
	}
	result := api.ScanResult{File: rel, Details: []api.ScanGroup{}}
	seen, err := vault.OnDisk(ctx, v, func(disk vault.Disk) (seen scanned, err error) {
		whyNot := disk.WhyNoNote(rel)
		isNote := whyNot == ""
		if now {
			whyNot = disk.WhyNotAsked(rel)
		}
		if whyNot != "" {
			return seen, &api.StatusError{Status: http.StatusUnprocessableEntity, Code: "not_a_note", Text: wording.Sentence(whyNot)}
		}
		if !isNote { // nobody would take back what is said of it
			defer e.KeepUntaken(v.Root, rel, nil, time.Time{})
		}
		v.Hint(rel)
		if err := disk.IndexNote(ctx, rel); err != nil {
			e.log.Warn("index a note", "vault", v.Name, "note", rel, "error", err)
		}
		seen.Looked, err = disk.Look(ctx, vault.Save{Rel: rel, Seen: time.Now(), Trigger: "scan", Now: now})
		seen.misses = missesOf(e.untaken.Of(v.Root, rel))
		return seen, err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return api.ScanResult{}, api.ErrNotFound
	case errors.Is(err, fs.ErrInvalid):
		return api.ScanResult{}, api.ErrNotNote
	case err != nil:
		return api.ScanResult{}, toWireError(err)
	}
	claims, err := e.journal.Claims(ctx, v.Root, rel)
	if err != nil {
		return api.ScanResult{}, fmt.Errorf("read the claims on %s: %w", rel, err)
	}
	describeScanned(&result, seen, follow.PairClaims(seen.Doc.Markers, claims).Claimed)
	return result, nil
}

// scanned is what a scan has seen of a note.
type scanned struct {
	vault.Looked
	misses []api.Miss
}

// describeScanned describes the questions that a scan has found, and their groups. The first claimed marker of a group names
// its dispatch; a later one may belong to another.
func describeScanned(result *api.ScanResult, seen scanned, claimed map[note.Span]*journal.Claim) {
	verdicts := make(map[note.Span]rules.Verdict)
	for _, q := range seen.Questions {
		verdicts[q.Span] = q.Verdict
	}
	for _, m := range seen.Doc.Markers {
		verdict := verdicts[m.Span]
		q := api.ScanQuestion{Line: m.Line, Rule: verdict.Rule, Verdict: string(verdict.Act), Reason: verdict.Reason(), Until: optionalTime(verdict.Recheck)}
		if c := claimed[m.Span]; c != nil {
			q = api.ScanQuestion{Line: m.Line, Dispatch: c.Dispatch}
		}
		result.Questions = append(result.Questions, q)
	}
	for _, g := range note.GroupMarkers(seen.Doc.Markers) {
		s := api.ScanGroup{Role: g.Role, TaskID: g.TaskID, Key: note.KeyText(g.Role, g.TaskID), Markers: len(g.Markers), Status: "settling"}
		if verdict := verdicts[g.Markers[0].Span]; verdict.Act == rules.Refuse {
			s.Status, s.Reason = "", verdict.Reason()
		}
		for _, m := range slices.Backward(g.Markers) {
			if c := claimed[m.Span]; c != nil {
				s.Dispatch, s.Status, s.Reason = c.Dispatch, string(c.Status), ""
			}
		}
		result.Details = append(result.Details, s)
	}
	result.Groups, result.Misses = len(result.Details), seen.misses
}

// Port returns the port of the HTTP server.
func (e *Engine) Port() int { return e.port }

// SetWatcher implements [api.Backend].
func (e *Engine) SetWatcher(_ context.Context, req api.WatcherRequest) (api.Watcher, error) {
	d, err := req.Length()
	if err != nil {
		return api.Watcher{}, err
	}
	known := req.Vault == ""
	for _, v := range e.vaults {
		if req.Vault == "" || req.Vault == v.Name {
			known = true
			v.SetWatching(req.Running, d)
		}
	}
	if !known {
		return api.Watcher{}, &api.Invalid{Reason: fmt.Sprintf("vault: there is no vault named %q", req.Vault)}
	}
	answer := api.Watcher{Running: req.Running}
	if d > 0 && !req.Running {
		answer.PausedUntil = optionalTime(time.Now().Add(d))
	}
	return answer, nil
}

// Switches returns what was set by hand, by the vault's configured path. Where no
// vault is watched any more, the empty path says so for those that come. It is all that an
// engine leaves to the next one of the same process; the rest is in the journal.
func (e *Engine) Switches() map[string]Switch {
	set, off := make(map[string]Switch), 0
	for _, v := range e.vaults {
		s, ok := v.WatchingByHand(time.Now())
		if ok {
			set[v.Alias] = s
		}
		if ok && !s.On {
			off, set[""] = off+1, s
		}
	}
	if off < len(e.vaults) {
		delete(set, "")
	}
	return set
}

// Rescan implements [api.Backend]: every vault is compared with what is known of
// it, and notes whose markers wait for nothing are looked at again.
func (e *Engine) Rescan(context.Context) error {
	for _, v := range e.vaults.Opened() {
		v.Rescan()
	}
	return nil
}

// Dispatches implements [api.Backend].
func (e *Engine) Dispatches(ctx context.Context, f api.Filter) ([]api.Dispatch, error) {
	list, err := e.journal.List(ctx, journal.Filter{Status: journal.Status(f.Status), Query: f.Query, Limit: f.Limit})
	if err != nil {
		return nil, fmt.Errorf("list dispatches: %w", err)
	}
	records := make([]api.Dispatch, len(list))
	for i, d := range list {
		records[i] = e.toRecord(d)
	}
	return records, nil
}

// Dispatch implements [api.Backend].
func (e *Engine) Dispatch(ctx context.Context, id string) (api.Detail, error) {
	d, err := e.journal.Get(ctx, id)
	if err != nil {
		return api.Detail{}, toWireError(err)
	}
	steps, err := e.journal.Steps(ctx, id)
	if err != nil {
		return api.Detail{}, toWireError(err)
	}
	detail := e.toDetail(d, steps)
	if detail.Cut, err = e.journal.CutOf(ctx, id); err != nil {
		return api.Detail{}, toWireError(err)
	}
	if d.Status == journal.Done {
		detail.NoUndo = e.whyNotUndoable(d)
	}
	detail.NoRetry = e.whyNotRetriable(d)
	return detail, nil
}

// Usage implements [api.Backend].
func (e *Engine) Usage(ctx context.Context) (api.UsageReport, error) {
	return e.usage.Report(ctx, time.Now())
}

// recordAfter returns the record after an action on it.
func (e *Engine) recordAfter(ctx context.Context, id string, err error) (api.Dispatch, error) {
	if err != nil {
		return api.Dispatch{}, toWireError(err)
	}
	d, err := e.journal.Get(ctx, id)
	if err != nil {
		return api.Dispatch{}, toWireError(err)
	}
	e.writer.Changed(d)
	return e.toRecord(d), nil
}

// Shutdown implements [api.Backend]: Run ends soon after.
func (e *Engine) Shutdown() {
	select {
	case e.stop <- struct{}{}:
	default:
	}
}

// toWireError gives an error of the journal or of a vault the form that decides the HTTP status.
func toWireError(err error) error {
	if state, ok := errors.AsType[*journal.StateError](err); ok {
		return &api.Conflict{Reason: "This is not possible: " + state.Reason + "."}
	}
	if errors.Is(err, journal.ErrNotFound) {
		return api.ErrNotFound
	}
	if silent, ok := errors.AsType[*behind.Silent](err); ok {
		return &api.StatusError{Status: http.StatusServiceUnavailable, Code: "offline", Text: "The vault " + silent.Vault + " is " + silent.Since + "."}
	}
	return err
}

// whyNotRetriable says in one sentence why a dispatch that has failed or was cancelled
// cannot be retried, as far as that can be seen without its note, or nothing.
func (e *Engine) whyNotRetriable(d journal.Dispatch) string {
	switch {
	case d.Status != journal.Failed && d.Status != journal.Cancelled:
	case d.Status == journal.Cancelled && !d.Withheld:
		return "Its marker was changed or taken away; one that stands in the note is asked by itself."
	case d.Hold == journal.ForUntrusted:
		return unread
	case e.vaults.At(d.Vault) == nil:
		return e.vaults.WhyNone(d.Vault)
	}
	return ""
}

// unread is why what somebody else has asked is not retried: that would start it unread.
const unread = "It came with a note from elsewhere and was never released. If it waits for you, read it, then release it; " +
	"if it was cancelled, change its line in the note to ask it."

// whyNotUndoable says in one sentence why a dispatch cannot be undone, as far as
// that can be seen without its note, or nothing.
func (e *Engine) whyNotUndoable(d journal.Dispatch) string {
	reason := writer.NotUndoable(d, time.Now())
	if reason == "" && e.vaults.At(d.Vault) == nil {
		reason = e.vaults.WhyNone(d.Vault)
	}
	return reason
}
