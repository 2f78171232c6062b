package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/inuse"
	"vaultdispatcher/installer"
	"vaultdispatcher/service/host"
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
	log := slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	e, err := host.StartTemporary(ctx, cfg, dir, version(), log)
	if err != nil {
		return proof, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	miner, _ := cfg.Agent("Miner")
	running, end := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- e.Run(running) }()
	proof, err = installer.Prove(ctx, e.Client, vault, miner.Runner)
	end()
	return proof, errors.Join(err, <-ended)
}
