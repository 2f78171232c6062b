package host

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"path/filepath"

	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
)

// Temporary is an engine with folders of its own below one folder. It shares nothing
// with an engine that the user may be running.
type Temporary struct {
	Config  config.Config // its port is not used: a free one is
	Dir     string        // for its state and cache
	Version string
	Log     *slog.Logger
}

// Run runs the engine for as long as use is at work. The context of use ends with the
// engine.
func (t Temporary) Run(ctx context.Context, use func(context.Context, *client.Client) error) error {
	e, c, err := t.start(ctx)
	if err != nil {
		return err
	}
	running, end := context.WithCancel(ctx)
	defer end()
	ended := make(chan error, 1)
	go func() {
		defer end()
		ended <- e.Run(running)
	}()
	err = use(running, c)
	end()
	return errors.Join(<-ended, err, e.Close())
}

// start returns the engine, which listens, and a client of it.
func (t Temporary) start(ctx context.Context) (*engine.Engine, *client.Client, error) {
	ln, err := listen.Listen(0)
	if err != nil {
		return nil, nil, err
	}
	state := filepath.Join(t.Dir, "state")
	cache := func(string) (string, error) { return filepath.Join(t.Dir, "cache"), nil }
	e, err := Start(ctx, engine.Options{Config: t.Config, Listener: ln, State: state, Cache: cache, Version: t.Version, Log: t.Log})
	if err != nil {
		return nil, nil, errors.Join(err, ln.Close())
	}
	token, err := client.LoadToken(filepath.Join(state, "token"))
	if err != nil {
		return nil, nil, errors.Join(err, ln.Close(), e.Close())
	}
	return e, client.New(ln.Addr().(*net.TCPAddr).Port, token), nil
}
