package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// route is one call. Its handler gets a request that has passed the guard and
// returns the body of a success, or an error that [statusOf] understands.
type route struct {
	method string
	path   string // {id} stands for one name
	token  bool   // asks for the token, or for a session of the dashboard
	page   bool   // asks for a session; the token opens no pages
	form   bool   // a page's form; what it carries was checked
	slow   bool   // waits for an agent, or for much to be looked at or done
	handle func(*Server, call) (any, error)
	after  func(*Server) // once the answer is on its way
}

// call is a request as a handler needs it.
type call struct {
	r       *http.Request
	id      string // what {id} stood for
	port    string // the port we answer on
	body    []byte
	session *session   // of the browser that asks; nil for everybody else
	values  url.Values // of a form
}

// routes is the interface for programs, call by call; pageRoutes is the one for
// browsers.
func routes() []route {
	return []route{
		{method: "GET", path: "/vault-mind/ping", handle: (*Server).ping},
		{method: "GET", path: "/vault-mind/status", handle: (*Server).status},
		{method: "POST", path: "/vault-mind/scan", handle: (*Server).scan},
		{method: "POST", path: "/vault-mind/dispatch", token: true, handle: (*Server).reserved},
		{method: "POST", path: "/vault-mind/watcher", token: true, handle: (*Server).watcher},
		{method: "POST", path: "/vault-mind/rescan", token: true, handle: (*Server).rescan},
		{method: "GET", path: "/vault-mind/dispatches", token: true, handle: (*Server).dispatches},
		{method: "GET", path: "/vault-mind/dispatches/{id}", token: true, handle: (*Server).dispatch},
		{method: "POST", path: "/vault-mind/dispatches/{id}/retry", token: true, handle: (*Server).retry},
		{method: "POST", path: "/vault-mind/dispatches/{id}/cancel", token: true, handle: (*Server).cancel},
		{method: "POST", path: "/vault-mind/dispatches/{id}/release", token: true, handle: (*Server).release},
		{method: "GET", path: "/vault-mind/answers", token: true, handle: (*Server).answers},
		{method: "POST", path: "/vault-mind/dispatches/{id}/undo", token: true, handle: (*Server).undo},
		{method: "GET", path: "/vault-mind/search", token: true, handle: (*Server).search},
		{method: "GET", path: "/vault-mind/events", token: true, handle: (*Server).events},
		{method: "GET", path: "/vault-mind/setup", token: true, handle: (*Server).setup},
		{method: "POST", path: "/vault-mind/setup", token: true, slow: true, handle: (*Server).writeSetup},
		{method: "GET", path: "/vault-mind/log", token: true, handle: (*Server).logTail},
		{method: "GET", path: "/vault-mind/doctor", token: true, handle: (*Server).doctor},
		{method: "POST", path: "/vault-mind/session", token: true, handle: (*Server).newLink},
		{method: "POST", path: "/vault-mind/shutdown", token: true, handle: (*Server).shutdown,
			after: func(s *Server) { s.backend.Shutdown() }},
	}
}

// find returns the route of a request. A path that is written in any unusual way
// names nothing: there are no redirects here.
func find(r *http.Request) (*route, string, error) {
	var allow []string
	for _, route := range slices.Concat(routes(), pageRoutes()) {
		id, ok := match(route.path, r.URL.EscapedPath())
		if ok && route.method == r.Method {
			return &route, id, nil
		}
		if ok {
			allow = append(allow, route.method)
		}
	}
	if allow == nil {
		return nil, "", refusal(http.StatusNotFound, "not_found", "There is no such call; the status lists those there are.")
	}
	return nil, "", &StatusError{Status: http.StatusMethodNotAllowed, Code: "method_not_allowed",
		Text: "This call is a " + strings.Join(allow, " or ") + ".", allow: strings.Join(allow, ", ")}
}

var idForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

func match(pattern, path string) (string, bool) {
	before, after, variable := strings.Cut(pattern, "{id}")
	if !variable {
		return "", pattern == path
	}
	if len(path) < len(before)+len(after) || !strings.HasPrefix(path, before) || !strings.HasSuffix(path, after) {
		return "", false
	}
	id := path[len(before) : len(path)-len(after)]
	return id, idForm.MatchString(id)
}

func (s *Server) ping(c call) (any, error) {
	port, err := strconv.Atoi(c.port)
	if err != nil {
		return nil, fmt.Errorf("read our own port: %w", err)
	}
	return Ping{Running: true, PID: os.Getpid(), Port: port}, nil
}

// status adds to the engine's own account what only the server knows.
func (s *Server) status(c call) (any, error) {
	st, err := s.state(c.r.Context())
	if err != nil {
		return nil, err
	}
	if st.Port, err = strconv.Atoi(c.port); err != nil {
		return nil, fmt.Errorf("read our own port: %w", err)
	}
	return st, nil
}

// state is the status but for the port, which each connection knows itself.
func (s *Server) state(ctx context.Context) (Status, error) {
	st, err := s.backend.Status(ctx)
	if err != nil {
		return Status{}, fmt.Errorf("read the status: %w", err)
	}
	st.PID = os.Getpid()
	st.LastRefused, st.Dashboard = s.Refused(), s.viewers.Load() > 0
	st.Endpoints = nil
	for _, r := range routes() {
		st.Endpoints = append(st.Endpoints, r.method+" "+r.path)
	}
	st.Notices = slices.Concat(st.Notices, s.Notices())
	st.Vaults, st.Agents, st.Dispatches = present(st.Vaults), present(st.Agents), brief(st.Dispatches)
	return st, nil
}

func (s *Server) reserved(c call) (any, error) {
	var manual struct{ Role, Instruction, File string }
	if err := c.decode(&manual); err != nil {
		return nil, err
	}
	return nil, refusal(http.StatusNotImplemented, "reserved", "This call is reserved; write the request into the note instead.")
}

func (s *Server) watcher(c call) (any, error) {
	var req struct {
		WatcherRequest
		Running *bool `json:"running"` // said or not: leaving it out is no request to stop
	}
	if err := c.decode(&req); err != nil {
		return nil, err
	}
	if req.Running == nil {
		return nil, &Invalid{Reason: "Say \"running\": true or false."}
	}
	if d, err := time.ParseDuration(req.For); req.For != "" && (err != nil || d <= 0) {
		return nil, &Invalid{Reason: "\"for\" must be a length of time such as 30m or 1h."}
	}
	req.WatcherRequest.Running = *req.Running
	w, err := s.backend.SetWatcher(c.r.Context(), req.WatcherRequest)
	if err != nil {
		return nil, fmt.Errorf("set the watcher: %w", err)
	}
	return w, nil
}

func (s *Server) rescan(c call) (any, error) {
	if err := s.backend.Rescan(c.r.Context()); err != nil {
		return nil, fmt.Errorf("start a rescan: %w", err)
	}
	return Done{OK: true}, nil
}

func (s *Server) dispatches(c call) (any, error) {
	f, err := filter(c.r, pageSize)
	if err != nil {
		return nil, err
	}
	list, err := s.backend.Dispatches(c.r.Context(), f)
	if err != nil {
		return nil, fmt.Errorf("list dispatches: %w", err)
	}
	return DispatchList{Dispatches: brief(list)}, nil
}

func (s *Server) dispatch(c call) (any, error) {
	d, err := s.backend.Dispatch(c.r.Context(), c.id)
	if err != nil {
		return nil, fmt.Errorf("read a dispatch: %w", err)
	}
	d.Answers, d.Steps, d.Lines = present(d.Answers), present(d.Steps), present(d.Lines)
	return topDetail{Detail: d, LastError: d.Error}, nil
}

func (s *Server) retry(c call) (any, error) {
	d, err := s.backend.Retry(c.r.Context(), c.id)
	return record(d, err, "retry a dispatch")
}

func (s *Server) cancel(c call) (any, error) {
	d, err := s.backend.Cancel(c.r.Context(), c.id)
	return record(d, err, "cancel a dispatch")
}

func (s *Server) undo(c call) (any, error) {
	d, err := s.backend.Undo(c.r.Context(), c.id)
	return record(d, err, "undo a dispatch")
}

func record(d Dispatch, err error, doing string) (any, error) {
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return topDispatch{Dispatch: brief([]Dispatch{d})[0], LastError: d.Error}, nil
}

func (s *Server) search(c call) (any, error) {
	q, err := query(c.r)
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(q.Get("q"))
	if text == "" {
		return nil, &Invalid{Reason: "Say what to search for with ?q=."}
	}
	limit, err := number(q, "limit", 10, 100)
	if err != nil {
		return nil, err
	}
	if file := q.Get("explain"); file != "" {
		sentence, err := s.backend.Explain(c.r.Context(), text, file, limit)
		if err != nil {
			return nil, fmt.Errorf("explain: %w", err)
		}
		return HitList{Hits: []Hit{}, Explain: sentence}, nil
	}
	list, err := s.backend.Search(c.r.Context(), text, limit)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	list.Hits = present(list.Hits)
	return list, nil
}

func (s *Server) shutdown(call) (any, error) { return Done{OK: true}, nil }
