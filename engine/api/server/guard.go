package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
)

// obsidian is the origin of the note app's own pages, the only one let in.
const obsidian = "app://obsidian.md"

// ServeHTTP takes a request through the guard to its route. The guard's steps are in
// the promised order; each ends the request if it fails.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Server", api.Product)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	port := LocalPort(r)
	err := checkHost(r, port)
	var session Session
	if err == nil {
		session = s.sessionOf(r)
		err = s.checkOrigin(r, session != nil)
	}
	if err != nil {
		s.replyError(w, r, err, true)
		return
	}
	if r.Header.Get("Origin") == obsidian {
		setAllowedOrigin(h)
	}
	if r.Method == http.MethodOptions {
		s.answerPreflight(w, r)
		return
	}
	route, id, err := s.findRoute(r)
	if err != nil {
		s.replyError(w, r, err, false)
		return
	}
	s.handleCall(w, r, route, Call{Request: r, ID: id, Port: port, Session: session})
}

// handleCall is the second half of the guard: token and body, then the route itself.
func (s *Server) handleCall(w http.ResponseWriter, r *http.Request, route Route, c Call) {
	err := s.checkAccess(w, route, c)
	switch {
	case err != nil:
	case route.Unread:
		_, _ = io.Copy(io.Discard, r.Body) // so that the client has sent it before it is answered
	default:
		c.Body, err = s.readBody(w, r)
	}
	if err == nil && route.Check != nil {
		err = route.Check(&c)
	}
	if err != nil {
		s.replyError(w, r, err, true)
		return
	}
	// An answer that comes after the time to write it would be no answer.
	limit := s.limits.write
	if route.Slow {
		limit = tryTime
		if err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(limit)); err != nil {
			s.replyError(w, r, fmt.Errorf("wait longer than usual: %w", err), false)
			return
		}
	}
	ctx, cancel := context.WithTimeout(r.Context(), limit*9/10)
	defer cancel()
	c.Request = r.WithContext(ctx)
	body, err := route.Handle(c)
	if err != nil {
		s.replyError(w, r, err, !route.Token && !route.Page)
		return
	}
	if own, ok := body.(Responder); ok {
		own.Respond(w, r) // with the request's own context: a stream has no time to end in
		return
	}
	writeJSON(w, body)
	if route.epilogue != nil {
		http.NewResponseController(w).Flush()
		route.epilogue()
	}
}

// checkAccess checks the token or session that the route table asks for.
func (s *Server) checkAccess(w http.ResponseWriter, route Route, c Call) error {
	switch {
	case route.Token && c.Session == nil && !s.hasToken(c.Request) && !(route.Ticket && s.hasTicket(c.Request)):
		w.Header().Set("WWW-Authenticate", "Bearer")
		return errUnauthorized()
	case route.Page && c.Session == nil:
		return api.Refusal(http.StatusUnauthorized, "unauthorized", "Open the dashboard from the menu of its icon in the panel, or with wiki open in a terminal: either makes a link that lets this browser in.")
	}
	return nil
}

func errUnauthorized() *api.StatusError {
	return api.Refusal(http.StatusUnauthorized, "unauthorized",
		"This call needs the token: send Authorization: Bearer with what wiki token prints.")
}

// LocalPort is the port that a request has come to.
func LocalPort(r *http.Request) string {
	addr, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if addr == nil {
		return ""
	}
	return strconv.Itoa(addr.Port)
}

// checkHost ends DNS rebinding: a page that made its own name point here still
// sends that name.
func checkHost(r *http.Request, port string) error {
	host := strings.ToLower(r.Host)
	if port != "" && slices.Contains([]string{"127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port}, host) {
		return nil
	}
	return api.Refusal(http.StatusForbidden, "host_not_allowed", "Use the address http://127.0.0.1:"+port+" itself; no other name is served.")
}

// checkOrigin keeps web pages out. A request that a browser makes for a page
// names the page's origin, or at least how it is related to us. Our own origin is
// worth nothing by itself: only our pages have a session.
func (s *Server) checkOrigin(r *http.Request, session bool) error {
	refused := api.Refusal(http.StatusForbidden, "origin_not_allowed", "Web pages may not use this interface; ask from the command line or the note app.")
	origins := r.Header.Values("Origin")
	ours := len(origins) == 1 && session && origins[0] == OwnBase(r)
	if len(origins) > 1 || len(origins) == 1 && origins[0] != obsidian && !ours {
		return refused
	}
	if len(origins) == 1 && !ours {
		return nil
	}
	if len(origins) == 0 && s.isFromNeighbour(r) {
		return nil
	}
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "none" && site != "same-origin" {
			return refused
		}
	}
	return nil
}

func (s *Server) isFromNeighbour(r *http.Request) bool {
	return s.pages != nil && s.pages.IsFromNeighbour(r)
}

// sessionOf returns the session of the browser that asks, or nil.
func (s *Server) sessionOf(r *http.Request) Session {
	if s.pages == nil {
		return nil
	}
	return s.pages.Session(r)
}

// OwnBase is the origin of our own pages; the guard has checked the Host.
func OwnBase(r *http.Request) string { return "http://" + strings.ToLower(r.Host) }

func setAllowedOrigin(h http.Header) {
	h.Set("Access-Control-Allow-Origin", obsidian)
	h.Set("Vary", "Origin")
}

// answerPreflight answers the question a browser asks before a call of the note app.
func (s *Server) answerPreflight(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Origin") != obsidian {
		s.replyError(w, r, api.Refusal(http.StatusForbidden, "origin_not_allowed", "Only the note app asks before it calls; send the call itself."), true)
		return
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Headers", "authorization, content-type")
	h.Set("Access-Control-Allow-Methods", "GET, POST")
	h.Set("Access-Control-Allow-Private-Network", "true")
	w.WriteHeader(http.StatusNoContent)
}

// hasToken compares hashes, so that the time taken says nothing about the token.
func (s *Server) hasToken(r *http.Request) bool {
	values := r.Header.Values("Authorization")
	if s.token == "" || len(values) != 1 {
		return false
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	want, got := sha256.Sum256([]byte(s.token)), sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(want[:], got[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}

// readBody reads a body whole, within its limits of size and time.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if len(r.Header.Values("Content-Encoding")) > 0 {
		return nil, api.Refusal(http.StatusUnsupportedMediaType, "content_encoding", "Send the body as it is, without a Content-Encoding.")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.limits.bodyBytes))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		return body, nil
	case errors.As(err, &tooLarge):
		return nil, api.Refusal(http.StatusRequestEntityTooLarge, "body_too_large", "The body is larger than 64 KiB; send a path, not the note.")
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		return nil, api.Refusal(http.StatusRequestTimeout, "body_timeout", "The body did not arrive in time; send it at once.")
	}
	w.Header().Set("Connection", "close")
	return nil, api.Refusal(http.StatusBadRequest, "bad_request", "The body broke off; send it again.")
}

// replyError answers with an error. What the guard turned away is remembered for the
// status; what we did wrong is logged.
func (s *Server) replyError(w http.ResponseWriter, r *http.Request, err error, remember bool) {
	e := statusOf(api.CauseOf(r.Context(), err))
	switch {
	case e.Status == http.StatusInternalServerError:
		s.log.Error("request failed", "method", r.Method, "path", r.URL.Path, "error", err)
	case remember && e.Status < 500:
		s.Refusals.remember(e)
		s.log.Debug("request refused", "method", r.Method, "code", e.Code)
	}
	setProblemHeaders(w.Header(), e)
	if s.pages == nil || !s.pages.ShowProblem(w, r, e) {
		writeJSON(w, e)
	}
}
