package front

import (
	"context"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/untaken"
)

// Notices returns what a person should know, found at the start or true now.
func (f *overview) Notices() []api.Notice {
	now := append(f.heldNotices(), f.Starts.Notices(time.Now())...)
	if trouble := f.Recorder.Trouble(); trouble != "" {
		now = append(now, api.NewNotice(api.NoticeJournal, "error", trouble))
	}
	for _, l := range f.Dispatcher.Limits() {
		limit := api.NewNotice(api.NoticeLimit, "role", l.Role, "reason", l.Reason)
		limit.Until = optionalTime(l.Until)
		now = append(now, limit)
	}
	for _, problem := range f.Roles.Problems() {
		now = append(now, api.NewNotice(api.NoticeRole, "problem", problem))
	}
	for _, job := range f.Sound.GivenUp() {
		now = append(now, api.NewNotice(api.NoticeSound, "vault", f.Vaults.NameOf(job.Root), "file", job.Note, "error", job.Problem))
	}
	for _, v := range *f.Vaults {
		if reason := v.WhyRefused(); reason != "" {
			now = append(now, api.NewNotice(api.NoticeUnwatched, "vault", v.Name, "reason", reason))
		}
		others, here := v.OtherEngines()
		if len(others) > 0 {
			now = append(now, api.NewNotice(api.NoticeEngines, "vault", v.Name, "machines", strings.Join(others, ", ")))
		}
		if here {
			now = append(now, api.NewNotice(api.NoticeEnginesHere, "vault", v.Name))
		}
		if n, err := v.Unfinished(); n > 0 {
			now = append(now, api.NewNotice(api.NoticeUnread, "vault", v.Name, "count", n, "error", syserr.Plain(err)))
		}
	}
	return f.Told.List(append(now, f.untakenNotices()...))
}

// heldNotices say what is held and why, one for each reason.
func (f *overview) heldNotices() []api.Notice {
	held, err := f.Journal.HeldFor(context.Background())
	if err != nil {
		f.Log.Error("read why dispatches are held", "error", err)
		return nil
	}
	var rows []api.Notice
	for _, h := range held {
		rows = append(rows, api.NewNotice(api.NoticeHeld, "vault", f.Vaults.NameOf(h.Vault), "kind", h.Kind, "reason", h.Reason, "count", h.Markers))
	}
	return rows
}

// DismissNotice implements [api.Backend].
func (f *overview) DismissNotice(_ context.Context, id string) error {
	if !f.Told.Dismiss(id) {
		return api.ErrNotFound
	}
	f.Changed()
	return nil
}

// untakenNotices are one notice for each note with questions that are not taken up, but not
// of those that were put there on purpose.
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
