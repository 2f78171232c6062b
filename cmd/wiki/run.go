package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/roles"
)

// runCommand is the engine in the foreground; it is also what a login service
// starts.
func (a *app) runCommand() *cobra.Command {
	var vaults []string
	var port int
	cmd := &cobra.Command{
		Use:     "run",
		Short:   "Run the engine in the foreground",
		Long:    "Watches your vaults and answers the markers in their notes, until Ctrl-C.\nThe variable WIKI_VAULTS names vaults too: paths separated by " + separator() + ", as in PATH.",
		Example: "  wiki run --vault ~/Notes",
		Args:    none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if port < 0 || port > 65535 {
				return usage("give a number from 1 to 65535, or 0 for a free port", "--port %d is not a port", port)
			}
			return a.logged(func() error { return a.configured(cmd, vaults, port) })
		},
	}
	cmd.Flags().StringArrayVar(&vaults, "vault", nil, "watch this `folder` instead of the configured vaults (repeatable)")
	cmd.Flags().IntVar(&port, "port", 0, "`port` of the loopback server instead of wiki.httpPort; 0 takes a free one")
	return cmd
}

// configured runs the engine as the configuration and the flags say.
func (a *app) configured(cmd *cobra.Command, vaults []string, port int) error {
	cfg, err := a.load()
	if err != nil {
		return err
	}
	var f flags
	if cmd.Flags().Changed("port") {
		f.port = &port
	}
	if len(vaults) > 0 {
		if f.vaults, err = named(vaults); err != nil {
			return err
		}
	}
	return a.run(cmd.Context(), f.over(cfg), f)
}

// named turns the folders of --vault into vaults. Unlike a configured vault,
// which may be an unplugged disk, a folder named here has to exist.
func named(folders []string) ([]config.Vault, error) {
	paths := make([]string, len(folders))
	for i, folder := range folders {
		path, err := absolute(folder)
		if err != nil {
			return nil, err
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			return nil, fail("name an existing folder of notes", "there is no folder %s", folder)
		}
		paths[i] = path
	}
	vaults, err := config.NewVaults(paths...)
	if err != nil {
		return nil, usage("give each folder once", "%w", err)
	}
	return vaults, nil
}

// run is the engine from its start to its end. The flags are part of cfg, and of each
// configuration that comes after it.
func (a *app) run(ctx context.Context, cfg config.Config, f flags) error {
	state, err := config.StateDir()
	if err != nil {
		return err
	}
	ln, err := api.Listen(cfg.HTTPPort)
	if taken, ok := errors.AsType[*api.PortTaken](err); ok && taken.Ours != nil {
		return a.already(ctx, state, taken.Ours)
	}
	if err != nil {
		return err
	}
	shared := &sharedListener{now: ln}
	engines := &engines{app: a, cfg: cfg, flags: f, state: state, listener: shared, told: make(chan struct{}, 1)}
	if err := engines.start(ctx); err != nil {
		return errors.Join(err, shared.end())
	}
	remove, err := leavePort(state, engines.now.Port())
	if err != nil {
		return errors.Join(err, shared.end(), engines.now.Close())
	}
	a.written.Info("the engine has started", "version", version(), "pid", os.Getpid(), "port", engines.now.Port())
	a.greet(cfg, shared.port())
	a.warn(engines.now, cfg)
	err = errors.Join(engines.run(ctx), remove(), shared.end())
	if err == nil {
		a.written.Info("the engine has ended in order")
	}
	return err
}

// warn says what a person should know of an engine that starts.
func (a *app) warn(e *engine.Engine, cfg config.Config) {
	for _, notice := range slices.Concat(e.Notices(), roles.Ineffective(cfg)) {
		fmt.Fprintf(a.stderr, "wiki: %s\n", notice)
	}
}

// separator is what stands between the paths of WIKI_VAULTS, in words.
func separator() string {
	if os.PathListSeparator == ';' {
		return "semicolons"
	}
	return "colons"
}

// start makes the folders and the token an engine needs, and the engine.
func start(ctx context.Context, opts engine.Options) (*engine.Engine, error) {
	state, log := opts.State, opts.Log
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, fmt.Errorf("make the state folder: %w", err)
	}
	if err := private(state); err != nil {
		log.Warn("keep other users out of the state folder", "error", err)
	}
	token, err := api.EnsureToken(filepath.Join(state, "token"))
	if err != nil {
		return nil, fmt.Errorf("make the token: %w", err)
	}
	opts.Agents, opts.Web, opts.Token, opts.Version = assets.Agents(), assets.Web(), token, version()
	return engine.New(ctx, opts)
}

// oldMarkers says what the engine does not do by itself when it meets a vault.
func (a *app) oldMarkers(vault string, markers int) {
	fmt.Fprintf(a.stderr, "wiki: %s stood in %s before it was first watched and are held; new ones are answered\n", plural(markers, "marker"), vault)
	fmt.Fprintf(a.stderr, "hint: wiki release --all starts them, wiki dispatches --status held shows them\n")
}

// private closes a state folder that was made with a wider mode than ours. Where
// modes mean nothing there is nothing to close.
func private(state string) error {
	info, err := os.Stat(state)
	if err != nil || info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" {
		return err
	}
	return os.Chmod(state, 0o700)
}

// already says that our own engine runs; there is nothing to do, which is no
// error. One with another state folder is in the way.
func (a *app) already(ctx context.Context, state string, s *api.Status) error {
	if !usesState(ctx, state, s.Port) {
		return otherState(state, s.Port, fmt.Sprintf("end that engine, or take another port: wiki run --port %d", another(s.Port)))
	}
	fmt.Fprintf(a.stderr, "wiki: the engine is already running with pid %d on port %d\n", s.PID, s.Port)
	names := make([]string, len(s.Vaults))
	for i, v := range s.Vaults {
		names[i] = v.Path
	}
	if len(names) > 0 {
		fmt.Fprintf(a.stderr, "hint: it watches %s; wiki status shows more\n", strings.Join(names, ", "))
	}
	return nil
}

// greet says what the engine watches and how it is ended.
func (a *app) greet(cfg config.Config, port int) {
	for _, v := range cfg.Vaults {
		_, err := os.Stat(v.Path)
		switch {
		case v.Paused:
			fmt.Fprintf(a.stderr, "wiki: %s is paused\n", v.Path)
		case err != nil:
			fmt.Fprintf(a.stderr, "wiki: %s is not there now; it is watched when it appears\n", v.Path)
		default:
			fmt.Fprintf(a.stderr, "wiki: watching %s\n", v.Path)
		}
	}
	if len(cfg.Vaults) == 0 {
		fmt.Fprintln(a.stderr, "wiki: no vault is configured, so there is nothing to watch")
		fmt.Fprintln(a.stderr, "hint: wiki run --vault ~/Notes watches a folder of notes")
	}
	fmt.Fprintf(a.stderr, "wiki: listening on http://127.0.0.1:%d; Ctrl-C ends the engine\n", port)
}
