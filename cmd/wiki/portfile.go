package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/inuse"
)

// leavePort writes the port file and returns what takes it away again. Both happen
// while the state folder is locked, so there is only ever one who does; but others read
// it meanwhile: who waits for the engine, and the tray.
func leavePort(state string, port int) (remove func() error, err error) {
	file := api.PortFile(state)
	temp := file + ".tmp"
	if err := os.WriteFile(temp, []byte(strconv.Itoa(port)+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("write the port file: %w", err)
	}
	if err := inuse.Rename(temp, file); err != nil {
		return nil, errors.Join(fmt.Errorf("write the port file: %w", err), os.Remove(temp))
	}
	return func() error {
		if err := inuse.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the port file: %w", err)
		}
		return nil
	}, nil
}

// probeTime is how long an engine has to say that it is there.
const probeTime = 2 * time.Second

// runningPort is the port to ask: that of the file if an engine answers there,
// else the configured one.
func runningPort(ctx context.Context, state string, configured int) int {
	port := api.LeftPort(state)
	if port == 0 || port == configured {
		return configured
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	_, err := api.NewClient(port, "").Status(ctx)
	if _, refused := errors.AsType[*api.StatusError](err); err == nil || refused {
		return port
	}
	return configured
}

// usesState reports whether the engine on a port is that of a state folder: it takes
// the folder's token. An engine makes its token before it answers, so without one it
// is another's, unless it has left its port there. What says nothing speaks for it.
func usesState(ctx context.Context, state string, port int) bool {
	token, err := api.LoadToken(filepath.Join(state, "token"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return api.LeftPort(state) == port
	case err != nil:
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	_, err = api.NewClient(port, token).Dispatches(ctx, api.Filter{Limit: 1})
	refused, ok := errors.AsType[*api.StatusError](err)
	return !ok || refused.Status != http.StatusUnauthorized
}

// otherState says that usesState is false of our engine on that port.
func otherState(state string, port int, hint string) error {
	return &failure{fmt.Errorf("port %d belongs to an engine of yours that does not use %s, nor take its token", port, state), hint, exitPortTaken}
}
