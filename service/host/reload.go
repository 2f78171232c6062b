package host

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/dashboard"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/wording"
)

const (
	// restConfig is how long a changed configuration file must stay as it is before it is read.
	restConfig = 2 * time.Second
	// pollConfig is how often the file is checked for a change where the system tells of none.
	pollConfig = 5 * time.Second
	// checkConfig is how often it is checked all the same where the system tells of changes: of those of a link or of
	// the folders above it tells nothing.
	checkConfig = 10 * time.Second
)

// Host runs one engine after another, each with the configuration that the file has
// then. Everything that matters is in the journal, so an engine continues where the
// one before ended.
type Host struct {
	options  Options
	state    string
	log      logs
	config   config.Config
	listener *sharedListener
	started  time.Time
	engine   *engine.Engine
	switches map[string]engine.Switch
	sessions *dashboard.Sessions
	showNews func(news.Item)
	reload   chan struct{} // holds one token when this process changed the file
	loaded   fileState     // of the file that config was read from

	mu     sync.Mutex // guards active
	active config.Config
}

// loadConfig reads the configuration and puts what the command line said over it.
func (h *Host) loadConfig() (config.Config, error) {
	cfg, err := config.Load(h.options.ConfigFile)
	return h.WithOptions(cfg), err
}

// readConfig is loadConfig for the first engine. What the file is like is looked at before, so that
// a change which comes while the engine starts is taken up as well.
func (h *Host) readConfig() (config.Config, error) {
	file := h.options.ConfigFile
	if file == "" {
		file, _ = place.ConfigFile() // loadConfig reports what is wrong
	}
	h.loaded = statFile(file)
	return h.loadConfig()
}

// WithOptions puts what the command line said over a configuration.
func (h *Host) WithOptions(cfg config.Config) config.Config {
	if h.options.Vaults != nil {
		cfg.Vaults = h.options.Vaults
	}
	if h.options.Port != nil {
		cfg.HTTPPort = *h.options.Port
	}
	return cfg
}

// HasFixedVaults reports whether the command line named the vaults.
func (h *Host) HasFixedVaults() bool { return h.options.Vaults != nil }

// HasFixedPort reports whether the command line named the port.
func (h *Host) HasFixedPort() bool { return h.options.Port != nil }

// Port is the port on which the engine listens now.
func (h *Host) Port() int { return h.listener.port() }

// State is the state folder of the engine.
func (h *Host) State() string { return h.state }

// startEngine starts an engine with the present configuration.
func (h *Host) startEngine(ctx context.Context) (err error) {
	waits := func() {}
	defer func() { waits() }()
	h.engine, err = Start(ctx, engine.Options{
		Config: h.config, State: h.state, Cache: place.CacheDir, Listener: h.listener.next(),
		Log: h.log.main, Version: h.options.Version,
		OldMarkers: h.options.OldMarkers, News: h.tellNews, Started: h.started, Switches: h.switches, Sessions: h.sessions,
		Tools: h.options.Tools(h), Waits: func(err error) {
			h.tellWait(err)
			waits = h.listener.answerWaiting(syserr.Plain(err), h.log.file)
		},
	})
	if err == nil {
		h.mu.Lock()
		h.active = h.config
		h.mu.Unlock()
	}
	return err
}

// IsUpToDate reports whether the engine works with what the configuration says now.
func (h *Host) IsUpToDate() (bool, error) {
	cfg, err := h.loadConfig()
	h.mu.Lock()
	defer h.mu.Unlock()
	return cfg.HasSameSettings(h.active), err
}

// Reload makes the engine take up a change of the file at once.
func (h *Host) Reload() {
	select {
	case h.reload <- struct{}{}:
	default:
	}
}

// Move opens another port, calls commit if that port can be had, and lets the engine answer there. After an error of
// either, the port is not changed.
func (h *Host) Move(port int, commit func() error) error {
	ln, err := listen.Listen(port)
	if err != nil {
		return err
	}
	if err := commit(); err != nil {
		return errors.Join(err, ln.Close())
	}
	if err := h.listener.move(ln); err != nil {
		h.log.main.Debug("close the previous port", "error", err)
	}
	// Clients find the new port in these files. The engine that takes up the
	// configuration writes again what could not be written now.
	if _, err := writePortFile(h.state, port); err != nil {
		h.log.main.Warn("write the port file", "error", err)
	}
	h.mu.Lock()
	vaults := h.active.Vaults
	h.mu.Unlock()
	for _, v := range vaults {
		go func() { // its disk may not respond
			if err := listen.WriteServerFile(v.Path, port); err != nil {
				h.log.main.Debug("write the port into a vault", "vault", v.Name, "error", err)
			}
		}()
	}
	h.log.file.Info("the engine has moved to another port", "port", port)
	return nil
}

// tellWait says that the start of an engine waits, and for what.
func (h *Host) tellWait(err error) {
	h.options.Warn("the start waits: " + syserr.Plain(err))
	h.log.file.Warn("the start waits", "error", err)
}

// runEngines works until ctx ends or an engine was told to stop.
func (h *Host) runEngines(ctx context.Context) error {
	for {
		running, end := context.WithCancelCause(ctx)
		changed := make(chan config.Config, 1)
		var beside sync.WaitGroup
		beside.Go(func() {
			if cfg, ok := h.waitForChange(running); ok {
				changed <- cfg
				end(api.ErrReplaced)
			}
		})
		if h.options.Attend != nil {
			beside.Go(func() { h.options.Attend(running, h.engine) })
		}
		err := h.engine.Run(running)
		end(nil)
		beside.Wait()
		h.switches = h.engine.Backend().Switches()
		if err = errors.Join(err, h.engine.Close()); err != nil || ctx.Err() != nil || len(changed) == 0 {
			return err
		}
		if err := h.replaceEngine(ctx, <-changed); err != nil {
			return unlessEnded(ctx, err)
		}
	}
}

// unlessEnded returns why an engine did not start; nil where it was told to stop meanwhile, which ends it in order.
func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// replaceEngine starts an engine with a new configuration, or again with the old one
// if the new one does not start.
func (h *Host) replaceEngine(ctx context.Context, cfg config.Config) error {
	old := h.config
	h.config = cfg
	var stays error
	if port := cfg.HTTPPort; port != 0 && !h.HasFixedPort() && port != h.Port() {
		stays = h.Move(port, func() error { return nil })
	}
	problem := h.startEngine(ctx)
	if problem == nil {
		if stays != nil {
			h.engine.Backend().Say(fmt.Sprintf("the engine stays on port %d: %s", h.Port(), wording.FirstLine(stays.Error())))
		}
		h.options.Reloaded(h.startNotices())
		return nil
	}
	if ctx.Err() != nil {
		return problem
	}
	h.config = old
	if err := h.startEngine(ctx); err != nil {
		return errors.Join(problem, err)
	}
	h.engine.Backend().Say("the configuration has changed and cannot be used, so the old one still holds: " + wording.FirstLine(syserr.Plain(problem)))
	return nil
}

// waitForChange waits until the file holds another configuration that can be used and
// no agent runs. The status shows a configuration that cannot be used.
func (h *Host) waitForChange(ctx context.Context) (config.Config, bool) {
	file := h.config.File
	seen := h.loaded
	told := newFileNews(file, h.log.file)
	defer told.close()
	for last := seen; ; {
		wake, wait := told.hints.Wake, due.UntilBeat(time.Now(), checkConfig)
		if last != seen {
			wake, wait = nil, restConfig
		} else if !told.listen() {
			wake, wait = nil, pollConfig
		}
		select {
		case <-ctx.Done():
			return config.Config{}, false
		case <-h.reload:
			last = statFile(file) // it was written in one step
		case <-wake:
			if !told.takeNews() {
				continue
			}
		case <-time.After(wait):
		}
		found := statFile(file)
		isSettled := found == last
		if last = found; found == seen || !isSettled {
			continue // unchanged, or still being written
		}
		seen = found
		switch cfg, err := h.loadConfig(); {
		case found == fileState{}:
			h.engine.Backend().Say("the configuration file is gone; what it said still holds")
		case err != nil:
			h.engine.Backend().Say("the configuration has changed and cannot be used, so the old one still holds: " + wording.FirstLine(syserr.Plain(err)))
		case cfg.HasSameSettings(h.config):
			h.engine.Backend().Say("")
		default:
			h.engine.Backend().Say("the configuration has changed and is taken up when the agents at work have answered")
			if !h.waitForAgents(ctx) {
				return config.Config{}, false
			}
			if statFile(file) != seen {
				last = fileState{} // changed once more meanwhile
				continue
			}
			h.loaded = seen
			return cfg, true
		}
	}
}

// waitForAgents waits until no agent runs, but not for ever; false when ctx has ended.
func (h *Host) waitForAgents(ctx context.Context) bool {
	for until := time.Now().Add(client.WaitForAgents); h.engine.Backend().Working() && time.Now().Before(until); {
		if due.Sleep(ctx, 100*time.Millisecond) != nil {
			return false
		}
	}
	return ctx.Err() == nil
}
