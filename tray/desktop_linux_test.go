package tray

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"testing"
	"time"
)

// A session bus that takes the connection and says nothing keeps nobody for ever,
// and not at all a person who ends the program.
func TestSilentBus(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "bus")
	ln, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+socket)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := connect(ctx, nil, slog.New(slog.DiscardHandler))
		ended <- err
	}()
	conn, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, ErrNoDesktop) || !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits for the bus")
	}
}
