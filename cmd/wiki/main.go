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
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/complete"
	"vaultdispatcher/cmd/wiki/demo"
	"vaultdispatcher/cmd/wiki/dispatches"
	"vaultdispatcher/cmd/wiki/machine"
	"vaultdispatcher/cmd/wiki/manual"
	"vaultdispatcher/cmd/wiki/team"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
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
	app := &command.App{Stdout: &command.Output{W: stdout}, Stderr: stderr}
	root := root(app)
	root.SetArgs(args)
	root.SetOut(app.Stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = cmp.Or(app.Misused, app.Stdout.Err())
	}
	return explain(ctx, app, err)
}

// root returns the command tree.
func root(a *command.App) *cobra.Command {
	root := &cobra.Command{
		Use:           "wiki",
		Short:         "Answer the questions in your notes",
		Long:          "Write `> @agent-Miner what did we decide about backups?` in a note and save.\nA moment later that line is the answer, and nothing else in the note has changed.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       describeBuild(assets.ThisBuild()),
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.Flags().Bool("version", false, "show version, commit and date") // without a short form
	root.PersistentFlags().StringVar(&a.ConfigFile, "config", "", "configuration `file` instead of the usual one")
	root.PersistentFlags().BoolVar(&a.JSON, "json", false, "print JSON")
	root.SetFlagErrorFunc(command.RefuseFlags)
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
	group("start", demo.Command(a, runTemporary), setupCommand(a), runCommand(a), machine.Service(a), configCommand(a))
	group("look", statusCommand(a), openCommand(a), dispatches.List(a), dispatches.Held(a), dispatches.Answers(a), dispatches.Proposed(a), whyCommand(a), searchCommand(a), agentsCommand(a), serverCommand(a), machine.Logs(a), machine.Doctor(a), docsCommand(a), tokenCommand(a))
	group("act", askCommand(a), scanCommand(a), notifyCommand(a), watcherCommand(a), dispatches.Schedule(a), dispatches.Retry(a), dispatches.Cancel(a), dispatches.Release(a), dispatches.Accept(a), dispatches.Reject(a), dispatches.Undo(a), mcpCommand(a))
	group("team", team.Commands(a)...)
	root.AddCommand(versionCommand(a), updateCommand(a))
	command.Complete(root)
	hardenDefaults(a, root)
	manual.AddExamples(root)
	complete.Add(root, completions(a))
	return root
}

// completions is where a shell's offers come from. A person who types reads no warnings.
func completions(a *command.App) complete.Source {
	return complete.Source{
		Config: func() (config.Config, error) { return a.Quiet().Config() },
		Dispatches: func(ctx context.Context, status string) ([]api.Dispatch, error) {
			client, err := a.Quiet().Client(ctx)
			if err != nil {
				return nil, err
			}
			return client.Dispatches(ctx, api.Filter{Status: status})
		},
	}
}

// misnamed is the error of an argument where only commands can be; help is for those that are there.
func misnamed(cmd *cobra.Command, args []string) error {
	if cmd == nil || !cmd.HasSubCommands() {
		return nil
	}
	return command.TakesNone(cmd, args)
}

// helpColumns is how many cells a line of help has at most.
const helpColumns = 100

// hardenDefaults gives the commands cobra makes by itself our manners: what they do not
// know is a mistake and not a success.
func hardenDefaults(a *command.App, root *cobra.Command) {
	help := root.HelpFunc()
	columns := min(cmp.Or(a.Stdout.Columns(), helpColumns), helpColumns)
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if a.Misused = misnamed(cmd, cmd.Flags().Args()); a.Misused == nil {
			cmd.Long = command.BreakProse(cmd.Long, columns)
			help(cmd, args)
		}
	})
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show how a command is used",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err := misnamed(cmd, rest); err != nil {
				return err
			}
			if err != nil || cmd == nil || len(rest) > 0 {
				return command.Usage("wiki --help lists the commands", "there is no command %q", strings.Join(args, " "))
			}
			cmd.InitDefaultHelpFlag()
			return a.Show(manual.DescribeCommand(cmd), func(io.Writer) { cmd.Help() })
		},
	})
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped "+strconv.Itoa(columns)))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		manual.WordCompletion(c)
		c.Args = command.TakesNone
		c.RunE = command.ShowHelp
		for _, shell := range c.Commands() {
			shell.Args = command.TakesNone
			shell.PreRun = func(*cobra.Command, []string) { a.Stdout.KeepLines(true) }
		}
	}
}
