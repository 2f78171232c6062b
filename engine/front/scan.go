package front

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
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/follow"
	"vaultdispatcher/engine/vault/rules"
	"vaultdispatcher/engine/wording"
)

// Scan implements [api.Backend]: it looks at a note as a save would and reports its findings. With
// now, markers start before they have settled; otherwise nothing starts earlier by it.
func (f *finder) Scan(ctx context.Context, root api.Root, rel string, now bool) (api.ScanResult, error) {
	v := f.Vaults.Await(ctx, root.Name)
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
		if !isNote { // no later look would remove its rows
			defer f.Keep(v.Root, rel, nil, time.Time{})
		}
		v.Watcher.Look(rel)
		disk.IndexNote(ctx, rel)
		seen.Looked, err = disk.Look(ctx, vault.Save{Rel: rel, Time: time.Now(), Trigger: "scan", Urgent: now})
		seen.misses = missesOf(f.Untaken.Of(v.Root, rel))
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
	claims, err := f.Journal.Claims(ctx, v.Root, rel)
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
		q := api.ScanQuestion{Line: m.Line, Rule: verdict.Rule, Verdict: string(verdict.Act), Reason: verdict.Reason(), Recheck: optionalTime(verdict.Recheck)}
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

// missesOf returns the lines of a note that a scan has just found to be no markers.
func missesOf(rows []untaken.Row) []api.Miss {
	misses := []api.Miss{}
	for _, row := range rows {
		if row.Kind == untaken.Miss {
			misses = append(misses, api.Miss{Line: row.Line, Text: row.Text, Reason: row.Reason, Mend: row.Mend})
		}
	}
	return misses
}
