// Package server answers the calls of the loopback HTTP interface.
//
// The engine calls [New] and then [Server.Run] with itself as the [api.Backend].
// [Server.UsePages] adds a dashboard, which the server knows as [Pages].
//
// # Who gets in
//
// A connection of another user of the machine is closed when it is accepted (on Linux),
// so it takes no room. The server checks of every request, in this order: the Host it was
// sent to, the Origin it comes from, path and method, the token where the route table
// says so, and the size of its body. A web page passes neither of the first two. The
// order is that of guard.go and the calls are those of routes.go; both are meant to be
// read as lists.
//
// # Promises
//
// A path in a request is judged by its text before the file system is asked, and
// then looked at through an [os.Root] of a vault only: no request makes the
// engine touch anything outside the vaults. Every failure of a request that net/http
// accepts is answered in JSON with one sentence that says what to do; what net/http
// refuses as malformed gets its own plain text. No success has a key "error" at its
// top.
package server

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/backlog"
	"vaultdispatcher/engine/api/peer"
)

// limits are the measures of the server; tests make them smaller.
type limits struct {
	header, read, write, idle time.Duration
	drain                     time.Duration // for calls under way at the end
	parting                   time.Duration // for answering those that do not end
	headerBytes               int
	bodyBytes                 int64
	connections               int
}

func defaultLimits() limits {
	return limits{
		header: 2 * time.Second, read: 5 * time.Second, write: 10 * time.Second, idle: 30 * time.Second,
		drain: 3 * time.Second, parting: time.Second, headerBytes: 16 << 10, bodyBytes: 64 << 10, connections: 64,
	}
}

// scanLimits bound the notes that are scanned on request over HTTP.
var scanLimits = backlog.Limits{PerSecond: 20, Burst: 100, Pieces: 10_000, MostBytes: 8 << 20}

// Server answers the calls of the route table.
type Server struct {
	backend api.Backend
	token   string
	log     *slog.Logger
	limits  limits
	scans   *backlog.Backlog[wanted]
	feed    *feed
	routes  []Route
	// endpoints are the calls for programs, as the status names them.
	endpoints []string
	pages     Pages // nil where there is no dashboard
	desk      Desk  // nil where no agent is served

	peer    func(client, server net.Addr) peer.Kind
	viewers atomic.Int32 // pages of the dashboard that follow the events

	forms sync.Map // client forms logged before

	Questions Questions
	Tools     Tools
	Refusals  Refusals
}

// New returns a server for the backend. With an empty token the calls that need one
// are refused.
func New(backend api.Backend, token string, log *slog.Logger) *Server {
	s := &Server{
		backend: backend, token: token, log: log, limits: defaultLimits(),
		scans: backlog.New[wanted](scanLimits), peer: peer.Of, Questions: Questions{backend},
	}
	s.feed = newFeed(s.State, log)
	s.UseCalls(s.listCalls())
	return s
}

// UseCalls adds calls for programs, which the status names. It is called before Run.
func (s *Server) UseCalls(more []Route) {
	s.routes = append(s.routes, more...)
	for _, r := range more {
		s.endpoints = append(s.endpoints, r.Method+" "+r.Path)
	}
}

// UsePages gives the server a dashboard. It is called before Run.
func (s *Server) UsePages(p Pages) {
	s.pages = p
	s.routes = append(s.routes, p.Routes()...)
}

// Changed says that the state may have changed, for clients that follow the events. It
// never waits and may be called at any time.
func (s *Server) Changed() { s.feed.markChanged() }

// Run serves the listener until ctx ends, lets the calls under way finish for a
// few seconds, and then cuts them off, with an answer. Event streams end at once. It returns when all of them have ended, and closes the listener.
func (s *Server) Run(ctx context.Context, ln net.Listener) error {
	base, end := context.WithCancelCause(context.WithoutCancel(ctx))
	cut := func() { end(context.Cause(ctx)) }
	defer cut()
	feeding, endFeed := context.WithCancel(base)
	go s.feed.run(feeding)
	var scanning sync.WaitGroup
	scanning.Go(func() { s.scans.Run(feeding, s.lookAtRemembered) })
	defer func() {
		endFeed()
		<-s.feed.end
		scanning.Wait()
		if s.pages != nil {
			s.pages.End()
		}
	}()
	conns := newConnections(ln, s.limits.connections, s.isLetIn)
	underWay := &calls{handler: s}
	server := s.httpServer(base, underWay)
	served := make(chan error, 1)
	go func() { served <- server.Serve(conns) }()
	select {
	case err := <-served:
		endFeed()
		server.Close()
		cut()
		underWay.waitAndRefuse()
		return fmt.Errorf("serve the loopback interface: %w", err)
	case <-ctx.Done():
	}
	endFeed()
	drain, cancel := context.WithTimeout(base, s.limits.drain)
	defer cancel()
	// Shutdown drops a request that is just being sent, so it is called when no request is left: a browser that
	// follows its own form may meet an engine that gives way to another.
	conns.Close()
	<-served
	server.SetKeepAlivesEnabled(false)
	conns.waitEmpty(drain)
	if server.Shutdown(drain) != nil {
		cut() // so that a waiting call is answered that we stop
		parting, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.parting)
		defer cancel()
		if server.Shutdown(parting) != nil {
			server.Close()
		}
	}
	cut()
	underWay.waitAndRefuse()
	return nil
}

func (s *Server) httpServer(base context.Context, handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: s.limits.header,
		ReadTimeout:       s.limits.read,
		WriteTimeout:      s.limits.write,
		IdleTimeout:       s.limits.idle,
		// net/http allows 4096 bytes more (initialReadLimitSize in
		// https://go.dev/src/net/http/server.go).
		MaxHeaderBytes: s.limits.headerBytes - 4096,
		// OPTIONS * passes the guard like everything else.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		BaseContext:                  func(net.Listener) context.Context { return base },
	}
}

// calls counts the requests under way, so that Run can wait for them:
// http.Server waits for those only that end in time.
type calls struct {
	handler  http.Handler
	gate     sync.RWMutex // held for reading by every call; guards finished
	finished bool
}

func (c *calls) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.gate.RLock()
	defer c.gate.RUnlock()
	if c.finished {
		writeJSON(w, statusOf(api.CauseOf(r.Context(), api.ErrStopping)))
		return
	}
	c.handler.ServeHTTP(w, r)
}

// waitAndRefuse waits for the calls under way and lets no other begin.
func (c *calls) waitAndRefuse() {
	c.gate.Lock()
	defer c.gate.Unlock()
	c.finished = true
}

// Refusals are the requests that were turned away. Its methods are safe for concurrent use.
type Refusals struct {
	mu     sync.Mutex // guards the fields below
	latest *api.Refused
	codes  map[string]int // how often, by code
	blind  time.Time      // when a peer's user was first not known
}

// Last returns the last request that was turned away, or nil.
func (r *Refusals) Last() *api.Refused {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.latest // one that comes later is another
}

// Counts counts the requests that were turned away, by their code.
func (r *Refusals) Counts() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.codes)
}

// Notices returns what a person should know about the server.
func (r *Refusals) Notices() []api.Notice {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.blind.IsZero() {
		return nil
	}
	n := api.NewNotice(api.NoticePeers)
	n.Start = r.blind
	return []api.Notice{n}
}

// noteUnknownPeer remembers that the user of a connection was not known.
func (r *Refusals) noteUnknownPeer() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.blind.IsZero() {
		r.blind = time.Now().UTC()
	}
}

// remember remembers a request that was turned away, for the status.
func (r *Refusals) remember(e *api.StatusError) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.latest = &api.Refused{At: time.Now().UTC(), Code: e.Code, Text: e.Text}
	if r.codes == nil {
		r.codes = make(map[string]int)
	}
	r.codes[e.Code]++
}
