package dashboard

import (
	"context"
	"html/template"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/rows"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/dashboard/usage"
)

// nowView is the data of the page about this moment.
type nowView struct {
	api.Status
	Working   []api.Dispatch // the one that has run longest first
	Waiting   []api.Dispatch // the next one first, as many as are shown
	Behind    int            // how many wait behind them
	Recent    []api.Dispatch // ended, the last one first
	Roles     []roleView
	Known     []api.Notice   // the notices that no person has dismissed
	Untaken   []untakenRow   // lines that want mending
	Meant     []untakenRow   // lines that are not taken up, perhaps on purpose
	Failed    []api.Dispatch // the last ones, as many as are shown
	Kept      []api.Dispatch
	ToApprove []api.Dispatch
	Groups    []*noteRows // Recent, one row a question
	Counts    []rows.Count
	Trend     usage.Trend
	Ask       bool // the box for a question is what the page was opened for

	Question, In, About string // the content of that box
}

// untakenRow is something that is not taken up, and what opens its note.
type untakenRow struct {
	api.Untaken
	Open template.URL
}

// placeUntaken looks for the notes of what is not taken up.
func (d *Dashboard) placeUntaken(rows []untakenRow) {
	notes := make([]noteName, len(rows))
	for i, u := range rows {
		notes[i] = noteName{u.Vault, u.File}
	}
	for i, place := range d.placesOf(notes...) {
		rows[i].Open = place.Open
	}
}

// roleView is a role and what it does.
type roleView struct {
	api.Agent
	Doing []api.Dispatch
}

// How many dispatches the first page shows that have ended, and that wait.
const (
	mostRecent  = 10
	mostWaiting = 20
	mostNeeding = 5 // of a kind
)

func (d *Dashboard) nowPage(c server.Call) (any, error) {
	st, err := d.server.State(c.Request.Context())
	if err != nil {
		return nil, err
	}
	v := newNowView(st)
	own, err := d.backend.Status(c.Request.Context(), false) // who follows is told no counts of questions
	if err != nil {
		return nil, err
	}
	v.Counts = rows.CountAll(own)
	if len(v.Recent) < mostRecent && st.Queue.Held > 0 {
		if v.Recent, err = d.lastEnded(c.Request.Context()); err != nil {
			return nil, err
		}
	}
	v.Groups = groupByNote(c.Request.Context(), d.backend, v.Recent)
	if report, err := d.backend.Usage(c.Request.Context()); err == nil {
		v.Trend = usage.TrendOf(report)
	}
	d.placeUntaken(v.Untaken)
	q := c.Request.URL.Query()
	v.Ask, v.Question, v.In, v.About = q.Has("ask"), q.Get("q"), q.Get("vault"), q.Get("file")
	return d.showPage(c, "now", "Now", v)
}

// lastEnded are the last dispatches that have ended, also behind very many that are
// held since: a status lists the newest.
func (d *Dashboard) lastEnded(ctx context.Context) ([]api.Dispatch, error) {
	var last []api.Dispatch
	for _, word := range []string{"done", "failed", "parked", "cancelled"} {
		found, err := d.backend.Dispatches(ctx, api.Filter{Status: word, Limit: mostRecent})
		if err != nil {
			return nil, err
		}
		last = append(last, found...)
	}
	slices.SortStableFunc(last, func(a, b api.Dispatch) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return server.Brief(last[:min(len(last), mostRecent)]), nil
}

// newNowView sorts a status the way a person looks at it.
func newNowView(st api.Status) nowView {
	v := nowView{Status: st}
	for _, d := range st.Dispatches {
		switch {
		case d.Status == "processing":
			v.Working = append(v.Working, d)
		case d.Status == "queued":
			v.Waiting = append(v.Waiting, d)
		case d.Status != "held" && d.Status != "proposed" && d.Status != "scheduled" && len(v.Recent) < mostRecent:
			v.Recent = append(v.Recent, d)
		}
		switch {
		case d.Status == "failed" && len(v.Failed) < mostNeeding:
			v.Failed = append(v.Failed, d)
		case d.Status == "parked" && len(v.Kept) < mostNeeding:
			v.Kept = append(v.Kept, d)
		case d.Status == "proposed" && len(v.ToApprove) < mostNeeding:
			v.ToApprove = append(v.ToApprove, d)
		}
	}
	slices.SortFunc(v.Working, func(a, b api.Dispatch) int { return startOf(a).Compare(startOf(b)) })
	slices.SortFunc(v.Waiting, func(a, b api.Dispatch) int { return a.CreatedAt.Compare(b.CreatedAt) })
	v.Behind = max(len(v.Waiting)-mostWaiting, 0)
	v.Waiting = v.Waiting[:len(v.Waiting)-v.Behind]
	for _, a := range st.Agents {
		role := roleView{Agent: a}
		for _, d := range v.Working {
			if strings.EqualFold(d.Role, a.Role) {
				role.Doing = append(role.Doing, d)
			}
		}
		v.Roles = append(v.Roles, role)
	}
	v.Known = slices.DeleteFunc(slices.Clone(st.Notices), func(n api.Notice) bool {
		isListed := n.Code == api.NoticeUntaken || n.Code == api.NoticePrivate || n.Code == api.NoticeHeld && n.Args["kind"] != ""
		return n.Dismissed || isListed
	})
	for _, u := range st.NotTaken {
		switch {
		case u.Kind == "held" || u.Kind == "paused": // told by their numbers and their vaults
		case u.WantsMending():
			v.Untaken = append(v.Untaken, untakenRow{Untaken: u})
		default:
			v.Meant = append(v.Meant, untakenRow{Untaken: u})
		}
	}
	return v
}

// Askable are the roles that a question may be put to, the one that is asked by itself first.
func (v nowView) Askable() (names []string) {
	for _, a := range v.Agents {
		switch {
		case !a.Ready || a.Role == "*":
		case a.Role == api.DefaultRole:
			names = slices.Insert(names, 0, a.Role)
		default:
			names = append(names, a.Role)
		}
	}
	return names
}

// Notes are those that something has happened in, to ask about.
func (v nowView) Notes() (files []string) {
	for _, d := range v.Recent {
		if d.File != "" && !slices.Contains(files, d.File) {
			files = append(files, d.File)
		}
	}
	return files
}

// Unlisted is how much of what is not taken up the status has left out.
func (v nowView) Unlisted() int { return v.NotTakenCount - len(v.NotTaken) }

// startOf is when a dispatch began to run, or when it was asked.
func startOf(d api.Dispatch) time.Time {
	if d.StartedAt != nil {
		return *d.StartedAt
	}
	return d.CreatedAt
}
