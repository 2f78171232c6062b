package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/service/host"
)

// app is what all commands share.
type app struct {
	stdout     *output
	stderr     io.Writer
	configFile string // --config
	json       bool   // --json
}

// root returns the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "wiki",
		Short:         "Answer the questions in your notes",
		Long:          "Write `> @agent-Miner what did we decide about backups?` in a note and save.\nA moment later that line is the answer, and nothing else in the note has changed.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          takesNone,
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
	group("start", a.demoCommand(), a.setupCommand(), a.runCommand(), a.serviceCommand())
	group("look", a.statusCommand(), a.openCommand(), a.dispatchesCommand(), a.answersCommand(), a.whyCommand(), a.searchCommand(), a.indexCommand(), a.agentsCommand(), a.serverCommand(), a.logsCommand(), a.doctorCommand(), a.tokenCommand())
	group("act", a.scanCommand(), a.notifyCommand(), a.watcherCommand(), a.retryCommand(), a.cancelCommand(), a.releaseCommand(), a.undoCommand())
	root.AddCommand(a.versionCommand())
	a.hardenDefaults(root)
	return root
}

// loadConfig reads the configuration and tells its warnings.
func (a *app) loadConfig() (config.Config, error) {
	cfg, err := config.Load(a.configFile)
	if err != nil {
		return config.Config{}, &failure{err: err, hint: configHint(err), code: exitConfig}
	}
	for _, warning := range cfg.Warnings {
		fmt.Fprintf(a.stderr, "wiki: %s\n", warning)
	}
	return cfg, nil
}

// configHint is the next step after a configuration that cannot be used.
func configHint(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "check the path behind --config, or leave it out"
	case !errors.Is(err, config.ErrOld):
		return "correct it and start again; nothing was changed"
	}
	return "wiki setup imports its values and keeps a copy of the file"
}

// client returns a client of the engine this user runs, wherever it listens.
// Without a token file only the open endpoints answer. A configuration that cannot
// be used does not hide an engine that runs with an earlier one.
func (a *app) client(ctx context.Context) (*client.Client, error) {
	state, err := config.StateDir()
	if err != nil {
		return nil, err
	}
	cfg, problem := a.loadConfig()
	if problem != nil && listen.LeftPort(state) == 0 {
		return nil, problem
	}
	return host.NewClient(ctx, state, cfg.HTTPPort)
}
