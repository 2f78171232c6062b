package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/engine/dashboard/phrase"
)

// The dashboard knows each command in the sentences of the engine, with the command below it.
func TestDashboardKnowsEachCommand(t *testing.T) {
	count := 0
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			if !c.IsAvailableCommand() || c.Name() == "help" {
				continue
			}
			count++
			if parts := phrase.Split("then " + c.CommandPath() + " says so"); len(parts) != 3 || parts[1] != (phrase.Part{Kind: phrase.Command, Text: c.CommandPath()}) {
				t.Errorf("%s: %+v", c.CommandPath(), parts)
			}
			check(c)
		}
	}
	if check(root(&command.App{Stdout: &command.Output{W: &strings.Builder{}}})); count < 60 {
		t.Errorf("only %d commands", count)
	}
}
