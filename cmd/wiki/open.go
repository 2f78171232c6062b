package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/spf13/cobra"
)

// openCommand shows the dashboard in a browser.
func (a *app) openCommand() *cobra.Command {
	var show bool
	cmd := &cobra.Command{
		Use:     "open",
		Aliases: []string{"dashboard"},
		Short:   "Open the dashboard in your browser",
		Long:    "Makes a link to the dashboard that is good once, within five minutes, and opens it in\nyour browser. Where there is none, or with --print, it prints the link.",
		Args:    none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.client(cmd.Context())
			if err != nil {
				return err
			}
			link, err := client.Link(cmd.Context())
			if err != nil {
				return err
			}
			if !show && !a.json && isTerminal(a.stdout) && browse(cmd.Context(), link.URL) == nil {
				fmt.Fprintln(a.stderr, "wiki: the dashboard is open in your browser")
				return nil
			}
			return a.show(link, func(w io.Writer) { fmt.Fprintln(w, link.URL) })
		},
	}
	cmd.Flags().BoolVar(&show, "print", false, "print the link and open nothing")
	return cmd
}

// browserTime is how long the program that opens browsers may take.
const browserTime = 10 * time.Second

// browse has the desktop open a link. Other users may see the arguments of a
// program; the engine takes the link from this user only where it can tell, and
// once in any case.
func browse(ctx context.Context, link string) error {
	name, args := "xdg-open", []string{link}
	switch {
	case runtime.GOOS == "darwin":
		name = "open"
	case runtime.GOOS == "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", link}
	case os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		return exec.ErrNotFound // a browser in the terminal would not be what is meant
	}
	ctx, cancel := context.WithTimeout(ctx, browserTime)
	defer cancel()
	if err := exec.CommandContext(ctx, name, args...).Run(); err != nil {
		return fmt.Errorf("open a browser: %w", err)
	}
	return nil
}
