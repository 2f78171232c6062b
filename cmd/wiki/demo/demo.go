// Package demo shows the product at work on a sample vault, with a configuration,
// state, port and lock of its own.
//
//	root.AddCommand(demo.Command(app, runEngine))
//
// Nothing of the user's is touched, and without --keep nothing is left behind.
package demo

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
	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/syserr"
)

// answerTime is how long the demonstration waits for its answers.
const answerTime = time.Minute

// errSlow says that the answers did not come in time.
var errSlow = fmt.Errorf("the demonstration had no answers after %v", answerTime)

// RunEngine runs an engine that shares nothing with the user's, as long as use is at
// work. dir is for its files.
type RunEngine func(ctx context.Context, cfg config.Config, dir string, log *slog.Logger, use func(context.Context, *client.Client) error) error

// Command shows the product at work, on a vault of its own.
func Command(a *command.App, run RunEngine) *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Answer the questions of a sample vault",
		Long:  "Unpacks a sample vault into a temporary folder, runs the engine on it, saves a\nnote with questions and shows the answers. Your own files are not touched.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := show(cmd.Context(), a, run, keep)
			if errors.Is(err, errSlow) {
				return command.Fail("run it again when the computer has less to do", "%w", err)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "leave the folder and the engine running, so that you can try it")
	return cmd
}

// show shows the product at work until the answers are there, or with keep until ctx ends.
func show(ctx context.Context, a *command.App, run RunEngine, keep bool) (err error) {
	dir, err := os.MkdirTemp("", "wiki-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the demonstration: %w", err)
	}
	d := &demonstration{App: a, keep: keep, vault: filepath.Join(dir, "vault"), start: time.Now(), shown: make(map[string]int)}
	defer func() {
		if !d.permanent {
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
	log := slog.New(slog.NewTextHandler(d.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: syserr.ForPeople}))
	return run(ctx, cfg, dir, log, d.play)
}

// play plays the story on an engine. With keep, it continues until ctx ends.
func (d *demonstration) play(ctx context.Context, engine *client.Client) error {
	d.port = engine.Port()
	err := d.playStory(ctx, engine)
	switch {
	case err != nil:
	case d.keep:
		err = d.printInvitation(ctx, engine)
	default:
		err = d.printNext()
	}
	if err == nil && d.keep {
		d.permanent = true // from here on the folder is the user's, and Ctrl-C is the proper end
		<-ctx.Done()
	}
	return err
}

// demonstration is one run of the demo.
type demonstration struct {
	*command.App
	keep      bool // leave the folder and the engine running
	vault     string
	port      int
	start     time.Time
	shown     map[string]int // steps already told, by dispatch
	permanent bool           // the folder is kept
}
