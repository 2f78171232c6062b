package api

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func TestListenIsLoopbackOnly(t *testing.T) {
	ln, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if addr := ln.Addr().(*net.TCPAddr); addr.IP.String() != "127.0.0.1" || addr.Port == 0 {
		t.Errorf("listens on %v", addr)
	}
	for _, port := range []int{-1, 65536} {
		if ln, err := Listen(port); err == nil {
			ln.Close()
			t.Errorf("listens on port %d", port)
		}
	}
}

func TestPortTakenByUs(t *testing.T) {
	r := start(t)
	_, err := Listen(r.port)
	var taken *PortTaken
	if !errors.As(err, &taken) || taken.Port != r.port || taken.Ours == nil || taken.Ours.Version != "1.2.3" || taken.Ours.PID != os.Getpid() {
		t.Fatalf("%#v", err)
	}
	if runtime.GOOS == "linux" && (taken.PID != os.Getpid() || !strings.Contains(taken.Owner, "pid")) {
		t.Errorf("owner %q, pid %d", taken.Owner, taken.PID)
	}
}

func TestPortTakenByAStranger(t *testing.T) {
	port, _ := stranger(t, func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("hello")) })
	_, err := Listen(port)
	var taken *PortTaken
	if !errors.As(err, &taken) || taken.Ours != nil {
		t.Fatalf("%#v", err)
	}
	if runtime.GOOS == "linux" && taken.PID != os.Getpid() {
		t.Errorf("owner %q, pid %d", taken.Owner, taken.PID)
	}
	if text := err.Error(); !strings.Contains(text, "taken") {
		t.Errorf("error %q", text)
	}
}

// A port that is refused although nobody listens there is the system's own.
func TestPortKept(t *testing.T) {
	denied := os.NewSyscallError("bind", syscall.EACCES)
	if runtime.GOOS == "windows" {
		denied = os.NewSyscallError("bind", syscall.Errno(10013)) // WSAEACCES
	}
	ln, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	port := ln.Addr().(*net.TCPAddr).Port
	if Free(port) {
		t.Errorf("port %d is free, and listens", port)
	}
	if taken, ok := errors.AsType[*PortTaken](whyNot(port, denied)); !ok || runtime.GOOS == "linux" && taken.Kept {
		t.Errorf("while somebody is there: %+v", taken)
	}
	ln.Close()
	if taken, ok := errors.AsType[*PortTaken](whyNot(port, denied)); !ok || !taken.Kept || !strings.Contains(taken.Error(), "kept by the system") {
		t.Errorf("while nobody is there: %+v", taken)
	}
}

// What an engine answers to a user who does not run it, such as one that root has
// started. It is nobody we could ask anything, and no reason to be content.
func TestPortTakenByAnotherUsersEngine(t *testing.T) {
	port, _ := stranger(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", product)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		w.Write([]byte(`{"error":"Only the user who runs the engine may ask it.","code":"wrong_user"}`))
	})
	_, err := Listen(port)
	if taken, ok := errors.AsType[*PortTaken](err); !ok || taken.Ours != nil {
		t.Errorf("%#v", err)
	}
	if _, err := NewClient(port, testToken).Status(t.Context()); !errors.Is(err, ErrNotOurs) {
		t.Errorf("Status: %v", err)
	}
}

// stranger is another program's server; it returns the Authorization headers
// that were sent to it.
func stranger(t *testing.T, handler http.HandlerFunc) (int, func() []string) {
	t.Helper()
	var sent []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Header.Get("Authorization"))
		handler(w, r)
	}))
	t.Cleanup(srv.Close)
	return srv.Listener.Addr().(*net.TCPAddr).Port, func() []string { srv.Close(); return sent }
}

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
		port, _ := stranger(t, handler)
		c := NewClient(port, testToken)
		if _, err := c.Status(t.Context()); !errors.Is(err, ErrNotOurs) {
			t.Errorf("%s: Status: %v", name, err)
		}
		if err := c.Rescan(t.Context()); !errors.Is(err, ErrNotOurs) {
			t.Errorf("%s: Rescan: %v", name, err)
		}
	}
}

func TestTokenIsSentOnlyWhereItIsNeeded(t *testing.T) {
	port, sent := stranger(t, http.NotFound)
	c := NewClient(port, testToken)
	c.Status(t.Context())
	c.Scan(t.Context(), "note.md")
	for i, header := range sent() {
		if header != "" {
			t.Errorf("call %d sent the token", i)
		}
	}
}

func TestClientAgainstNoise(t *testing.T) {
	ln, err := Listen(0)
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
	if _, err := NewClient(ln.Addr().(*net.TCPAddr).Port, "").Status(t.Context()); err == nil || errors.Is(err, ErrNotRunning) {
		t.Errorf("Status: %v", err)
	}
}

func TestClientWhenNothingListens(t *testing.T) {
	ln, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	if _, err := NewClient(ln.Addr().(*net.TCPAddr).Port, "").Status(t.Context()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("Status: %v", err)
	}
}

func TestClientWithoutToken(t *testing.T) {
	r := start(t)
	var refused *StatusError
	if err := NewClient(r.port, "").Rescan(t.Context()); !errors.As(err, &refused) || refused.Status != 401 || refused.Code != "unauthorized" {
		t.Errorf("Rescan: %v", err)
	}
	if _, err := NewClient(r.port, testToken).Dispatch(t.Context(), "../status"); !errors.Is(err, ErrNotFound) {
		t.Errorf("an id that is a path: %v", err)
	}
}
