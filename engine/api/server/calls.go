package server

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"vaultdispatcher/engine/api"
)

func (s *Server) answerPing(c Call) (any, error) {
	port, err := strconv.Atoi(c.Port)
	if err != nil {
		return nil, fmt.Errorf("read our own port: %w", err)
	}
	return api.Ping{Running: true, PID: os.Getpid(), Port: port}, nil
}

// readStatus adds to the engine's own account what only the server knows.
func (s *Server) readStatus(c Call) (any, error) {
	st, err := s.readState(c.Request.Context(), false)
	if err != nil {
		return nil, err
	}
	if st.Port, err = strconv.Atoi(c.Port); err != nil {
		return nil, fmt.Errorf("read our own port: %w", err)
	}
	st.Dispatches = keepFew(st.Dispatches)
	st.NotTaken = st.NotTaken[:min(len(st.NotTaken), mostActive)]
	return st, nil
}

// How many dispatches one status names; the counts are of all, and the rest is listed elsewhere.
const (
	mostActive = 20
	mostEnded  = 10
)

// keepFew returns the first dispatches that are active, before all those at work, and the first that
// are not, in their order.
func keepFew(list []api.Dispatch) []api.Dispatch {
	left := map[string]int{"processing": mostActive, "queued": mostActive, "": mostEnded}
	for _, d := range list {
		if d.Status == "processing" {
			left["queued"] = max(0, left["queued"]-1)
		}
	}
	few := []api.Dispatch{}
	for _, d := range list {
		kind := d.Status
		if kind != "processing" && kind != "queued" {
			kind = ""
		}
		if left[kind]--; left[kind] >= 0 {
			few = append(few, d)
		}
	}
	return few
}

// State is the status for a client that follows it, but for the port, which each connection knows itself.
func (s *Server) State(ctx context.Context) (api.Status, error) { return s.readState(ctx, true) }

func (s *Server) readState(ctx context.Context, follows bool) (api.Status, error) {
	st, err := s.backend.Status(ctx, follows)
	if err != nil {
		return st, err
	}
	st.PID = os.Getpid()
	st.LastRefused, st.Dashboard = s.Refusals.Last(), s.viewers.Load() > 0
	st.Endpoints = s.endpoints
	st.Notices, st.Questions = orEmpty(slices.Concat(st.Notices, s.Refusals.Notices())), orEmpty(st.Questions)
	st.NotTaken, st.Budgets, st.Schedule = orEmpty(st.NotTaken), orEmpty(st.Budgets), orEmpty(st.Schedule)
	st.Vaults, st.Agents, st.Dispatches = orEmpty(st.Vaults), orEmpty(st.Agents), Brief(st.Dispatches)
	return st, nil
}

func (q Questions) setWatcher(c Call, req struct {
	api.WatcherRequest
	Running *bool `json:"running"` // said or not: leaving it out is no request to stop
}) (any, error) {
	if req.Running == nil {
		return nil, &api.Invalid{Reason: "Say \"running\": true or false."}
	}
	if _, err := req.Length(); err != nil {
		return nil, err
	}
	req.WatcherRequest.Running = *req.Running
	return q.backend.SetWatcher(c.Request.Context(), req.WatcherRequest)
}

func (q Questions) readSchedule(c Call) (any, error) {
	list, err := q.backend.Schedule(c.Request.Context())
	return api.ScheduleList{Schedule: orEmpty(list)}, err
}

// onSchedule answers a call on one question that comes again with what it is then.
func (q Questions) onSchedule(act string) func(Call) (any, error) {
	return func(c Call) (any, error) { return q.backend.ActOnSchedule(c.Request.Context(), c.ID, act) }
}

func (q Questions) listDispatches(c Call) (any, error) {
	f, err := ReadFilter(c.Request)
	if err != nil {
		return nil, err
	}
	list, err := q.backend.Dispatches(c.Request.Context(), f)
	return api.DispatchList{Dispatches: Brief(list)}, err
}

func (q Questions) readDispatch(c Call) (any, error) {
	d, err := q.Dispatch(c.Request.Context(), c.ID)
	d.Answers, d.Steps, d.Lines = orEmpty(d.Answers), orEmpty(d.Steps), orEmpty(d.Lines)
	return api.DetailBody{Detail: d, LastError: d.Error}, err
}

func (q Questions) retryDispatch(c Call, req struct{ Fresh bool }) (any, error) {
	act := q.backend.Retry
	if req.Fresh {
		act = q.backend.AskAgain
	}
	return tellOne(act(c.Request.Context(), c.ID))
}

// onOne is the handler of a call that needs only the dispatch's id.
func onOne(act func(ctx context.Context, id string) (api.Dispatch, error)) func(Call) (any, error) {
	return func(c Call) (any, error) { return tellOne(act(c.Request.Context(), c.ID)) }
}

// tellOne answers a call on one dispatch with what it is then.
func tellOne(d api.Dispatch, err error) (any, error) {
	return api.DispatchBody{Dispatch: briefly(d), LastError: d.Error}, err
}

func (q Questions) searchVaults(c Call) (any, error) {
	said, err := ReadQuery(c.Request)
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(said.Get("q"))
	if text == "" {
		return nil, &api.Invalid{Reason: "Say what to search for with ?q=."}
	}
	limit, err := readNumber(said, "limit", 10, 100)
	if err != nil {
		return nil, err
	}
	if file := said.Get("explain"); file != "" {
		sentence, err := q.backend.Explain(c.Request.Context(), text, file, limit)
		return api.HitList{Hits: []api.Hit{}, Explain: sentence}, err
	}
	list, err := q.backend.Search(c.Request.Context(), text, limit)
	list.Hits = orEmpty(list.Hits)
	return list, err
}

func (q Questions) listAnswers(c Call) (any, error) {
	details, err := q.backend.Answers(c.Request.Context())
	list := api.AnswerList{Answers: []api.Parked{}}
	for _, d := range details {
		list.Answers = append(list.Answers, api.Parked{Dispatch: briefly(d.Dispatch), Answers: orEmpty(d.Answers)})
	}
	return list, err
}

// newLink makes a one-time link to the dashboard. It asks for the token itself: a
// session that could make others would never end.
func (s *Server) newLink(c Call) (any, error) {
	if !s.hasToken(c.Request) {
		return nil, errUnauthorized()
	}
	if s.pages == nil {
		return nil, api.Refusal(http.StatusNotImplemented, "no_pages", "This program was built without the pages of the dashboard.")
	}
	return s.pages.NewLink(c.Port), nil
}
