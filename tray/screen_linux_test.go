package tray

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"

	"vaultdispatcher/engine/api/client"
)

// A session that ends between our greeting and systray's own is an end like another.
func TestPanelWithoutBus(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	gone := make(chan struct{})
	close(gone)
	if err := showPanel(context.Background(), lonelyApp(), gone); !errors.Is(err, ErrNoDesktop) {
		t.Errorf("ended with %v", err)
	}
}

// The bus may also go while the icon is shown for the first time, before our own
// connection has told us that it went.
func TestBusEndsWhileThePanelStarts(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+startDyingBus(t))
	if err := showPanel(context.Background(), lonelyApp(), nil); !errors.Is(err, ErrNoDesktop) {
		t.Errorf("ended with %v", err)
	}
}

// lonelyApp is an app without an engine.
func lonelyApp() *app {
	return newApp(Options{
		Client: func() *client.Client { return client.New(1, "") },
		Notify: func() bool { return false }, Logger: slog.New(slog.DiscardHandler),
	}, nil, nil)
}

// startDyingBus is a session bus that gives its one client a name, says yes once more,
// and is gone: whatever the client writes after that fails.
func startDyingBus(t *testing.T) (socket string) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "bus")
	ln, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go func() {
		conn, err := ln.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		if err := serveTwoCalls(conn.(*net.UnixConn)); err != nil {
			t.Errorf("the bus: %v", err)
		}
	}()
	return socket
}

// serveTwoCalls speaks what a bus speaks
// (https://dbus.freedesktop.org/doc/dbus-specification.html#auth-protocol) until it has
// answered Hello and RequestName.
func serveTwoCalls(conn *net.UnixConn) error {
	in := bufio.NewReader(conn)
	for line := ""; !strings.Contains(line, "BEGIN"); {
		var err error
		if line, err = in.ReadString('\n'); err != nil {
			return err
		}
		said := "OK 0123456789abcdef0123456789abcdef\r\n"
		switch {
		case strings.Contains(line, "BEGIN"):
			continue
		case strings.Contains(line, "NEGOTIATE"):
			said = "ERROR\r\n"
		case strings.TrimSpace(strings.Trim(line, "\x00")) == "AUTH":
			said = "REJECTED EXTERNAL\r\n"
		}
		if _, err := conn.Write([]byte(said)); err != nil {
			return err
		}
	}
	for i, answer := range []any{":1.1", uint32(1)} {
		asked, err := dbus.DecodeMessage(in)
		if err != nil {
			return err
		}
		if i == 1 {
			if err := conn.CloseRead(); err != nil {
				return err
			}
		}
		reply := &dbus.Message{Type: dbus.TypeMethodReply, Body: []any{answer}, Headers: map[dbus.HeaderField]dbus.Variant{
			dbus.FieldReplySerial: dbus.MakeVariant(asked.Serial()),
			dbus.FieldSignature:   dbus.MakeVariant(dbus.SignatureOf(answer)),
		}}
		if err := reply.EncodeTo(conn, binary.LittleEndian); err != nil {
			return err
		}
	}
	return nil
}
