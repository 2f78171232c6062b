package server

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/openapi"
	"vaultdispatcher/engine/lazyregexp"
)

// Route is one call.
type Route struct {
	Method string
	Path   string // {id} stands for one name
	Token  bool   // asks for the token, or for a session of the dashboard
	Ticket bool   // is satisfied with a ticket of the desk too
	Page   bool   // asks for a session; the token opens no pages. A GET answers HEAD too
	Slow   bool   // waits for an agent, or for much to be looked at or done
	Unread bool   // its body is let go by, however long it is

	// Check is the route's own part of the guard, once the body was read; it may be nil.
	Check func(*Call) error
	// Handle returns the body of a success, a [Responder], or an error, and then nothing else counts. An
	// error of the backend says what was being done; the log adds which call it was.
	Handle func(Call) (any, error)

	epilogue func() // once the answer is on its way; may be nil
}

// Call is a request that has passed the guard.
type Call struct {
	Request *http.Request
	ID      string     // the name in place of {id}
	Port    string     // the port we answer on
	Session Session    // of the browser that asks; nil for any other client
	Form    url.Values // the form that Check has read

	Body []byte
}

// Responder is an answer that is no JSON: a page, or a stream.
type Responder interface {
	Respond(w http.ResponseWriter, r *http.Request)
}

// Session is a browser that may see the dashboard.
type Session interface {
	Alive(now time.Time) bool
}

// Pages is the dashboard as the server knows it.
type Pages interface {
	Routes() []Route
	// Session returns the session a request belongs to, or nil.
	Session(r *http.Request) Session
	// IsFromNeighbour reports whether a browser opens the link of a page of this
	// computer at another port from which the engine has moved.
	IsFromNeighbour(r *http.Request) bool
	// NewLink makes a one-time link to the dashboard at a port.
	NewLink(port string) api.Link
	// ShowProblem answers a browser that asked for a page, and reports whether it
	// has; other programs get JSON.
	ShowProblem(w http.ResponseWriter, r *http.Request, e *api.StatusError) bool
	// End ends the sessions that belong to this server.
	End()
}

// listCalls is the interface for programs, call by call.
func (s *Server) listCalls() []Route {
	q, t := s.Questions, &s.Tools
	return []Route{
		{Method: "GET", Path: "/vault-mind/ping", Handle: s.answerPing},
		{Method: "GET", Path: "/vault-mind/openapi.json", Token: true,
			Handle: func(Call) (any, error) { return json.RawMessage(openapi.Description), nil }},
		{Method: "GET", Path: "/vault-mind/status", Handle: s.readStatus},
		{Method: "POST", Path: "/vault-mind/scan", Handle: s.scanNote},
		{Method: "POST", Path: "/vault-mind/dispatch", Token: true, Handle: withBody(false, s.dispatchQuestion)},
		{Method: "POST", Path: "/vault-mind/ask", Token: true, Handle: withBody(false, s.askQuestion)},
		{Method: "POST", Path: "/vault-mind/watcher", Token: true, Handle: withBody(false, q.setWatcher)},
		{Method: "POST", Path: "/vault-mind/rescan", Token: true, Handle: func(c Call) (any, error) { return api.Done{OK: true}, s.backend.Rescan(c.Request.Context()) }},
		{Method: "POST", Path: "/vault-mind/notices/{id}/dismiss", Token: true,
			Handle: func(c Call) (any, error) {
				return api.Done{OK: true}, s.backend.DismissNotice(c.Request.Context(), c.ID)
			}},
		{Method: "GET", Path: "/vault-mind/schedule", Token: true, Handle: q.readSchedule},
		{Method: "POST", Path: "/vault-mind/schedule/{id}/pause", Token: true, Handle: q.onSchedule("pause")},
		{Method: "POST", Path: "/vault-mind/schedule/{id}/resume", Token: true, Handle: q.onSchedule("resume")},
		{Method: "POST", Path: "/vault-mind/schedule/{id}/run", Token: true, Handle: q.onSchedule("run")},
		{Method: "GET", Path: "/vault-mind/dispatches", Token: true, Handle: q.listDispatches},
		{Method: "GET", Path: "/vault-mind/dispatches/{id}", Token: true, Handle: q.readDispatch},
		{Method: "POST", Path: "/vault-mind/dispatches/{id}/retry", Token: true, Handle: withBody(true, q.retryDispatch)},
		{Method: "POST", Path: "/vault-mind/dispatches/{id}/cancel", Token: true, Handle: onOne(s.backend.Cancel)},
		{Method: "POST", Path: "/vault-mind/dispatches/{id}/release", Token: true, Handle: withBody(true, q.releaseDispatch)},
		{Method: "GET", Path: "/vault-mind/held", Token: true, Handle: q.readHeld},
		{Method: "POST", Path: "/vault-mind/release", Token: true, Slow: true, Handle: withBody(false, func(c Call, req api.ReleaseRequest) (any, error) { return q.ReleaseHeld(c.Request.Context(), req) })},
		{Method: "GET", Path: "/vault-mind/answers", Token: true, Handle: q.listAnswers},
		{Method: "POST", Path: "/vault-mind/dispatches/{id}/undo", Token: true, Handle: onOne(s.backend.Undo)},
		{Method: "GET", Path: "/vault-mind/proposed", Token: true, Handle: q.listProposed},
		{Method: "POST", Path: "/vault-mind/dispatches/{id}/accept", Token: true, Handle: withBody(false, q.acceptProposal)},
		{Method: "POST", Path: "/vault-mind/dispatches/{id}/reject", Token: true, Handle: withBody(true, func(c Call, req api.RejectRequest) (any, error) {
			return tellOne(s.backend.Reject(c.Request.Context(), c.ID, strings.TrimSpace(req.Because)))
		})},
		{Method: "GET", Path: "/vault-mind/search", Token: true, Handle: q.searchVaults},
		{Method: "GET", Path: "/vault-mind/events", Token: true, Handle: s.openEvents},
		{Method: "GET", Path: "/vault-mind/setup", Token: true, Handle: func(c Call) (any, error) { return t.LookAtSetup(c.Request.Context()) }},
		{Method: "POST", Path: "/vault-mind/setup", Token: true, Slow: true, Handle: withBody(false, t.writeSetup)},
		{Method: "GET", Path: "/vault-mind/log", Token: true, Handle: func(c Call) (any, error) { return t.ReadLog(c.Request) }},
		{Method: "GET", Path: "/vault-mind/doctor", Token: true, Handle: func(c Call) (any, error) { return t.AskDoctor(c.Request.Context()) }},
		{Method: "POST", Path: "/vault-mind/session", Token: true, Handle: s.newLink},
		{Method: "POST", Path: "/vault-mind/shutdown", Token: true, Handle: func(Call) (any, error) { return api.Done{OK: true}, nil },
			epilogue: func() { s.backend.Shutdown() }},
	}
}

// findRoute returns the route of a request. A path that is written in any unusual way
// names nothing: there are no redirects here.
func (s *Server) findRoute(r *http.Request) (Route, string, error) {
	var allow []string
	for _, route := range s.routes {
		id, ok := Match(route.Path, r.URL.EscapedPath())
		if ok && (route.Method == r.Method || route.Page && route.Method == http.MethodGet && r.Method == http.MethodHead) {
			return route, id, nil
		}
		if ok {
			allow = append(allow, route.Method)
		}
	}
	if allow == nil {
		return Route{}, "", api.Refusal(http.StatusNotFound, "not_found", "There is no such call; the status lists those there are.")
	}
	return Route{}, "", &api.StatusError{Status: http.StatusMethodNotAllowed, Code: "method_not_allowed",
		Text: "This call is a " + strings.Join(allow, " or ") + ".", Allow: strings.Join(allow, ", ")}
}

// IsID reports whether a text has the form of a name in a path.
func IsID(text string) bool { return idForm().MatchString(text) }

var idForm = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// Match reports whether a path has the form of a route's, and returns the name in place of {id}.
func Match(pattern, path string) (string, bool) {
	before, after, variable := strings.Cut(pattern, "{id}")
	if !variable {
		return "", pattern == path
	}
	if len(path) < len(before)+len(after) || !strings.HasPrefix(path, before) || !strings.HasSuffix(path, after) {
		return "", false
	}
	id := path[len(before) : len(path)-len(after)]
	return id, IsID(id)
}
