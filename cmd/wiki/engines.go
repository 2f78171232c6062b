package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
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
	flags    func(config.Config) config.Config
	state    string
	listener *sharedListener
	begun    time.Time
	now      *engine.Engine
	switches map[string]engine.Switch
	sessions *api.Sessions
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
		Tools: g.app.tools(g.state),
	})
	return err
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
	problem := g.start(ctx)
	if problem == nil {
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
		case <-time.After(pollConfig):
		}
		found := look(g.cfg.File)
		settled := found == last
		if last = found; found == seen || !settled {
			continue // as it was, or still being written
		}
		seen = found
		cfg, err := config.Load(g.app.configFile)
		switch cfg = g.flags(cfg); {
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
