package tray

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"

	"vaultdispatcher/engine/api/client"
)

// A session that ends between our greeting and systray's own is an end like another.
func TestPanelWithoutBus(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	gone := make(chan struct{})
	close(gone)
	a := newApp(Options{
		Client: func() *client.Client { return client.New(1, "") },
		Notify: func() bool { return false }, Logger: slog.New(slog.DiscardHandler),
	}, nil, nil)
	if err := showPanel(context.Background(), a, gone); !errors.Is(err, ErrNoDesktop) {
		t.Errorf("ended with %v", err)
	}
}
