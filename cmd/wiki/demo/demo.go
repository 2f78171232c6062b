// Package demo shows the product at work on a sample vault, with a configuration,
// state, port and lock of its own.
//
//	err := demo.Run(ctx, demo.Options{Show: show})
//
// Nothing of the user's is touched, and without Keep nothing is left behind.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/service/host"
)

// answerTime is how long the demonstration waits for its answers.
const answerTime = time.Minute

// ErrSlow says that the answers did not come in time.
var ErrSlow = fmt.Errorf("the demonstration had no answers after %v", answerTime)

// Options say how the demonstration is shown.
type Options struct {
	Keep     bool      // leave the folder and the engine running
	Version  string    // of this program
	Problems io.Writer // where the engine logs its warnings

	// Show prints a value: as JSON, or as the text that a function writes.
	Show func(v any, text func(io.Writer)) error

	HasColour func(io.Writer) bool

	// OutputError returns why nothing more can be printed; nil = it can.
	OutputError func() error
}

// Run shows the product at work until the answers are there, or with Keep until ctx ends.
func Run(ctx context.Context, opts Options) (err error) {
	dir, err := os.MkdirTemp("", "wiki-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the demonstration: %w", err)
	}
	d := &demonstration{Options: opts, dir: dir, vault: filepath.Join(dir, "vault"), begun: time.Now(), shown: make(map[string]int)}
	defer func() {
		if !d.kept {
			err = errors.Join(err, files.RemoveAll(dir))
		}
	}()
	if err := os.CopyFS(d.vault, assets.Vault()); err != nil {
		return fmt.Errorf("unpack the sample vault: %w", err)
	}
	e, err := d.startEngine(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	running, end := context.WithCancel(ctx)
	defer end()
	ended := make(chan error, 1)
	go func() { ended <- e.Run(running) }()
	err = d.playStory(ctx, e.Client)
	if err == nil && opts.Keep {
		err = d.printInvitation()
	}
	if err == nil && opts.Keep {
		d.kept = true // from here on the folder is the user's, and Ctrl-C is the proper end
		return <-ended
	}
	end()
	return errors.Join(err, <-ended)
}

// demonstration is one run of the demo.
type demonstration struct {
	Options
	dir, vault string
	port       int
	begun      time.Time
	shown      map[string]int // steps already told, by dispatch
	kept       bool           // the folder stays
}

// startEngine starts an engine for the sample vault.
func (d *demonstration) startEngine(ctx context.Context) (host.Temporary, error) {
	cfg := config.Default()
	vaults, err := config.NewVaults(d.vault)
	if err != nil {
		return host.Temporary{}, err
	}
	cfg.Vaults = vaults
	log := slog.New(slog.NewTextHandler(d.Problems, &slog.HandlerOptions{Level: slog.LevelWarn}))
	e, err := host.StartTemporary(ctx, cfg, d.dir, d.Version, log)
	if err == nil {
		d.port = e.Port()
	}
	return e, err
}
