package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"strconv"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/files"
)

// writePortFile writes the port file and returns what removes it. Only the engine that
// holds the lock of the state folder does either, but others read the file meanwhile:
// commands that wait for the engine, and the tray.
func writePortFile(state string, port int) (remove func() error, err error) {
	file := listen.PortFile(state)
	if err := files.Write(file, []byte(strconv.Itoa(port)+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("write the port file: %w", err)
	}
	return func() error {
		if err := files.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the port file: %w", err)
		}
		return nil
	}, nil
}

// probeTime is how long an engine has to say that it is there.
const probeTime = time.Second

// FindPort returns the port to ask: that of the port file unless nobody listens there
// or another program does, else the configured one. An engine that is too slow to
// answer still has its port.
func FindPort(ctx context.Context, state string, configured int) int {
	port := listen.LeftPort(state)
	if port == 0 || port == configured {
		return configured
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	if _, err := client.New(port, "").Ping(ctx); errors.Is(err, api.ErrNotRunning) || errors.Is(err, api.ErrNotOurs) {
		return configured
	}
	return port
}

// NewClient returns a client of the engine that uses a state folder, wherever it
// listens. Without a token file only the open endpoints answer.
func NewClient(ctx context.Context, state string, configured int) (*client.Client, error) {
	token, err := client.LoadToken(filepath.Join(state, "token"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return client.New(FindPort(ctx, state, configured), token), nil
}

// UsesState reports whether the engine on a port uses a state folder: it accepts the
// folder's token. An engine makes its token before it answers, so without a token it
// uses another folder, unless it has left its port there. An engine that gives no
// answer is taken for ours.
func UsesState(ctx context.Context, state string, port int) bool {
	token, err := client.LoadToken(filepath.Join(state, "token"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return listen.LeftPort(state) == port
	case err != nil:
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	_, err = client.New(port, token).Dispatches(ctx, api.Filter{Limit: 1})
	refused, ok := errors.AsType[*api.StatusError](err)
	return !ok || refused.Status != http.StatusUnauthorized
}

// moveTime is how long an engine on another port is given to move to the configured
// one. One that was started with --port stays, and one with running agents moves later.
const moveTime = 10 * time.Second

// WaitForPort waits until no engine of ours is on another port than this one.
func WaitForPort(ctx context.Context, state string, port int) {
	ctx, cancel := context.WithTimeout(ctx, moveTime)
	defer cancel()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for FindPort(ctx, state, port) != port {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
