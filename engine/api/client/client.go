// Package client asks a running engine. The command line and the tray use it: call
// [New] with the port and the token ([LoadToken]), or [FindEngine] with a state folder,
// then the methods of [Client].
//
// A client sends the token to a program of the same user only, where the system can tell.
package client

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/patience"
)

// maxAnswer is how much of an answer a client reads.
const maxAnswer = 64 << 20

// Client asks the engine that listens on a port of this computer. It follows no
// redirect and uses no proxy. It is safe for concurrent use.
//
// Its errors: [api.ErrNotRunning], [api.ErrNotOurs], a [*api.StatusError] for a refusal, or the
// error of the context.
type Client struct {
	port  int
	token string
	state string // the folder that the token is of; "" = not known
	http  *http.Client
}

// New returns a client for the engine on a port. The token may be empty
// for the calls that need none.
func New(port int, token string) *Client {
	dialer := &net.Dialer{Timeout: patience.Of(time.Second)}
	return &Client{port: port, token: token, http: &http.Client{
		Transport: &http.Transport{
			Proxy: nil,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return dialer.DialContext(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
			},
			// A new connection costs nothing here, and one that was kept could
			// end up with a program that took the port after the engine.
			DisableKeepAlives:     true,
			ResponseHeaderTimeout: 60 * time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Port is the port that is asked.
func (c *Client) Port() int { return c.port }

// Ping asks whether an engine is there, which answers at once.
func (c *Client) Ping(ctx context.Context) (api.Ping, error) {
	return get[api.Ping](ctx, c, "/vault-mind/ping", nil)
}

// Status asks what the engine is doing.
func (c *Client) Status(ctx context.Context) (api.Status, error) {
	return get[api.Status](ctx, c, "/vault-mind/status", nil)
}

// Scan asks for a look at a note: its absolute path, or its path in a vault.
func (c *Client) Scan(ctx context.Context, file string) (api.ScanResult, error) {
	return post[api.ScanResult](ctx, c, "/vault-mind/scan", map[string]any{"file": file})
}

// ScanNow is Scan for a person who asks: what it finds starts without settling.
func (c *Client) ScanNow(ctx context.Context, file string) (api.ScanResult, error) {
	return post[api.ScanResult](ctx, c, "/vault-mind/scan", map[string]any{"file": file, "now": true})
}

// SetWatcher starts or stops the watching of saves.
func (c *Client) SetWatcher(ctx context.Context, req api.WatcherRequest) (api.Watcher, error) {
	return post[api.Watcher](ctx, c, "/vault-mind/watcher", req)
}

// Rescan has every vault looked through now.
func (c *Client) Rescan(ctx context.Context) error {
	_, err := post[api.Done](ctx, c, "/vault-mind/rescan", nil)
	return err
}

// Schedule lists the questions that come again.
func (c *Client) Schedule(ctx context.Context) ([]api.Scheduled, error) {
	list, err := get[api.ScheduleList](ctx, c, "/vault-mind/schedule", nil)
	return list.Schedule, err
}

// ActOnSchedule does one of pause, resume and run.
func (c *Client) ActOnSchedule(ctx context.Context, id, act string) (api.Scheduled, error) {
	return post[api.Scheduled](ctx, c, "/vault-mind/schedule/"+url.PathEscape(id)+"/"+act, nil)
}

// Dispatches lists dispatches, the newest first.
func (c *Client) Dispatches(ctx context.Context, f api.Filter) ([]api.Dispatch, error) {
	q := url.Values{}
	for name, value := range map[string]string{"status": f.Status, "vault": f.Vault, "file": f.File, "q": f.Query} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.Limit > 0 {
		q.Set("limit", strconv.Itoa(f.Limit))
	}
	list, err := get[api.DispatchList](ctx, c, "/vault-mind/dispatches", q)
	return list.Dispatches, err
}

// Dispatch returns one dispatch with its texts.
func (c *Client) Dispatch(ctx context.Context, id string) (api.Detail, error) {
	d, err := get[api.DetailBody](ctx, c, "/vault-mind/dispatches/"+url.PathEscape(id), nil)
	return d.Record(), err
}

// Retry runs a failed dispatch again.
func (c *Client) Retry(ctx context.Context, id string) (api.Dispatch, error) {
	return c.actOn(ctx, id, "retry")
}

// AskAgain has the agent of a dispatch asked anew.
func (c *Client) AskAgain(ctx context.Context, id string) (api.Dispatch, error) {
	return c.actWith(ctx, id, "retry", map[string]bool{"fresh": true})
}

// Cancel ends a dispatch, and the waiting of an answer that is parked.
func (c *Client) Cancel(ctx context.Context, id string) (api.Dispatch, error) {
	return c.actOn(ctx, id, "cancel")
}

// Held lists what is held, the kinds apart.
func (c *Client) Held(ctx context.Context, some api.HeldScope) (api.HeldList, error) {
	q := url.Values{"kind": {some.Kind}, "vault": {some.Vault}, "note": {some.Note}, "folder": {some.Folder}}
	return get[api.HeldList](ctx, c, "/vault-mind/held", q)
}

// Release starts a held dispatch; seen is of its reading, where it has to be read before.
func (c *Client) Release(ctx context.Context, id, seen string) (api.Dispatch, error) {
	return c.actWith(ctx, id, "release", map[string]string{"seen": seen})
}

// ReleaseHeld starts several that are held.
func (c *Client) ReleaseHeld(ctx context.Context, req api.ReleaseRequest) (api.Released, error) {
	return post[api.Released](ctx, c, "/vault-mind/release", req)
}

// Answers lists the answers that are in no note, newest first.
func (c *Client) Answers(ctx context.Context) ([]api.Parked, error) {
	list, err := get[api.AnswerList](ctx, c, "/vault-mind/answers", nil)
	return list.Answers, err
}

// Proposed lists the answers that wait for a person's yes, newest first.
func (c *Client) Proposed(ctx context.Context) ([]api.Proposal, error) {
	list, err := get[api.ProposalList](ctx, c, "/vault-mind/proposed", nil)
	return list.Proposed, err
}

// Accept has a proposal written. A [*api.StatusError] with the code changed has its diff as it is
// now.
func (c *Client) Accept(ctx context.Context, id string, req api.AcceptRequest) (api.Dispatch, error) {
	return c.actWith(ctx, id, "accept", req)
}

// Reject ends a proposal; with a reason its question is asked again.
func (c *Client) Reject(ctx context.Context, id, because string) (api.Dispatch, error) {
	return c.actWith(ctx, id, "reject", api.RejectRequest{Because: because})
}

// Undo takes the answers of a dispatch out of their note.
func (c *Client) Undo(ctx context.Context, id string) (api.Dispatch, error) {
	return c.actOn(ctx, id, "undo")
}

func (c *Client) actOn(ctx context.Context, id, verb string) (api.Dispatch, error) {
	return c.actWith(ctx, id, verb, nil)
}

func (c *Client) actWith(ctx context.Context, id, verb string, body any) (api.Dispatch, error) {
	d, err := post[api.DispatchBody](ctx, c, "/vault-mind/dispatches/"+url.PathEscape(id)+"/"+verb, body)
	return d.Record(), err
}

// Explain says why a note is or is not among the passages a search finds.
func (c *Client) Explain(ctx context.Context, query, file string, limit int) (string, error) {
	q := url.Values{"q": {query}, "explain": {file}, "limit": {strconv.Itoa(limit)}}
	list, err := get[api.HitList](ctx, c, "/vault-mind/search", q)
	return list.Explain, err
}

// Search looks for passages; a limit of 0 leaves their number to the engine.
func (c *Client) Search(ctx context.Context, query string, limit int) (api.HitList, error) {
	q := url.Values{"q": {query}}
	if limit > 0 {
		q.Set("limit", strconv.Itoa(limit))
	}
	return get[api.HitList](ctx, c, "/vault-mind/search", q)
}

// Shutdown asks the engine to end; it has not ended yet when this returns.
func (c *Client) Shutdown(ctx context.Context) error {
	_, err := post[api.Done](ctx, c, "/vault-mind/shutdown", nil)
	return err
}

// Link asks for a one-time link to the dashboard.
func (c *Client) Link(ctx context.Context) (api.Link, error) {
	return post[api.Link](ctx, c, "/vault-mind/session", nil)
}
