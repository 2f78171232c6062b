package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/manual"
	"vaultdispatcher/engine/wording"
)

// Every check of a command line is made before any engine is asked, ends with
// status 2 and shows the right form in its hint.

// takesNone is for commands without arguments. Where a command has others below it,
// the argument was probably meant to be one of them.
func takesNone(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := fmt.Sprintf("%s --help shows %s", cmd.CommandPath(), namesBelow(cmd))
	cmd.SuggestionsMinimumDistance = 2
	if meant := cmd.SuggestionsFor(args[0]); len(meant) > 0 {
		hint = fmt.Sprintf("did you mean %s %s; %s", cmd.CommandPath(), meant[0], hint)
	}
	if cmd.HasSubCommands() {
		return usage(hint, "unknown command %q for %q", args[0], cmd.CommandPath())
	}
	return usage(hint, "%s takes no arguments, found %q", cmd.CommandPath(), args[0])
}

// misnamed is the error of an argument where only commands can be; help is for those that are there.
func misnamed(cmd *cobra.Command, args []string) error {
	if cmd == nil || !cmd.HasSubCommands() {
		return nil
	}
	return takesNone(cmd, args)
}

// namesBelow names the commands below one, where they are few.
func namesBelow(cmd *cobra.Command) string {
	switch {
	case !cmd.HasSubCommands():
		return "what it takes"
	case !cmd.HasParent():
		return "the commands"
	}
	var names []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return strings.Join(names, ", ")
}

// takesExactly is for commands with n arguments; more tells where to find them.
func takesExactly(n int, more string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return usage(usageForm(cmd, more), "%s takes %s, found %d", cmd.CommandPath(), wording.Count(n, "argument"), len(args))
	}
}

// takesSome is for commands with one argument or more.
func takesSome(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return usage(usageForm(cmd, ""), "%s takes at least 1 argument", cmd.CommandPath())
}

// groupCommands is a command that only holds others, and shows them.
func groupCommands(name, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: name, Short: short, Args: takesNone, RunE: showHelp}
	cmd.AddCommand(commands...)
	return cmd
}

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// usageForm is how a command is written.
func usageForm(cmd *cobra.Command, more string) string {
	_, arguments, _ := strings.Cut(cmd.Use, " ")
	hint := cmd.CommandPath() + " " + arguments
	if more != "" {
		hint += "; " + more
	}
	return hint
}

// checkRange checks the number of a flag.
func checkRange(flag string, n, least, most int) error {
	if n >= least && n <= most {
		return nil
	}
	return usage(fmt.Sprintf("give a number from %d to %d", least, most), "--%s %d is not a number from %d to %d", flag, n, least, most)
}

// hardenDefaults gives the commands cobra makes by itself our manners: what they do not
// know is a mistake and not a success.
func (a *app) hardenDefaults(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if a.misused = misnamed(cmd, cmd.Flags().Args()); a.misused == nil {
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
				return usage("wiki --help lists the commands", "there is no command %q", strings.Join(args, " "))
			}
			cmd.InitDefaultHelpFlag()
			return a.show(manual.DescribeCommand(cmd), func(io.Writer) { cmd.Help() })
		},
	})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		manual.WordCompletion(c)
		c.Args = takesNone
		c.RunE = showHelp
		for _, shell := range c.Commands() {
			shell.Args = takesNone
		}
	}
}
