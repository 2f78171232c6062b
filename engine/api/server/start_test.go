package server

import (
	"log/slog"
	"testing"
	"time"

	"vaultdispatcher/engine/api/testdata/apitest"
)

// running is a server on a real port.
type running struct {
	*Server
	*apitest.Caller
	backend *apitest.Backend
	stop    func() error
}

// start runs a server with one vault of two notes until the test ends.
func start(t testing.TB, change ...func(*Server)) *running {
	t.Helper()
	s, backend := newServer(t, change...)
	c, stop := apitest.Serve(t, s.Run)
	return &running{s, c, backend, stop}
}

func newServer(t testing.TB, change ...func(*Server)) (*Server, *apitest.Backend) {
	t.Helper()
	backend := apitest.NewBackend(t)
	s := New(backend, apitest.Token, slog.New(slog.DiscardHandler))
	scansOf(1e6, 1e6, 10)(s)
	s.UseTools(apitest.ToolsOf("plain"))
	// A busy machine may stop a test for seconds; tests of time set their own.
	s.limits.header, s.limits.read, s.limits.write = 30*time.Second, 30*time.Second, 30*time.Second
	for _, c := range change {
		c(s)
	}
	return s, backend
}
