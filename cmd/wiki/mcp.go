package main

import (
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/relay"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/clients"
)

// mcpCommand serves the vaults to another agent, which starts it.
func mcpCommand(a *command.App) *cobra.Command {
	var ask, private bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the vaults to your other agents (MCP), read-only",
		Long: "Runs a server of the Model Context Protocol on standard input and output. Your agents start\n" +
			"it to search and read your notes. wiki mcp install adds it to one of them.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			state, err := place.StateDir()
			if err != nil {
				return err
			}
			lines := &relay.Relay{Engine: a.Client, Config: a.Config, State: state}
			o := mcp.Options{Library: lines, Scope: mcp.Scope{Private: private}, Version: assets.ThisBuild().Version}
			if ask {
				o.Ask = lines.Ask
			}
			if err := mcp.Serve(cmd.Context(), o); err != nil {
				return command.Fail("an agent starts wiki mcp, no person; wiki mcp install adds it to one", "the exchange with the agent has ended: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&ask, "ask", false, "also offer a tool by which your agents answer; it may cost what they cost")
	cmd.Flags().BoolVar(&private, "private", false, "show the notes of wiki.private as well")
	cmd.AddCommand(mcpInstallCommand(a), mcpUninstallCommand(a))
	return cmd
}

func mcpInstallCommand(a *command.App) *cobra.Command {
	var ask, private bool
	cmd := &cobra.Command{
		Use:   "install CLIENT",
		Short: "Add this server to one of your agents: " + strings.Join(clients.Names, ", "),
		Args:  command.TakesExactly(1, "a client is "+strings.Join(clients.Names, ", ")),
		RunE: func(_ *cobra.Command, args []string) error {
			program, err := installer.ThisProgram()
			if err != nil {
				return err
			}
			line := []string{"mcp"}
			if a.ConfigFile != "" {
				file, err := filepath.Abs(a.ConfigFile)
				if err != nil {
					return err
				}
				line = append(line, "--config", file)
			}
			if ask {
				line = append(line, "--ask")
			}
			if private {
				line = append(line, "--private")
			}
			done, err := clients.Install(args[0], program, line)
			return showClient(a, done, err, "start it anew, and it finds your notes")
		},
	}
	cmd.Flags().BoolVar(&ask, "ask", false, "start it with --ask")
	cmd.Flags().BoolVar(&private, "private", false, "start it with --private")
	return cmd
}

func mcpUninstallCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "uninstall CLIENT",
		Short: "Remove this server from one of your agents",
		Args:  command.TakesExactly(1, "a client is "+strings.Join(clients.Names, ", ")),
		RunE: func(_ *cobra.Command, args []string) error {
			done, err := clients.Uninstall(args[0])
			return showClient(a, done, err, "it ends with the agent that has started it")
		},
	}
}

// showClient says what became of a client's file.
func showClient(a *command.App, done clients.Done, err error, next string) error {
	manual := new(clients.Manual)
	switch {
	case errors.Is(err, clients.ErrUnknown):
		return command.Usage("a client is "+strings.Join(clients.Names, ", ")+"; any other is told the command wiki mcp by hand", "there is no such client")
	case errors.As(err, &manual):
		return command.Fail("name the command wiki mcp to it by hand; assets/docs/mcp.md shows how", "%w", err)
	case err != nil:
		return err
	}
	return a.Show(done, func(w io.Writer) {
		if !done.Changed {
			printable.Fprintf(w, "nothing to change in %s\n", done.File)
			return
		}
		printable.Fprintf(w, "changed: %s; %s\n", done.File, next)
		if done.Backup != "" {
			printable.Fprintf(w, "what was there before: %s\n", done.Backup)
		}
	})
}
