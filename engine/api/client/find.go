package client

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/patience"
)

// probeTime is how long an engine has to say that it is there.
const probeTime = time.Second

// FindPort returns the port to ask: the port of the port file, unless nothing, another program
// or an engine with another state folder listens there; then the configured one. An engine
// that is too slow to answer still has its port.
func FindPort(ctx context.Context, state string, configured int) int {
	port := ReadPortFile(state)
	if port == 0 || port == configured {
		return configured
	}
	probe, cancel := context.WithTimeout(ctx, patience.Of(probeTime))
	defer cancel()
	_, err := New(port, "").Ping(probe)
	if errors.Is(err, api.ErrNotRunning) || errors.Is(err, api.ErrNotOurs) || err == nil && !UsesState(ctx, state, port) {
		return configured
	}
	return port
}

// FindEngine returns a client of the engine that uses a state folder, wherever it
// listens. Without a token file only the open endpoints answer; where the token is refused
// the error is an [*OtherState].
func FindEngine(ctx context.Context, state string, configured int) (*Client, error) {
	token, err := LoadToken(filepath.Join(state, "token"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	c := New(FindPort(ctx, state, configured), token)
	c.state = state
	return c, nil
}

// OtherState says that an engine of the same user has the port and uses another state
// folder than ours.
type OtherState struct {
	Port  int
	State string // ours

	refused *api.StatusError // its answer; nil = it was not asked
}

func (e *OtherState) Error() string {
	return fmt.Sprintf("port %d belongs to an engine of yours that does not use %s and refuses its token", e.Port, e.State)
}

// Unwrap returns the engine's own refusal, where it was asked.
func (e *OtherState) Unwrap() error {
	if e.refused == nil {
		return nil
	}
	return e.refused
}

// UsesState reports whether the engine on a port uses a state folder: it accepts the
// folder's token. An engine makes its token before it answers, so without a token it
// uses another folder, unless it has left its port there. An engine that gives no
// answer is taken for ours.
func UsesState(ctx context.Context, state string, port int) bool {
	token, err := LoadToken(filepath.Join(state, "token"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ReadPortFile(state) == port
	case err != nil:
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, patience.Of(probeTime))
	defer cancel()
	_, err = New(port, token).Dispatches(ctx, api.Filter{Limit: 1})
	refused, ok := errors.AsType[*api.StatusError](err)
	return !ok || refused.Status != http.StatusUnauthorized
}

// moveTime is how long an engine on another port is given to move to the configured one. An engine that was started
// with --port never moves, and one with running agents moves later.
const moveTime = 10 * time.Second

// WaitForPort waits until no engine of ours is on another port than this one.
func WaitForPort(ctx context.Context, state string, port int) {
	ctx, cancel := context.WithTimeout(ctx, patience.Of(moveTime))
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

// WaitForAgents limits how long a change or a restart of an engine waits for running
// agents. Those that take longer are ended and asked again.
const WaitForAgents = 10 * time.Minute
