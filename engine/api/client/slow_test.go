package client

import (
	"context"
	"errors"
	"net"
	"os"
	"testing"

	"vaultdispatcher/engine/api"
)

// An engine that has no time for a caller is not taken for one that does not run.
func TestSlowIsNotGone(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	timeout := &net.OpError{Op: "dial", Addr: ln.Addr(), Err: os.ErrDeadlineExceeded}
	if err := callError(t.Context(), timeout); errors.Is(err, api.ErrNotRunning) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an engine that accepts no one: %v", err)
	}
	ln.Close()
	if err := callError(t.Context(), timeout); !errors.Is(err, api.ErrNotRunning) {
		t.Errorf("nobody listens: %v", err)
	}
}
