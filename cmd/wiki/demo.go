package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/inuse"
	"vaultdispatcher/service/host"
)

// demoTime is how long the demonstration waits for its answers.
const demoTime = time.Minute

// demoCommand shows the product at work, on a vault of its own and with a
// configuration, state, port and lock of its own.
func (a *app) demoCommand() *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "See a sample vault answered before your eyes",
		Long:  "Unpacks a sample vault into a temporary folder, runs the engine on it, saves a\nnote with questions and shows the answers. Nothing of yours is touched.",
		Args:  none,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context(), keep) },
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "leave the folder and the engine running, to try it yourself")
	return cmd
}

func (a *app) demo(ctx context.Context, keep bool) (err error) {
	dir, err := os.MkdirTemp("", "wiki-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the demonstration: %w", err)
	}
	d := &demonstration{app: a, dir: dir, vault: filepath.Join(dir, "vault"), begun: time.Now(), shown: make(map[string]int)}
	defer func() {
		if !d.kept {
			err = errors.Join(err, inuse.RemoveAll(dir))
		}
	}()
	if err := os.CopyFS(d.vault, assets.Vault()); err != nil {
		return fmt.Errorf("unpack the sample vault: %w", err)
	}
	e, err := d.start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	running, end := context.WithCancel(ctx)
	defer end()
	ended := make(chan error, 1)
	go func() { ended <- e.Run(running) }()
	err = d.play(ctx, e.Client)
	if err == nil && keep {
		err = d.invite()
	}
	if err == nil && keep {
		d.kept = true // from here on the folder is the user's, and Ctrl-C is the proper end
		return <-ended
	}
	end()
	return errors.Join(err, <-ended)
}

// demonstration is one run of the demo.
type demonstration struct {
	app        *app
	dir, vault string
	port       int
	begun      time.Time
	shown      map[string]int // steps already told, by dispatch
	kept       bool           // the folder stays
}

// start starts an engine for the sample vault.
func (d *demonstration) start(ctx context.Context) (host.Temporary, error) {
	cfg := config.Default()
	vaults, err := config.NewVaults(d.vault)
	if err != nil {
		return host.Temporary{}, err
	}
	cfg.Vaults = vaults
	log := slog.New(slog.NewTextHandler(d.app.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	e, err := host.StartTemporary(ctx, cfg, d.dir, version(), log)
	if err == nil {
		d.port = e.Port()
	}
	return e, err
}
