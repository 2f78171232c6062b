package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vaultdispatcher/engine/wording"
)

// Every check of a command line is made before any engine is asked, ends with
// status 2 and shows the right form in its hint.

// Complete gives a command and all below it what they do not say: one takes no arguments, and shows
// the commands below it.
func Complete(cmd *cobra.Command) {
	if cmd.Args == nil && !cmd.DisableFlagParsing {
		cmd.Args = TakesNone
	}
	if cmd.RunE == nil {
		cmd.RunE = ShowHelp
	}
	for _, c := range cmd.Commands() {
		Complete(c)
	}
}

// TakesNone is for commands without arguments. Where a command has others below it,
// the argument was probably meant to be one of them.
func TakesNone(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := fmt.Sprintf("%s --help shows %s", cmd.CommandPath(), namesBelow(cmd))
	cmd.SuggestionsMinimumDistance = 2
	if meant := cmd.SuggestionsFor(args[0]); len(meant) > 0 {
		hint = fmt.Sprintf("did you mean %s %s; %s", cmd.CommandPath(), meant[0], hint)
	}
	if cmd.HasSubCommands() {
		return Usage(hint, "unknown command %q for %q", args[0], cmd.CommandPath())
	}
	return Usage(hint, "%s takes no arguments, found %q", cmd.CommandPath(), args[0])
}

// takes says what a flag takes, by the type of its value.
var takes = map[string]string{"int": "a whole number", "bool": "true or false"}

// RefuseFlags is the cobra flag error function of all.
func RefuseFlags(cmd *cobra.Command, err error) error {
	hint := cmd.CommandPath() + " --help shows what it takes"
	if cmd.Name() == "set" {
		hint = "a value that begins with - comes behind --: " + cmd.CommandPath() + " KEY -- VALUE"
	}
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok && takes[wrong.GetFlag().Value.Type()] != "" {
		return Usage(hint, "--%s takes %s, found %q", wrong.GetFlag().Name, takes[wrong.GetFlag().Value.Type()], wrong.GetValue())
	}
	return Usage(hint, "%w", err)
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

// TakesExactly is for commands with n arguments; more tells where to find them.
func TakesExactly(n int, more string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return Usage(UsageForm(cmd, more), "%s takes %s, found %d", cmd.CommandPath(), wording.Count(n, "argument"), len(args))
	}
}

// TakesSome is for commands with one argument or more.
func TakesSome(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return Usage(UsageForm(cmd, ""), "%s takes at least 1 argument", cmd.CommandPath())
}

// Group is a command that only holds others.
func Group(name, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: name, Short: short}
	cmd.AddCommand(commands...)
	return cmd
}

// ShowHelp is the run of a command that only holds others.
func ShowHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// UsageForm is how a command is written.
func UsageForm(cmd *cobra.Command, more string) string {
	_, arguments, _ := strings.Cut(cmd.Use, " ")
	hint := cmd.CommandPath() + " " + arguments
	if more != "" {
		hint += "; " + more
	}
	return hint
}

// CheckRange checks the number of a flag.
func CheckRange(flag string, n, least, most int) error {
	if n >= least && n <= most {
		return nil
	}
	return Usage(fmt.Sprintf("give a number from %d to %d", least, most), "--%s %d is not a number from %d to %d", flag, n, least, most)
}
