package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/inuse"
	"vaultdispatcher/installer"
)

// rehearse proves a configuration where no engine runs: with an engine of its own on
// a folder of its own, so that nothing of the user's is answered before they start
// one.
func (a *app) rehearse(ctx context.Context, cfg config.Config) (proof installer.Proof, err error) {
	dir, err := os.MkdirTemp("", "wiki-setup-")
	if err != nil {
		return proof, fmt.Errorf("make a folder for the proof: %w", err)
	}
	defer func() { err = errors.Join(err, inuse.RemoveAll(dir)) }()
	vault := filepath.Join(dir, "vault")
	if err := os.Mkdir(vault, 0o700); err != nil {
		return proof, fmt.Errorf("make a folder for the proof: %w", err)
	}
	if cfg.Vaults, err = config.NewVaults(vault); err != nil {
		return proof, err
	}
	cfg.Owner = ""
	ln, err := api.Listen(0)
	if err != nil {
		return proof, err
	}
	state := filepath.Join(dir, "state")
	e, err := start(ctx, engine.Options{Config: cfg, Listener: ln, State: state,
		Cache: func(string) (string, error) { return filepath.Join(dir, "cache"), nil },
		Log:   slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
	if err != nil {
		return proof, errors.Join(err, ln.Close())
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	token, err := api.LoadToken(filepath.Join(state, "token"))
	if err != nil {
		return proof, err
	}
	miner, _ := cfg.Agent("Miner")
	running, end := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- e.Run(running) }()
	proof, err = installer.Prove(ctx, api.NewClient(e.Port(), token), vault, miner.Runner)
	end()
	return proof, errors.Join(err, <-ended)
}
