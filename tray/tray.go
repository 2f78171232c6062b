// Package tray is the icon in the desktop's panel: what the engine does, at a
// glance, and its switches in a menu.
//
//	err := tray.Run(ctx, tray.Options{...}) // on the main goroutine
//
// The tray is a client of the engine's HTTP interface and keeps nothing of its own; it may be ended at any time and
// the engine continues. [Menu] returns the contents of the menu, as a pure function; one goroutine compares that with
// the lines of the panel and changes those that differ.
//
// # Promises
//
// The tray follows the engine's events and calls it at most every two seconds. Where the engine refuses to be
// followed, the tray asks for its status instead. No click waits for its answer. No click is lost, and each does what
// its line said when it was shown. There is one tray for each user. A panel that comes late or is started again finds
// the icon; without a session bus Run says so at once. A notification comes once for each group that was answered or
// has failed. That of one answer has the line of it that says most. Those of one moment come as one, and none comes while
// a person looks at the dashboard.
package tray

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/service"
)

// Errors of [Run] that its caller tells apart.
var (
	ErrRunning   = errors.New("the tray is running already")
	ErrNoDesktop = errors.New("there is no desktop session to show an icon in")
	ErrNoTray    = errors.New("this program was built without the tray: on macOS it needs cgo")
)

// Options are what the tray has to know.
type Options struct {
	// Client returns a client for the engine, wherever it runs now. It is asked
	// before every call: an engine may come up on another port.
	Client   func() *client.Client
	FreePort func() int     // finds a port for the engine while another program has its own
	Wiki     string         // the program wiki; empty = it was not found
	Args     []string       // for wiki, before its command
	State    string         // the state folder
	Config   string         // the configuration, for a person to edit
	Log      string         // the engine's log, for a person to read
	Notify   func() bool    // whether notifications are wanted; asked again each time
	Applet   service.Applet // this program, as it is started at login
	Logger   *slog.Logger
}

// Run shows the tray until ctx ends, the person quits it, or the desktop session
// ends. It must be called on the main goroutine.
func Run(ctx context.Context, o Options) error {
	lock, err := claimSession(o.State)
	if err != nil {
		return err
	}
	defer lock.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	asks := make(chan string, 16)
	desk, err := connectDesktop(ctx, asks, o.Logger)
	if err != nil {
		return err
	}
	defer desk.close()
	return showPanel(ctx, newApp(o, desk.showNotification, asks), desk.sessionEnded())
}

// claimSession makes this the user's one tray, until the file is closed or the process ends.
func claimSession(state string) (*files.Lock, error) {
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, fmt.Errorf("make the state folder: %w", err)
	}
	f, err := files.TakeLock(filepath.Join(state, "tray.lock"))
	if errors.Is(err, files.ErrHeld) {
		return nil, ErrRunning
	}
	if err != nil {
		return nil, fmt.Errorf("lock the tray: %w", err)
	}
	return f, nil
}
