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
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/syserr"
)

// answerTime is how long the demonstration waits for its answers.
const answerTime = time.Minute

// ErrSlow says that the answers did not come in time.
var ErrSlow = fmt.Errorf("the demonstration had no answers after %v", answerTime)

// Options say how the demonstration is shown.
type Options struct {
	Keep     bool      // leave the folder and the engine running
	Problems io.Writer // where the engine logs its warnings

	// RunEngine runs an engine that shares nothing with the user's, as long as use is at
	// work. dir is for its files.
	RunEngine func(ctx context.Context, cfg config.Config, dir string, log *slog.Logger, use func(context.Context, *client.Client) error) error

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
	cfg := config.Default()
	if cfg.Vaults, err = config.NewVaults(d.vault); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(d.Problems, &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: syserr.ForPeople}))
	return d.RunEngine(ctx, cfg, dir, log, d.play)
}

// play plays the story on an engine, which with Keep goes on until ctx ends.
func (d *demonstration) play(ctx context.Context, engine *client.Client) error {
	d.port = engine.Port()
	err := d.playStory(ctx, engine)
	switch {
	case err != nil:
	case d.Keep:
		err = d.printInvitation(ctx, engine)
	default:
		err = d.printNext()
	}
	if err == nil && d.Keep {
		d.kept = true // from here on the folder is the user's, and Ctrl-C is the proper end
		<-ctx.Done()
	}
	return err
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
