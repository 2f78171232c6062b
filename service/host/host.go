// Package host runs the engine in this process: the port and its file, the log, and
// one engine after another as the configuration changes.
//
//	err := host.Run(ctx, host.Options{ConfigFile: file, Version: version})
//
// # Promises
//
// A changed configuration file is taken up without a restart: the running engine ends when its agents have answered,
// after ten minutes at most, and the next one continues from the journal. The port remains open in between unless the
// new configuration names another, so clients wait instead of failing, and browser sessions remain valid. At the
// start a configuration that cannot be used is a [config.Unusable]; later it changes nothing, and the status says so.
// Run returns when all it started has ended.
package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/dashboard"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/syserr"
)

// Options say which engine to run and whom to inform. Every field may be left out.
type Options struct {
	ConfigFile string         // empty = the usual one
	Vaults     []config.Vault // watched instead of the configured ones; nil = those
	Port       *int           // instead of the configured one; nil = that
	Version    string
	Output     io.Writer // the log as text, beside the log file

	// Tools returns what the dashboard shows beyond the engine.
	Tools func(*Host) api.Tools

	// Started is called beside the engine that starts, with the configuration and the
	// notices of the engine. Run waits for it.
	Started func(cfg config.Config, port int, notices []api.Notice)

	// Reloaded is called when a changed configuration is in use.
	Reloaded func(notices []api.Notice)

	// Warn is called for each problem at the start that keeps the engine from nothing,
	// such as a warning of the configuration.
	Warn func(text string)

	// OldMarkers is called once for each vault, as [engine.Options] says.
	OldMarkers func(vault string, markers int)

	// News is told what becomes of each question; the log is in any case. It may wait.
	News func(news.Item)

	// Attend is called beside each running engine and must return when ctx ends; it
	// may be nil.
	Attend func(ctx context.Context, e *engine.Engine)
}

// fillDefaults makes what was left out do nothing.
func (o *Options) fillDefaults() {
	if o.Output == nil {
		o.Output = io.Discard
	}
	if o.Tools == nil {
		o.Tools = func(*Host) api.Tools { return api.Tools{} }
	}
	if o.Started == nil {
		o.Started = func(config.Config, int, []api.Notice) {}
	}
	if o.Reloaded == nil {
		o.Reloaded = func([]api.Notice) {}
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
}

// Run runs the engine until ctx ends or the engine is told to stop. The error is a
// *[config.Unusable], an *[listen.Taken], an *[client.OtherState], [engine.ErrLocked] or what
// ended the engine. An engine that runs already is an [listen.Taken] with Ours set.
func Run(ctx context.Context, opts Options) error {
	opts.fillDefaults()
	state, err := place.StateDir()
	if err != nil {
		return err
	}
	log, err := openLog(state, opts.Output)
	if err != nil {
		opts.Warn("there is no log file: " + syserr.Plain(err))
	}
	defer log.close()
	err = runHost(ctx, opts, state, log)
	if taken, ok := errors.AsType[*listen.Taken](err); ok && taken.Ours == nil && isLocked(state) {
		err = engine.ErrLocked // its start waits for the journal, so the port does not answer yet
	} else if ok && taken.Ours != nil {
		if client.UsesState(ctx, state, taken.Ours.Port) {
			return err // nothing has failed
		}
		err = &client.OtherState{Port: taken.Ours.Port, State: state}
	}
	if err != nil && !errors.Is(err, engine.ErrLocked) { // the log of a locked state belongs to the engine that has it
		log.file.Error("the engine has ended", "error", err) // the caller prints it
	}
	return err
}

// isLocked reports whether an engine has the state folder.
func isLocked(state string) bool {
	lock, err := files.TakeLock(filepath.Join(state, "lock"))
	if err == nil {
		_ = lock.Close()
	}
	return errors.Is(err, files.ErrHeld)
}

func runHost(ctx context.Context, opts Options, state string, log logs) error {
	h := &Host{options: opts, state: state, log: log, reload: make(chan struct{}, 1)}
	show, end := passNews(opts.News)
	h.showNews = show
	defer end()
	cfg, err := h.readConfig()
	if err != nil {
		return &config.Unusable{Err: err}
	}
	for _, warning := range cfg.Warnings {
		opts.Warn(warning)
	}
	ln, err := listen.Listen(cfg.HTTPPort)
	if err != nil {
		return err
	}
	h.config, h.listener = cfg, &sharedListener{current: ln}
	h.started, h.sessions = time.Now(), dashboard.NewSessions()
	if err := h.startEngine(ctx); err != nil {
		return errors.Join(unlessEnded(ctx, err), h.listener.shutdown())
	}
	remove, err := writePortFile(state, h.Port())
	if err != nil {
		return errors.Join(err, h.listener.shutdown(), h.engine.Close())
	}
	log.file.Info("the engine has started", "version", opts.Version, "pid", os.Getpid(), "port", h.Port())
	var telling sync.WaitGroup
	port, notices := h.Port(), h.startNotices()
	telling.Go(func() { opts.Started(cfg, port, notices) })
	err = errors.Join(h.runEngines(ctx), remove(), h.listener.shutdown())
	telling.Wait()
	if err == nil {
		log.file.Info("the engine has ended in order")
	}
	return err
}

// startNotices are what a person should know of an engine that starts.
func (h *Host) startNotices() []api.Notice {
	rows := h.engine.Backend().Notices()
	for _, text := range roles.Ineffective(h.config) {
		rows = append(rows, api.NewNotice(api.NoticeUnused, "text", text))
	}
	return rows
}

// Start makes the folders and the token that an engine needs, and the engine. It is
// for engines beside the one of [Run], such as a demonstration.
func Start(ctx context.Context, opts engine.Options) (*engine.Engine, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	state, log := opts.State, opts.Log
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, fmt.Errorf("make the state folder: %w", err)
	}
	if err := closeToOthers(state); err != nil {
		log.Warn("keep other users out of the state folder", "error", err)
	}
	token, err := client.EnsureToken(filepath.Join(state, "token"))
	if err != nil {
		return nil, fmt.Errorf("make the token: %w", err)
	}
	opts.Agents, opts.Web, opts.Token = assets.Agents(), assets.Web(), token
	return engine.New(ctx, opts)
}

// closeToOthers removes the permissions of other users from a state folder that was
// made with a wider mode than ours. Windows has no such modes.
func closeToOthers(state string) error {
	info, err := os.Stat(state)
	if err != nil || info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" {
		return err
	}
	return os.Chmod(state, 0o700)
}
