package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
)

// backend is an engine that says its port.
type backend struct {
	api.Backend // no other call is made
	port        int
}

func (b backend) Status(context.Context, bool) (api.Status, error) {
	return api.Status{Port: b.port}, nil
}

// takePort takes a port until the test ends, for an engine or another program.
func takePort(t *testing.T, ours bool) int {
	t.Helper()
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := ln.Addr().(*net.TCPAddr).Port
	if !ours {
		t.Cleanup(func() { ln.Close() })
		go http.Serve(ln, http.NotFoundHandler()) // ends with its listener
		return port
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	server := server.New(backend{port: port}, strings.Repeat("7", 64), slog.New(slog.DiscardHandler))
	go func() { ended <- server.Run(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return port
}

// The engine is asked where it has left its port. An engine that was killed leaves
// it as well; then it is nobody's, or another program's by now.
func TestWhereTheEngineIs(t *testing.T) {
	const nobody = 1
	ours, other, stranger := takePort(t, true), takePort(t, true), takePort(t, false)
	for _, test := range []struct {
		name             string
		left, configured int
		want             int
		err              error
	}{
		{"only configured", 0, ours, ours, nil},
		{"on the port it has left", ours, nobody, ours, nil},
		{"on that, though another has the configured one", ours, stranger, ours, nil},
		{"on that, though another engine has the configured one", ours, other, ours, nil},
		{"left by one that was killed", nobody, ours, ours, nil},
		{"left by one that was killed, and taken since", stranger, ours, ours, nil},
		{"taken since, and none runs", stranger, nobody, 0, api.ErrNotRunning},
		{"nobody anywhere", nobody, nobody, 0, api.ErrNotRunning},
		{"a stranger", 0, stranger, 0, api.ErrNotOurs},
	} {
		t.Run(test.name, func(t *testing.T) {
			state := t.TempDir()
			file := filepath.Join(state, "config.yaml")
			must(t, os.WriteFile(file, []byte(fmt.Sprintf("wiki:\n  httpPort: %d\n", test.configured)), 0o600))
			if test.left > 0 {
				must(t, os.WriteFile(filepath.Join(state, "port"), []byte(strconv.Itoa(test.left)+"\n"), 0o600))
			}
			s := &settings{path: file, file: file}
			for range 2 { // what is remembered is no different
				st, err := s.newClient(state).Status(t.Context())
				if !errors.Is(err, test.err) || st.Port != test.want {
					t.Errorf("it is on port %d, %v", st.Port, err)
				}
			}
		})
	}
}

// While somebody edits the configuration by hand, and saves it half done, what it said
// last holds: no notifications come back, and the engine is looked for where it was.
func TestHalfWrittenConfiguration(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	s := &settings{path: file, file: file}
	for i, step := range []struct {
		text   string
		port   int
		notify bool
	}{
		{"wiki:\n  httpPort: 24001\n  notify: false\n", 24001, false},
		{"wiki:\n  httpPort: 24001\n  notify: [\n", 24001, false},
		{"wiki:\n  httpPort: 24002\n", 24002, true},
	} {
		must(t, os.WriteFile(file, []byte(step.text), 0o600))
		when := time.Unix(int64(1_700_000_000+i), 0)
		must(t, os.Chtimes(file, when, when))
		if port, notify := s.readCurrent(); port != step.port || notify != step.notify {
			t.Errorf("%q: port %d, notifications %v", step.text, port, notify)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
