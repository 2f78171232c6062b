package front

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/untaken/board"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/wording"
)

// Notices returns what a person should know, found at the start or true now.
func (f *overview) Notices() []api.Notice {
	holds, err := f.Journal.HeldFor(context.Background())
	if err != nil {
		f.Log.Error("read why dispatches are held", "error", err)
	}
	return f.listNotices(holds)
}

func (f *overview) listNotices(holds []journal.HeldFor) []api.Notice {
	now := slices.Concat(f.heldNotices(holds), f.Starts.Notices(time.Now()), f.Elsewhere())
	if trouble := f.Recorder.Trouble(); trouble != "" {
		now = append(now, api.NewNotice(api.NoticeJournal, "error", trouble))
	}
	for _, l := range f.Dispatcher.Limits() {
		limit := api.NewNotice(api.NoticeLimit, "role", l.Role, "reason", l.Reason)
		limit.End = optionalTime(l.End)
		now = append(now, limit)
	}
	for _, problem := range f.Roles.Problems() {
		now = append(now, api.NewNotice(api.NoticeRole, "problem", problem))
	}
	for _, job := range f.Sound.GivenUp() {
		now = append(now, api.NewNotice(api.NoticeSound, "vault", f.Vaults.NameOf(job.Root), "file", job.Note, "error", job.Problem))
	}
	for _, v := range *f.Vaults {
		if reason := v.Condition.WhyRefused(); reason != "" {
			now = append(now, api.NewNotice(api.NoticeUnwatched, "vault", v.Name, "reason", reason))
		}
		others, here := v.Condition.OtherEngines()
		if len(others) > 0 {
			now = append(now, api.NewNotice(api.NoticeEngines, "vault", v.Name, "machines", strings.Join(others, ", ")))
		}
		if here {
			now = append(now, api.NewNotice(api.NoticeEnginesHere, "vault", v.Name))
		}
		if n, err := v.Troubles.Any(); n > 0 {
			now = append(now, api.NewNotice(api.NoticeUnread, "vault", v.Name, "error", syserr.Plain(err)))
		}
	}
	return f.Board.List(append(now, f.untakenNotices()...))
}

// heldNotices say what is held and why, one for each reason.
func (f *overview) heldNotices(holds []journal.HeldFor) (rows []api.Notice) {
	for _, h := range holds {
		rows = append(rows, api.NewNotice(api.NoticeHeld, "vault", f.Vaults.NameOf(h.Vault), "kind", h.Kind, "reason", h.Reason, "count", h.Markers))
	}
	return rows
}

func (f *overview) DismissNotice(_ context.Context, id string) error {
	if !f.Board.Dismiss(id) {
		return api.ErrNotFound
	}
	f.Board.StatusChanged()
	return nil
}

// untakenNotices returns one notice for each note with questions that are not taken up, except those
// that were put there on purpose.
func (f *overview) untakenNotices() (rows []api.Notice) {
	for _, v := range f.Vaults.Opened() {
		_, list := f.Untaken.List(v.Root)
		for len(list) > 0 {
			first := list[0]
			differs := func(r untaken.Row) bool {
				return r.File != first.File || r.Kind != first.Kind || first.Kind == untaken.Private && r.Reason != first.Reason
			}
			n := slices.IndexFunc(list, differs)
			if n < 0 {
				n = len(list)
			}
			list = list[n:]
			switch {
			case first.Hidden:
			case first.Kind == untaken.Private:
				rows = append(rows, api.NewNotice(api.NoticePrivate, "vault", v.Name, "file", first.File, "reason", first.Reason, "count", n))
			case first.Kind == untaken.Miss || first.Kind == untaken.Role || first.Kind == untaken.ReadOnly || first.Kind == untaken.Place:
				rows = append(rows, api.NewNotice(api.NoticeUntaken, "vault", v.Name, "file", first.File, "kind", first.Kind, "reason", first.Reason, "line", first.Line, "count", n))
			}
		}
	}
	return rows
}

// listUntaken returns how many questions are not taken up, and the first of them: lines that are no
// markers and markers without an agent, then vaults that are not watched, then held dispatches.
func (f *overview) listUntaken(k known) (count int, first []api.Untaken) {
	for _, v := range f.Vaults.Opened() {
		n, rows := f.Untaken.List(v.Root)
		count += n
		for _, row := range rows {
			first = append(first, untakenRecord(v.Name, row))
		}
	}
	for _, v := range *f.Vaults {
		if !v.Watching.IsOn() {
			count++
			first = append(first, untakenRecord(v.Name, pausedRow(v)))
		}
	}
	for _, d := range k.held {
		first = append(first, untakenRecord(f.Vaults.NameOf(d.Vault), heldRow(d)))
	}
	return count + k.counts[journal.Held], first[:min(len(first), board.MostShown)]
}

// pausedRow says that the engine does not look at a vault.
func pausedRow(v *vault.Vault) untaken.Row {
	return untaken.Row{Kind: untaken.Paused, Reason: wording.Paused.Say(v.Name)}
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
