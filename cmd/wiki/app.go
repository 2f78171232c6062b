package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/cmd/wiki/complete"
	"vaultdispatcher/cmd/wiki/manual"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/team"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
)

// app is what all commands share.
type app struct {
	stdout     *output
	stderr     io.Writer
	configFile string // --config
	json       bool   // --json
	misused    error  // help was asked for a command that is not there
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
		RunE:          showHelp,
		Version:       describeBuild(assets.ThisBuild()),
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.Flags().Bool("version", false, "show version, commit and date") // without a short form
	root.PersistentFlags().StringVar(&a.configFile, "config", "", "configuration `file` instead of the usual one")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(fmt.Sprintf("%s --help shows what it takes", cmd.CommandPath()), "%w", err)
	})
	root.AddGroup(
		&cobra.Group{ID: "start", Title: "Start here:"},
		&cobra.Group{ID: "look", Title: "See what is going on:"},
		&cobra.Group{ID: "act", Title: "Act:"},
		&cobra.Group{ID: "team", Title: "More than one machine:"},
	)
	group := func(id string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = id
			root.AddCommand(c)
		}
	}
	group("start", a.demoCommand(), a.setupCommand(), a.runCommand(), a.serviceCommand(), a.configCommand())
	group("look", a.statusCommand(), a.openCommand(), a.dispatchesCommand(), a.heldCommand(), a.answersCommand(), a.whyCommand(), a.searchCommand(), a.indexCommand(), a.agentsCommand(), a.serverCommand(), a.logsCommand(), a.doctorCommand(), a.tokenCommand())
	group("act", a.askCommand(), a.scanCommand(), a.notifyCommand(), a.watcherCommand(), a.retryCommand(), a.cancelCommand(), a.releaseCommand(), a.undoCommand(), a.mcpCommand())
	group("team", team.App{Load: a.loadConfig, Show: a.show, Log: a.stderr, Agents: assets.Agents(), Version: version(), TakesNone: takesNone,
		TakesOne: func(more string) cobra.PositionalArgs { return takesExactly(1, more) }, CheckRange: checkRange}.Commands()...)
	root.AddCommand(a.versionCommand(), a.updateCommand())
	a.hardenDefaults(root)
	manual.AddExamples(root)
	complete.Add(root, a.completions())
	return root
}

// completions is where a shell's offers come from. A person who types reads no warnings.
func (a *app) completions() complete.Source {
	quiet := func() *app { return &app{stdout: a.stdout, stderr: io.Discard, configFile: a.configFile} }
	return complete.Source{
		Config: func() (config.Config, error) { return quiet().loadConfig() },
		Dispatches: func(ctx context.Context, status string) ([]api.Dispatch, error) {
			client, err := quiet().client(ctx)
			if err != nil {
				return nil, err
			}
			return client.Dispatches(ctx, api.Filter{Status: status})
		},
	}
}

// loadConfig reads the configuration and tells its warnings.
func (a *app) loadConfig() (config.Config, error) {
	cfg, err := config.Load(a.configFile)
	if err != nil {
		return config.Config{}, &failure{err: err, hint: configHint(err), code: exitConfig}
	}
	for _, warning := range cfg.Warnings {
		printable.Fprintf(a.stderr, "wiki: %s\n", warning)
	}
	return cfg, nil
}

// configHint is the next step after a configuration that cannot be used.
func configHint(err error) string {
	if missing, ok := errors.AsType[*config.NoPlace](err); ok {
		return missing.Hint()
	}
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
	if problem != nil && client.LeftPort(state) == 0 {
		return nil, problem
	}
	return client.FindEngine(ctx, state, cfg.HTTPPort)
}
