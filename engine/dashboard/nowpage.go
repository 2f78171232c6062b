package dashboard

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
)

// nowView is what goes on at this moment.
type nowView struct {
	api.Status
	Working []api.Dispatch // the one that has run longest first
	Waiting []api.Dispatch // the next one first, as many as are shown
	Behind  int            // how many wait behind them
	Recent  []api.Dispatch // ended, the last one first
	Roles   []roleView
	Known   []api.Notice // the notices that nobody has dismissed
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
)

func (d *Dashboard) nowPage(c server.Call) (any, error) {
	st, err := d.server.State(c.Request.Context())
	if err != nil {
		return nil, err
	}
	v := nowOf(st)
	if len(v.Recent) < mostRecent && st.Queue.Held > 0 {
		if v.Recent, err = d.lastEnded(c.Request.Context()); err != nil {
			return nil, err
		}
	}
	return d.showPage(c, "now", "Now", v)
}

// lastEnded are the last dispatches that have ended, also behind very many that are
// held since: a status lists the newest.
func (d *Dashboard) lastEnded(ctx context.Context) ([]api.Dispatch, error) {
	var last []api.Dispatch
	for _, word := range []string{"done", "failed", "parked", "cancelled"} {
		found, err := d.backend.Dispatches(ctx, api.Filter{Status: word, Limit: mostRecent})
		if err != nil {
			return nil, fmt.Errorf("list what has ended: %w", err)
		}
		last = append(last, found...)
	}
	slices.SortStableFunc(last, func(a, b api.Dispatch) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return server.Brief(last[:min(len(last), mostRecent)]), nil
}

// nowOf sorts a status the way a person looks at it.
func nowOf(st api.Status) nowView {
	v := nowView{Status: st}
	for _, d := range st.Dispatches {
		switch {
		case d.Status == "processing":
			v.Working = append(v.Working, d)
		case d.Status == "queued":
			v.Waiting = append(v.Waiting, d)
		case d.Status != "held" && len(v.Recent) < mostRecent:
			v.Recent = append(v.Recent, d)
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
	v.Known = slices.DeleteFunc(slices.Clone(st.Notices), func(n api.Notice) bool { return n.Dismissed })
	return v
}

// startOf is when a dispatch began to run, or when it was asked.
func startOf(d api.Dispatch) time.Time {
	if d.StartedAt != nil {
		return *d.StartedAt
	}
	return d.CreatedAt
}
