package openapi_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/api/testdata/apitest"
	"vaultdispatcher/engine/api/vaultmind"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/metrics"
)

// engine is a backend that tells all there can be, or nothing, or fails.
type engine struct {
	*apitest.Backend
	mu    sync.Mutex // guards what follows
	empty bool
	err   error
}

func (e *engine) set(empty bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.empty, e.err = empty, err
}

func told[T any](e *engine) (v T, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.empty && e.err == nil {
		v = apitest.Filled[T]("text")
	}
	return v, e.err
}

func (e *engine) Status(context.Context, bool) (api.Status, error) {
	st, err := told[api.Status](e)
	for i := range st.Notices {
		st.Notices[i].Args = map[string]string{"vault": "v"}
	}
	return st, err
}

func (e *engine) Scan(context.Context, api.Root, string, bool) (api.ScanResult, error) {
	return told[api.ScanResult](e)
}

func (e *engine) Ask(context.Context, api.Root, api.AskRequest) (api.Dispatch, error) {
	d, err := told[api.Dispatch](e)
	if refused, ok := errors.AsType[*api.StatusError](err); ok && refused.Code == "failed" {
		return d, nil
	}
	return d, err
}

func (e *engine) AwaitAnswer(context.Context, string, func(string)) (api.Answered, error) {
	return told[api.Answered](e)
}

func (e *engine) SetWatcher(context.Context, api.WatcherRequest) (api.Watcher, error) {
	return told[api.Watcher](e)
}

func (e *engine) one() (api.Dispatch, error) { return told[api.Dispatch](e) }

func (e *engine) Proposed(context.Context) ([]api.Proposal, error) {
	return told[[]api.Proposal](e)
}

func (e *engine) Accept(_ context.Context, _ string, req api.AcceptRequest) (api.Dispatch, error) {
	if req.Seen == "old" {
		return api.Dispatch{}, api.Changed("-a\n+b\n", "5ee")
	}
	return e.one()
}

func (e *engine) Reject(context.Context, string, string) (api.Dispatch, error) { return e.one() }

func (e *engine) Rescan(context.Context) error                { _, err := e.one(); return err }
func (e *engine) DismissNotice(context.Context, string) error { _, err := e.one(); return err }

func (e *engine) Schedule(context.Context) ([]api.Scheduled, error) { return told[[]api.Scheduled](e) }
func (e *engine) ActOnSchedule(context.Context, string, string) (api.Scheduled, error) {
	return told[api.Scheduled](e)
}

func (e *engine) Dispatches(_ context.Context, f api.Filter) ([]api.Dispatch, error) {
	d, err := e.one()
	if d.ID == "" {
		return nil, err
	}
	d.Status = f.Status
	return []api.Dispatch{d}, err
}

func (e *engine) Dispatch(context.Context, string) (api.Detail, error) {
	d, err := told[api.Detail](e)
	if d.Hold != nil {
		d.Status, d.Hold.Kind = "held", "old"
	}
	return d, err
}
func (e *engine) Retry(context.Context, string) (api.Dispatch, error) { return e.one() }
func (e *engine) AskAgain(context.Context, string) (api.Dispatch, error) {
	return e.one()
}
func (e *engine) Cancel(context.Context, string) (api.Dispatch, error)  { return e.one() }
func (e *engine) Release(context.Context, string) (api.Dispatch, error) { return e.one() }
func (e *engine) Undo(context.Context, string) (api.Dispatch, error)    { return e.one() }
func (e *engine) Answers(context.Context) ([]api.Detail, error)         { return told[[]api.Detail](e) }

func (e *engine) Search(context.Context, string, int) (api.HitList, error) {
	return told[api.HitList](e)
}

func (e *engine) Shutdown() {}

// tools fail as the backend does.
func (e *engine) tools() api.Tools {
	return api.Tools{
		Log:    func(int) ([]api.LogLine, error) { return told[[]api.LogLine](e) },
		Doctor: func(context.Context) ([]api.Finding, error) { return told[[]api.Finding](e) },
		Setup: &api.SetupTools{
			Look:  func(context.Context) (api.Setup, error) { return told[api.Setup](e) },
			Write: func(context.Context, api.SetupChoice) (api.SetupWritten, error) { return told[api.SetupWritten](e) },
		},
	}
}

// pages are a dashboard that makes links.
type pages struct{}

func (pages) Routes() []server.Route                                                { return nil }
func (pages) Session(*http.Request) server.Session                                  { return nil }
func (pages) IsFromNeighbour(*http.Request) bool                                    { return false }
func (pages) NewLink(string) api.Link                                               { return apitest.Filled[api.Link]("text") }
func (pages) ShowProblem(http.ResponseWriter, *http.Request, *api.StatusError) bool { return false }
func (pages) End()                                                                  {}

// served is a server as the engine makes it, with tools and pages or bare.
type served struct {
	*apitest.Caller
	engine *engine
}

func serve(t *testing.T, bare bool) *served {
	t.Helper()
	e := &engine{Backend: apitest.NewBackend(t)}
	apitest.WriteNote(t, filepath.Join(e.Vaults[0].Path, "picture.png"))
	s := server.New(e, apitest.Token, slog.New(slog.DiscardHandler))
	s.UseCalls(vaultmind.Routes(e, s))
	s.UseDesk(mcp.NewDesk(nil, "1"))
	s.UseCalls(metrics.New(metrics.Options{Vaults: func() []metrics.Vault { return nil }, Refusals: s.Refusals.Counts}).Routes())
	if !bare {
		s.UseTools(e.tools())
		s.UsePages(pages{})
	}
	caller, _ := apitest.Serve(t, s.Run)
	return &served{caller, e}
}

// reply is an answer with its body read.
type reply struct {
	*http.Response
	body []byte
}

// send sends a request as it is written and reads the answer; of a stream only the head.
func (s *served) send(t *testing.T, text string) reply {
	t.Helper()
	conn, err := net.Dial("tcp4", s.Host())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(apitest.Patience)); err != nil {
		t.Fatal(err)
	}
	// What is too large may be refused before all of it was sent.
	_, _ = io.WriteString(conn, strings.ReplaceAll(text, "PORT", s.PortText()))
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("read the answer to %.60q: %v", text, err)
	}
	got := reply{Response: response}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		return got
	}
	if got.body, err = io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	return got
}
