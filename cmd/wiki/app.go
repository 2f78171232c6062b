package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
)

// app is what all commands share.
type app struct {
	stdout, stderr io.Writer
	configFile     string // --config
	json           bool   // --json
}

// root returns the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "wiki",
		Short:         "Answers the questions your notes ask",
		Long:          "Write `> @agent-Miner what did we decide about backups?` in a note and save.\nA moment later that line is the answer, and nothing else in the note has changed.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().StringVar(&a.configFile, "config", "", "configuration `file` instead of the usual one")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(fmt.Sprintf("%s --help shows what it takes", cmd.CommandPath()), "%w", err)
	})
	root.AddGroup(
		&cobra.Group{ID: "start", Title: "Start here:"},
		&cobra.Group{ID: "look", Title: "See what is going on:"},
		&cobra.Group{ID: "act", Title: "Act:"},
	)
	group := func(id string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = id
			root.AddCommand(c)
		}
	}
	group("start", a.demoCommand(), a.runCommand())
	group("look", a.statusCommand(), a.dispatchesCommand(), a.whyCommand(), a.searchCommand(), a.serverCommand())
	group("act", a.scanCommand(), a.notifyCommand(), a.watcherCommand(), a.retryCommand(), a.cancelCommand())
	root.AddCommand(a.versionCommand())
	return root
}

// load reads the configuration and tells its warnings.
func (a *app) load() (config.Config, error) {
	cfg, err := config.Load(a.configFile)
	if err != nil {
		return config.Config{}, &failure{err: err, hint: configHint(err), code: exitConfig}
	}
	for _, warning := range cfg.Warnings {
		fmt.Fprintf(a.stderr, "wiki: %s\n", warning)
	}
	return cfg, nil
}

// configHint is the next step after a configuration that cannot be used. One
// from before the rename says it itself.
func configHint(err error) string {
	if errors.Is(err, config.ErrOld) {
		return ""
	}
	return "mend it and start again; nothing was changed"
}

// client returns a client of the engine this user runs. Without a token file
// only the open endpoints answer.
func (a *app) client() (*api.Client, error) {
	cfg, err := a.load()
	if err != nil {
		return nil, err
	}
	state, err := config.StateDir()
	if err != nil {
		return nil, err
	}
	token, err := api.LoadToken(filepath.Join(state, "token"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return api.NewClient(cfg.HTTPPort, token), nil
}

// show prints v as JSON when that was asked for, else as text.
func (a *app) show(v any, text func(w io.Writer)) error {
	if !a.json {
		text(a.stdout)
		return nil
	}
	enc := json.NewEncoder(a.stdout)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// isTerminal reports whether w is a terminal that may be drawn on.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// hasColour reports whether w is a terminal that likes colour.
func hasColour(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }

// exactly is cobra.ExactArgs with our own words.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return usage(fmt.Sprintf("%s %s", cmd.CommandPath(), what), "%s takes %s", cmd.CommandPath(), what)
	}
}
