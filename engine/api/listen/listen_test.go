package listen

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/api/testdata/apitest"
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
	s := server.New(apitest.NewBackend(t), apitest.Token, slog.New(slog.DiscardHandler))
	r, _ := apitest.Serve(t, s.Run)
	_, err := Listen(r.Port)
	var taken *Taken
	if !errors.As(err, &taken) || taken.Port != r.Port || taken.Ours == nil || taken.Ours.Version != "1.2.3" || taken.Ours.PID != os.Getpid() {
		t.Fatalf("%#v", err)
	}
	if runtime.GOOS == "linux" && (taken.PID != os.Getpid() || !strings.Contains(taken.Owner, "pid")) {
		t.Errorf("owner %q, pid %d", taken.Owner, taken.PID)
	}
}

func TestPortTakenByAStranger(t *testing.T) {
	port, _ := apitest.Stranger(t, func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("hello")) })
	_, err := Listen(port)
	var taken *Taken
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
	t.Parallel()
	denied := os.NewSyscallError("bind", syscall.EACCES)
	if runtime.GOOS == "windows" {
		denied = os.NewSyscallError("bind", syscall.Errno(10013)) // WSAEACCES
	}
	ln, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	go func() { // hangs up at once, so that nobody waits for its answer
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	port := ln.Addr().(*net.TCPAddr).Port
	if IsFree(port) {
		t.Errorf("port %d is free, and listens", port)
	}
	if taken, ok := errors.AsType[*Taken](explainFailure(port, denied)); !ok || runtime.GOOS == "linux" && taken.Reserved {
		t.Errorf("while somebody is there: %+v", taken)
	}
	ln.Close()
	if taken, ok := errors.AsType[*Taken](explainFailure(port, denied)); !ok || !taken.Reserved || !strings.Contains(taken.Error(), "kept by the system") {
		t.Errorf("while nobody is there: %+v", taken)
	}
}

// What an engine answers to a user who does not run it, such as one that root has
// started. It is nobody we could ask anything, and no reason to be content.
func TestPortTakenByAnotherUsersEngine(t *testing.T) {
	port, _ := apitest.Stranger(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", api.Product)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		w.Write([]byte(`{"error":"Only the user who runs the engine may ask it.","code":"wrong_user"}`))
	})
	_, err := Listen(port)
	if taken, ok := errors.AsType[*Taken](err); !ok || taken.Ours != nil {
		t.Errorf("%#v", err)
	}
	if _, err := client.New(port, apitest.Token).Status(t.Context()); !errors.Is(err, api.ErrNotOurs) {
		t.Errorf("Status: %v", err)
	}
}
