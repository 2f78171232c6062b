// Command wiki is the engine of the vault dispatcher and its operator's voice:
// `wiki run` is the engine in the foreground, every other command talks to a
// running engine over its loopback server.
package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/cmd/wiki/complete"
	"vaultdispatcher/cmd/wiki/manual"
	"vaultdispatcher/cmd/wiki/team"
)

func main() {
	// A reader that leaves must not end the process before it has cleaned up: the
	// signal is taken, so that the write is what fails. Ignoring it would be
	// handed down to the agents.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Main runs one command line and returns the status to exit with. What could
// not be written to stdout is never a success.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	app := &app{stdout: &output{w: stdout}, stderr: stderr}
	root := app.root()
	root.SetArgs(args)
	root.SetOut(app.stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = cmp.Or(app.misused, app.stdout.err)
	}
	return app.explain(ctx, err)
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
		hint := cmd.CommandPath() + " --help shows what it takes"
		if cmd.Name() == "set" {
			hint = "a value that begins with - comes behind --: " + cmd.CommandPath() + " KEY -- VALUE"
		}
		return usage(hint, "%w", err)
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
	group("look", a.statusCommand(), a.openCommand(), a.dispatchesCommand(), a.heldCommand(), a.answersCommand(), a.proposedCommand(), a.whyCommand(), a.searchCommand(), a.agentsCommand(), a.serverCommand(), a.logsCommand(), a.doctorCommand(), a.tokenCommand())
	group("act", a.askCommand(), a.scanCommand(), a.notifyCommand(), a.watcherCommand(), a.retryCommand(), a.cancelCommand(), a.releaseCommand(), a.acceptCommand(), a.rejectCommand(), a.undoCommand(), a.mcpCommand())
	group("team", team.App{Load: a.loadConfig, Show: a.show, Log: a.stderr, Agents: assets.Agents(), Version: version(), TakesNone: takesNone,
		TakesOne: func(more string) cobra.PositionalArgs { return takesExactly(1, more) }, CheckRange: checkRange}.Commands()...)
	root.AddCommand(a.versionCommand(), a.updateCommand())
	a.hardenDefaults(root)
	manual.AddExamples(root)
	complete.Add(root, a.completions())
	return root
}
