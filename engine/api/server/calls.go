package server

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

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
	st, err := s.State(c.Request.Context())
	if err != nil {
		return nil, err
	}
	if st.Port, err = strconv.Atoi(c.Port); err != nil {
		return nil, fmt.Errorf("read our own port: %w", err)
	}
	return st, nil
}

// State is the status but for the port, which each connection knows itself.
func (s *Server) State(ctx context.Context) (api.Status, error) {
	st, err := s.backend.Status(ctx)
	if err != nil {
		return api.Status{}, fmt.Errorf("read the status: %w", err)
	}
	st.PID = os.Getpid()
	st.LastRefused, st.Dashboard = s.Refused(), s.viewers.Load() > 0
	st.Endpoints = s.endpoints
	st.Notices = orEmpty(slices.Concat(st.Notices, s.Notices()))
	st.Vaults, st.Agents, st.Dispatches = orEmpty(st.Vaults), orEmpty(st.Agents), Brief(st.Dispatches)
	return st, nil
}

func (s *Server) refuseReserved(c Call) (any, error) {
	var manual struct{ Role, Instruction, File string }
	if err := c.decodeJSON(&manual); err != nil {
		return nil, err
	}
	return nil, api.Refusal(http.StatusNotImplemented, "reserved", "This call is reserved; write the request into the note instead.")
}

func (s *Server) setWatcher(c Call) (any, error) {
	var req struct {
		api.WatcherRequest
		Running *bool `json:"running"` // said or not: leaving it out is no request to stop
	}
	if err := c.decodeJSON(&req); err != nil {
		return nil, err
	}
	if req.Running == nil {
		return nil, &api.Invalid{Reason: "Say \"running\": true or false."}
	}
	if d, err := time.ParseDuration(req.For); req.For != "" && (err != nil || d <= 0) {
		return nil, &api.Invalid{Reason: "\"for\" must be a length of time such as 30m or 1h."}
	}
	req.WatcherRequest.Running = *req.Running
	w, err := s.backend.SetWatcher(c.Request.Context(), req.WatcherRequest)
	if err != nil {
		return nil, fmt.Errorf("set the watcher: %w", err)
	}
	return w, nil
}

func (s *Server) startRescan(c Call) (any, error) {
	if err := s.backend.Rescan(c.Request.Context()); err != nil {
		return nil, fmt.Errorf("start a rescan: %w", err)
	}
	return api.Done{OK: true}, nil
}

func (s *Server) dismissNotice(c Call) (any, error) {
	if err := s.backend.DismissNotice(c.Request.Context(), c.ID); err != nil {
		return nil, fmt.Errorf("dismiss a notice: %w", err)
	}
	return api.Done{OK: true}, nil
}

func (s *Server) listDispatches(c Call) (any, error) {
	f, err := ReadFilter(c.Request)
	if err != nil {
		return nil, err
	}
	list, err := s.backend.Dispatches(c.Request.Context(), f)
	if err != nil {
		return nil, fmt.Errorf("list dispatches: %w", err)
	}
	return api.DispatchList{Dispatches: Brief(list)}, nil
}

func (s *Server) readDispatch(c Call) (any, error) {
	d, err := s.backend.Dispatch(c.Request.Context(), c.ID)
	if err != nil {
		return nil, fmt.Errorf("read a dispatch: %w", err)
	}
	d.Answers, d.Steps, d.Lines = orEmpty(d.Answers), orEmpty(d.Steps), orEmpty(d.Lines)
	return api.DetailBody{Detail: d, LastError: d.Error}, nil
}

func (s *Server) retryDispatch(c Call) (any, error) {
	d, err := s.backend.Retry(c.Request.Context(), c.ID)
	return dispatchBody(d, err, "retry a dispatch")
}

func (s *Server) cancelDispatch(c Call) (any, error) {
	d, err := s.backend.Cancel(c.Request.Context(), c.ID)
	return dispatchBody(d, err, "cancel a dispatch")
}

func (s *Server) undoDispatch(c Call) (any, error) {
	d, err := s.backend.Undo(c.Request.Context(), c.ID)
	return dispatchBody(d, err, "undo a dispatch")
}

func dispatchBody(d api.Dispatch, err error, doing string) (any, error) {
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return api.DispatchBody{Dispatch: Brief([]api.Dispatch{d})[0], LastError: d.Error}, nil
}

func (s *Server) searchVaults(c Call) (any, error) {
	q, err := ReadQuery(c.Request)
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(q.Get("q"))
	if text == "" {
		return nil, &api.Invalid{Reason: "Say what to search for with ?q=."}
	}
	limit, err := readNumber(q, "limit", 10, 100)
	if err != nil {
		return nil, err
	}
	if file := q.Get("explain"); file != "" {
		sentence, err := s.backend.Explain(c.Request.Context(), text, file, limit)
		if err != nil {
			return nil, fmt.Errorf("explain: %w", err)
		}
		return api.HitList{Hits: []api.Hit{}, Explain: sentence}, nil
	}
	list, err := s.backend.Search(c.Request.Context(), text, limit)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	list.Hits = orEmpty(list.Hits)
	return list, nil
}

func (s *Server) acceptShutdown(Call) (any, error) { return api.Done{OK: true}, nil }

func (s *Server) releaseDispatch(c Call) (any, error) {
	d, err := s.backend.Release(c.Request.Context(), c.ID)
	return dispatchBody(d, err, "release a dispatch")
}

func (s *Server) listAnswers(c Call) (any, error) {
	details, err := s.backend.Answers(c.Request.Context())
	if err != nil {
		return nil, fmt.Errorf("list parked answers: %w", err)
	}
	list := api.AnswerList{Answers: []api.Parked{}}
	for _, d := range details {
		list.Answers = append(list.Answers, api.Parked{Dispatch: Brief([]api.Dispatch{d.Dispatch})[0], Answers: orEmpty(d.Answers)})
	}
	return list, nil
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
