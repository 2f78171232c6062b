// Package metrics tells a Prometheus server what an engine does: GET /metrics, in Prometheus' text format
// (https://prometheus.io/docs/instrumenting/exposition_formats/).
//
//	m := metrics.New(options)
//	server.UseCalls(m.Routes())
//
// Events are counted when they happen ([Metrics.CountStep], [Metrics.CountUsage]), and the present state is read from
// memory. After a step a goroutine asks the journal how many dispatches there are ([Metrics.Run]). So a request
// touches no disk. Labels are bounded: a role that is not configured is "other", and no name or word of a note is in
// any.
package metrics

import (
	"bytes"
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
)

// Options are what the numbers come from. The functions read memory only.
type Options struct {
	Entry  func(role string) string // the name that a role is configured under; "*" = under none of its own
	Public bool                     // no token is asked for
	Counts func(context.Context) (map[journal.Status]int, error)
	Vaults func() []Vault
	// Refusals counts the requests that were turned away, by their code.
	Refusals func() map[string]int
}

// Vault is what an open vault knows of itself.
type Vault struct {
	Name     string
	Settling int // markers
	Hints    int // the system's words that something may have changed
	Misses   int // changes without a hint, found by a comparison
	Notes    int // indexed
	Bytes    int // of the index
}

// Metrics are the numbers. All methods are safe for concurrent use.
type Metrics struct {
	opts    Options
	stirred chan struct{} // holds one token when the journal may have other counts
	counts  atomic.Pointer[map[journal.Status]int]

	states, rewrites, tokens, cost, asking, whole *family
}

// New returns numbers that are all zero.
func New(opts Options) *Metrics {
	m := &Metrics{
		opts: opts, stirred: make(chan struct{}, 1),
		states:   newFamily("counter", "wiki_dispatches_total", "Dispatches that have come into a state since the engine started.", "role", "state"),
		rewrites: newFamily("counter", "wiki_rewrites_total", "What became of the writing of answers into notes.", "outcome"),
		tokens:   newFamily("counter", "wiki_agent_tokens_total", "Tokens, as far as the agents tell.", "kind", "role"),
		cost:     newFamily("counter", "wiki_agent_cost_usd_total", "US dollars, as far as the agents tell.", "role"),
		asking:   newFamily("histogram", "wiki_answer_seconds", "From the start of an agent to its answer.", "role"),
		whole:    newFamily("histogram", "wiki_dispatch_seconds", "From the acceptance of a question to its answer in the note.", "role"),
	}
	m.counts.Store(new(map[journal.Status]int))
	return m
}

// Routes are the one call.
func (m *Metrics) Routes() []server.Route {
	return []server.Route{{Method: "GET", Path: "/metrics", Token: !m.opts.Public,
		Handle: func(server.Call) (any, error) { return m.writePage(), nil }}}
}

// page is an answer in Prometheus' text format.
type page struct{ bytes.Buffer }

// writePage writes all numbers.
func (m *Metrics) writePage() *page {
	p := new(page)
	for _, f := range append(m.readNow(), m.states, m.rewrites, m.tokens, m.cost, m.asking, m.whole) {
		f.write(p)
	}
	return p
}

// Respond implements [server.Responder].
func (p *page) Respond(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(p.Bytes()) // a client that has gone needs no answer
}

// Run keeps how many dispatches there are until ctx ends. It asks after steps, every five seconds at most.
func (m *Metrics) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if counts, err := m.opts.Counts(ctx); err == nil {
			m.counts.Store(&counts)
		}
		_ = due.Sleep(ctx, 5*time.Second) // the loop asks
		select {
		case <-m.stirred:
		case <-ctx.Done():
		}
	}
}

// outcomes are the steps that end a writing, by what is told of them.
var outcomes = map[string]string{
	"written": "written", "replaced": "replaced", "parked": "parked", "undone": "undone", "kept": "undo_refused",
	"overwritten": "written_over", "reverted": "reverted",
}

// still are the steps that leave a dispatch in its state.
var still = map[string]bool{"answered": true, "swapping": true, "moved": true}

// CountStep counts a step that the journal has recorded. It never waits for anything.
func (m *Metrics) CountStep(step string, d journal.Dispatch) {
	select {
	case m.stirred <- struct{}{}:
	default:
	}
	role := m.nameRole(d.Role)
	if !still[step] {
		status := string(d.Status)
		if d.Status == journal.Done && d.HasNoResult() {
			status = "no_result"
		}
		m.states.count(role, status).Inc()
	}
	outcome := outcomes[step]
	switch {
	case step == "answered":
		m.asking.observe(time.Since(d.Started), role)
	case step == "written" && d.Status == journal.Done:
		m.whole.observe(d.Finished.Sub(d.Created), role)
	case step == "written": // some of the places are gone
		outcome = outcomes["parked"]
	}
	if outcome != "" {
		m.rewrites.count(outcome).Inc()
	}
}

// CountUsage counts what a run of an agent has cost.
func (m *Metrics) CountUsage(role string, u journal.Usage) {
	role = m.nameRole(role)
	m.tokens.count("input", role).AddInt64(max(0, int64(u.Input)))
	m.tokens.count("output", role).AddInt64(max(0, int64(u.Output)))
	m.cost.addAmount(max(0, u.Cost), role)
}

// nameRole returns a role as it is configured, or "other", because any writer of a note may name a role.
func (m *Metrics) nameRole(role string) string {
	if entry := m.opts.Entry(role); entry != "*" {
		return entry
	}
	return "other"
}
