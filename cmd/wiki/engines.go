package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
)

const (
	// pollConfig is how often the configuration file is looked at.
	pollConfig = 2 * time.Second

	// waitForAgents is how long a change waits for agents at work. Those that take
	// longer are ended and asked again.
	waitForAgents = 10 * time.Minute
)

// engines is one engine after the other, each with the configuration as the file
// has it. All that matters is in the journal, so another engine goes on where the
// last one ended; the port stays open between the two.
type engines struct {
	app      *app
	cfg      config.Config
	flags    flags
	state    string
	listener *sharedListener
	begun    time.Time
	now      *engine.Engine
	switches map[string]engine.Switch
	sessions *api.Sessions
	told     chan struct{} // holds one token when the file was changed by this process

	mu    sync.Mutex // guards taken
	taken config.Config
}

// flags are what the command line said, which is stronger than the configuration.
type flags struct {
	vaults []config.Vault // nil = those of the configuration
	port   *int
}

// over puts the flags over a configuration.
func (f flags) over(cfg config.Config) config.Config {
	if f.vaults != nil {
		cfg.Vaults = f.vaults
	}
	if f.port != nil {
		cfg.HTTPPort = *f.port
	}
	return cfg
}

// start makes the engine of the present configuration.
func (g *engines) start(ctx context.Context) (err error) {
	if g.begun.IsZero() {
		g.begun, g.sessions = time.Now(), api.NewSessions()
	}
	g.now, err = start(ctx, engine.Options{
		Config: g.cfg, State: g.state, Cache: config.CacheDir, Listener: g.listener.next(),
		Log:        g.app.log,
		OldMarkers: g.app.oldMarkers, Started: g.begun, Switches: g.switches, Sessions: g.sessions,
		Tools: g.app.tools(g.state, g),
	})
	if err == nil {
		g.mu.Lock()
		g.taken = g.cfg
		g.mu.Unlock()
	}
	return err
}

// upToDate reports whether the engine works with what the configuration says now.
func (g *engines) upToDate() (bool, error) {
	cfg, err := config.Load(g.app.configFile)
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.flags.over(cfg).Equal(g.taken), err
}

// take has a change of the file taken up at once.
func (g *engines) take() {
	select {
	case g.told <- struct{}{}:
	default:
	}
}

// move opens another port, does what shall be done only if that can be had, and has
// the engine answer there. When either fails the port stays as it was.
func (g *engines) move(port int, commit func() error) error {
	ln, err := api.Listen(port)
	if err != nil {
		return err
	}
	if err := commit(); err != nil {
		return errors.Join(err, ln.Close())
	}
	if err := g.listener.move(ln); err != nil {
		g.app.log.Debug("close the port of before", "error", err)
	}
	// What looks for the port finds the new one; what cannot be written is tried
	// again by the engine that takes the configuration up.
	if _, err := leavePort(g.state, port); err != nil {
		g.app.log.Warn("say on which port the engine is", "error", err)
	}
	g.mu.Lock()
	vaults := g.taken.Vaults
	g.mu.Unlock()
	for _, v := range vaults {
		if err := api.WriteServerFile(v.Path, port); err != nil {
			g.app.log.Debug("say in a vault on which port the engine is", "vault", v.Name, "error", err)
		}
	}
	g.app.written.Info("the engine has moved to another port", "port", port)
	return nil
}

// run works until ctx ends or the engine was told to stop.
func (g *engines) run(ctx context.Context) error {
	for {
		running, end := context.WithCancel(ctx)
		changed := make(chan config.Config, 1)
		watched := make(chan struct{})
		go func() {
			defer close(watched)
			if cfg, ok := g.change(running); ok {
				changed <- cfg
				end()
			}
		}()
		err := g.app.follow(running, g.now)
		end()
		<-watched
		g.switches = g.now.Switches()
		if err = errors.Join(err, g.now.Close()); err != nil || ctx.Err() != nil || len(changed) == 0 {
			return err
		}
		if err := g.exchange(ctx, <-changed); err != nil {
			return err
		}
	}
}

// exchange starts an engine with a new configuration, or again with the old one
// where the new one makes none.
func (g *engines) exchange(ctx context.Context, cfg config.Config) error {
	old := g.cfg
	g.cfg = cfg
	var stays error
	if port := cfg.HTTPPort; port != 0 && g.flags.port == nil && port != g.listener.port() {
		stays = g.move(port, func() error { return nil })
	}
	problem := g.start(ctx)
	if problem == nil {
		if stays != nil {
			g.now.Say(fmt.Sprintf("the engine stays on port %d: %s", g.listener.port(), oneLine(stays)))
		}
		fmt.Fprintln(g.app.stderr, "wiki: the configuration has changed and was taken up")
		g.app.warn(g.now, cfg)
		return nil
	}
	g.cfg = old
	if err := g.start(ctx); err != nil {
		return errors.Join(problem, err)
	}
	g.now.Say("the configuration has changed and cannot be used, so the old one still holds: " + oneLine(problem))
	return nil
}

// change waits until the file holds another configuration that can be used and no
// agent is at work. One that cannot be used is told in the status.
func (g *engines) change(ctx context.Context) (config.Config, bool) {
	seen := look(g.cfg.File)
	for last := seen; ; {
		select {
		case <-ctx.Done():
			return config.Config{}, false
		case <-g.told:
			last = look(g.cfg.File) // it was written in one step
		case <-time.After(pollConfig):
		}
		found := look(g.cfg.File)
		settled := found == last
		if last = found; found == seen || !settled {
			continue // as it was, or still being written
		}
		seen = found
		cfg, err := config.Load(g.app.configFile)
		switch cfg = g.flags.over(cfg); {
		case found == fileState{}:
			g.now.Say("the configuration file is gone; what it said still holds")
		case err != nil:
			g.now.Say("the configuration has changed and cannot be used, so the old one still holds: " + oneLine(err))
		case cfg.Equal(g.cfg):
			g.now.Say("")
		default:
			g.now.Say("the configuration has changed and is taken up when the agents at work have answered")
			if !g.idle(ctx) {
				return config.Config{}, false
			}
			if look(g.cfg.File) != seen {
				last = fileState{} // changed once more meanwhile
				continue
			}
			return cfg, true
		}
	}
}

// idle waits until no agent is at work, but not for ever; false when ctx has ended.
func (g *engines) idle(ctx context.Context) bool {
	for until := time.Now().Add(waitForAgents); g.now.Working() && time.Now().Before(until); {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(100 * time.Millisecond):
		}
	}
	return ctx.Err() == nil
}

// oneLine is an error as one sentence: the first of several problems.
func oneLine(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// fileState is what a save changes of a file; the zero one is of no file.
type fileState struct {
	changed time.Time
	size    int64
}

func look(file string) fileState {
	info, err := os.Stat(file)
	if err != nil {
		return fileState{}
	}
	return fileState{changed: info.ModTime(), size: info.Size()}
}
