package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/desktop"
	"vaultdispatcher/cmd/wiki/printable"
)

// openCommand shows the dashboard in a browser.
func (a *app) openCommand() *cobra.Command {
	var show bool
	cmd := &cobra.Command{
		Use:     "open",
		Aliases: []string{"dashboard"},
		Short:   "Open the dashboard in your browser",
		Long:    "Makes a link to the dashboard that works once, within five minutes, and opens it in\nyour browser. Without a browser, or with --print, it prints the link.",
		Args:    takesNone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.client(cmd.Context())
			if err != nil {
				return err
			}
			link, err := client.Link(cmd.Context())
			if err != nil {
				return err
			}
			if !show && !a.json && isTerminal(a.stdout) && desktop.OpenBrowser(cmd.Context(), link.URL) == nil {
				printable.Fprintln(a.stderr, "wiki: the dashboard is open in your browser")
				return nil
			}
			if forward := desktop.ForwardCommand(link.URL, os.Getenv("SSH_CONNECTION")); forward != "" {
				printable.Fprintln(a.stderr, "wiki: the dashboard is on this machine alone, and you are here over ssh")
				printable.Fprintf(a.stderr, "hint: on your own machine run %s and open the link there\n", forward)
			}
			return a.show(link, func(w io.Writer) { printable.Fprintln(w, link.URL) })
		},
	}
	cmd.Flags().BoolVar(&show, "print", false, "print the link and open nothing")
	return cmd
}
