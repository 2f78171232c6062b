package front

import (
	"context"
	"fmt"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/untaken/board"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/wording"
)

// This file tells what was asked and is not taken up: what the looks at notes have found, and what waits for a person.
// None of it touches a vault's disk.

// listUntaken returns how much is not taken up, and the first of it: lines that are no markers
// and markers that nobody answers, then vaults that are not watched, then what is held.
func (f *overview) listUntaken(ctx context.Context, held int) (count int, first []api.Untaken, err error) {
	for _, v := range f.Vaults.Opened() {
		n, rows := f.Untaken.List(v.Root)
		count += n
		for _, row := range rows {
			first = append(first, untakenRecord(v.Name, row))
		}
	}
	for _, v := range *f.Vaults {
		if !v.IsWatched() {
			count++
			first = append(first, untakenRecord(v.Name, pausedRow(v)))
		}
	}
	count += held
	if len(first) < board.MostShown && held > 0 {
		list, err := f.Journal.List(ctx, journal.Filter{Status: journal.Held, Limit: board.MostShown})
		if err != nil {
			return 0, nil, fmt.Errorf("list what is held: %w", err)
		}
		for _, d := range list {
			first = append(first, untakenRecord(f.Vaults.NameOf(d.Vault), heldRow(d)))
		}
	}
	return count, first[:min(len(first), board.MostShown)], nil
}

// pausedRow says that nobody looks at a vault.
func pausedRow(v *vault.Vault) untaken.Row {
	return untaken.Row{Kind: untaken.Paused, Reason: "the vault " + v.Name + " is paused, so what is saved in it is found when it is watched again; wiki watcher start does that now"}
}

// heldRow says why a dispatch waits.
func heldRow(d journal.Dispatch) untaken.Row {
	row := untaken.Row{Kind: untaken.Held, File: d.File, Reason: d.Error}
	if len(d.Markers) > 0 {
		row.Line, row.Text = d.Markers[0].Line, wording.Shorten(wording.Line(note.Head(d.Markers[0].Text)), 80)
	}
	if len(d.Markers) > 1 {
		row.Reason += fmt.Sprintf(" (%d questions)", len(d.Markers))
	}
	return row
}

func untakenRecord(vault string, row untaken.Row) api.Untaken {
	kind := string(row.Kind)
	if row.Hidden {
		kind = "hidden"
	}
	return api.Untaken{Vault: vault, File: row.File, Line: row.Line, Text: row.Text, Reason: row.Reason, Mend: row.Mend, Kind: kind, Quiet: !row.IsNews()}
}
