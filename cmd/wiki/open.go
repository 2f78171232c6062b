package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/desktop"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api/client"
)

// openCommand shows the dashboard in a browser.
func openCommand(a *command.App) *cobra.Command {
	var show bool
	cmd := &cobra.Command{
		Use:     "open",
		Aliases: []string{"dashboard"},
		Short:   "Open the dashboard in your browser",
		Long:    "Makes a link to the dashboard that works once, within five minutes, and opens it in\nyour browser. Without a browser, or with --print, it prints the link.",
		RunE: a.Asking(func(ctx context.Context, client *client.Client, _ []string) error {
			link, err := client.Link(ctx)
			if err != nil {
				return err
			}
			if !show && !a.JSON && command.IsTerminal(a.Stdout) && desktop.OpenBrowser(ctx, link.URL) == nil {
				a.Say("the dashboard is open in your browser")
				return nil
			}
			if forward := desktop.ForwardCommand(link.URL, os.Getenv("SSH_CONNECTION")); forward != "" {
				a.Say("the dashboard is on this machine alone, and you are here over ssh")
				a.Hint("on your own machine run %s and open the link there", forward)
			}
			return a.Show(link, func(w io.Writer) { printable.Fprintln(w, link.URL) })
		}),
	}
	cmd.Flags().BoolVar(&show, "print", false, "print the link and open nothing")
	return cmd
}
