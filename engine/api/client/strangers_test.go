package client

import (
	"errors"
	"net"
	"net/http"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

func TestClientAgainstStrangers(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"page": func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>")) },
		"JSON": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(`{"running":true}`))
		},
		"not found": http.NotFound,
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/vault-mind/status", http.StatusFound)
		},
	} {
		port, _ := apitest.Stranger(t, handler)
		c := New(port, apitest.Token)
		if _, err := c.Status(t.Context()); !errors.Is(err, api.ErrNotOurs) {
			t.Errorf("%s: Status: %v", name, err)
		}
		if err := c.Rescan(t.Context()); !errors.Is(err, api.ErrNotOurs) {
			t.Errorf("%s: Rescan: %v", name, err)
		}
	}
}

func TestTokenIsSentOnlyWhereItIsNeeded(t *testing.T) {
	port, sent := apitest.Stranger(t, http.NotFound)
	c := New(port, apitest.Token)
	c.Status(t.Context())
	c.Scan(t.Context(), "note.md")
	for i, header := range sent() {
		if header != "" {
			t.Errorf("call %d sent the token", i)
		}
	}
}

func TestClientAgainstNoise(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			conn.Write([]byte("SSH-2.0-OpenSSH_9.9\r\n"))
			conn.Close()
		}
	}()
	if _, err := New(ln.Addr().(*net.TCPAddr).Port, "").Status(t.Context()); err == nil || errors.Is(err, api.ErrNotRunning) {
		t.Errorf("Status: %v", err)
	}
}

func TestClientWhenNothingListens(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	if _, err := New(ln.Addr().(*net.TCPAddr).Port, "").Status(t.Context()); !errors.Is(err, api.ErrNotRunning) {
		t.Errorf("Status: %v", err)
	}
}

func TestClientWithoutToken(t *testing.T) {
	r, _ := startServer(t, apitest.NewBackend(t))
	var refused *api.StatusError
	if err := New(r.Port, "").Rescan(t.Context()); !errors.As(err, &refused) || refused.Status != 401 || refused.Code != "unauthorized" {
		t.Errorf("Rescan: %v", err)
	}
	if _, err := New(r.Port, apitest.Token).Dispatch(t.Context(), "../status"); !errors.Is(err, api.ErrNotFound) {
		t.Errorf("an id that is a path: %v", err)
	}
}
