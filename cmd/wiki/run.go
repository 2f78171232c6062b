package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
)

// runCommand is the engine in the foreground; it is also what a login service
// starts.
func (a *app) runCommand() *cobra.Command {
	var vaults []string
	var port int
	cmd := &cobra.Command{
		Use:     "run",
		Short:   "Run the engine in the foreground",
		Example: "  wiki run --vault ~/Notes",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.load()
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("port") {
				cfg.HTTPPort = port
			}
			if len(vaults) > 0 {
				if cfg.Vaults, err = named(vaults); err != nil {
					return err
				}
			}
			return a.run(cmd.Context(), cfg)
		},
	}
	cmd.Flags().StringArrayVar(&vaults, "vault", nil, "watch this `folder` instead of the configured vaults (repeatable)")
	cmd.Flags().IntVar(&port, "port", 0, "`port` of the loopback server instead of wiki.httpPort")
	return cmd
}

// named turns the folders of --vault into vaults. Unlike a configured vault,
// which may be an unplugged disk, a folder named here has to exist.
func named(folders []string) ([]config.Vault, error) {
	absolute := make([]string, len(folders))
	for i, folder := range folders {
		info, err := os.Stat(folder)
		if err != nil || !info.IsDir() {
			return nil, fail("name an existing folder of notes", "there is no folder %s", folder)
		}
		if absolute[i], err = filepath.Abs(folder); err != nil {
			return nil, fmt.Errorf("find the folder %s: %w", folder, err)
		}
	}
	vaults, err := config.NewVaults(absolute...)
	if err != nil {
		return nil, usage("give each folder once", "%w", err)
	}
	return vaults, nil
}

func (a *app) run(ctx context.Context, cfg config.Config) error {
	ln, err := api.Listen(cfg.HTTPPort)
	if taken, ok := errors.AsType[*api.PortTaken](err); ok && taken.Ours != nil {
		return a.already(taken.Ours)
	}
	if err != nil {
		return err
	}
	state, err := config.StateDir()
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	log := slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelInfo}))
	e, err := start(ctx, cfg, ln, state, config.CacheDir, log)
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	a.greet(cfg, ln)
	err = a.follow(ctx, e)
	return errors.Join(err, e.Close())
}

// start makes the folders and the token an engine needs, and the engine.
func start(ctx context.Context, cfg config.Config, ln net.Listener, state string, cache func(string) (string, error), log *slog.Logger) (*engine.Engine, error) {
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, fmt.Errorf("make the state folder: %w", err)
	}
	token, err := api.EnsureToken(filepath.Join(state, "token"))
	if err != nil {
		return nil, fmt.Errorf("make the token: %w", err)
	}
	return engine.New(ctx, engine.Options{
		Config: cfg, State: state, Cache: cache, Listener: ln, Token: token, Version: version(), Log: log,
	})
}

// already says that our own engine runs; there is nothing to do, which is no
// error.
func (a *app) already(s *api.Status) error {
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
func (a *app) greet(cfg config.Config, ln net.Listener) {
	for _, v := range cfg.Vaults {
		fmt.Fprintf(a.stderr, "wiki: watching %s\n", v.Path)
	}
	if len(cfg.Vaults) == 0 {
		fmt.Fprintln(a.stderr, "wiki: no vault is configured, so there is nothing to watch")
		fmt.Fprintln(a.stderr, "hint: wiki run --vault ~/Notes watches a folder of notes")
	}
	fmt.Fprintf(a.stderr, "wiki: listening on http://%s; Ctrl-C ends the engine\n", ln.Addr())
}
