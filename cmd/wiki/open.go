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
			if !show && !a.json && isTerminal(a.stdout) && openBrowser(cmd.Context(), link.URL) == nil {
				fmt.Fprintln(a.stderr, "wiki: the dashboard is open in your browser")
				return nil
			}
			return a.show(link, func(w io.Writer) { fmt.Fprintln(w, link.URL) })
		},
	}
	cmd.Flags().BoolVar(&show, "print", false, "print the link and open nothing")
	return cmd
}

// browserTime is how long a program that opens browsers is waited for. Where it
// becomes the browser itself it goes on, and that is a success.
const browserTime = 3 * time.Second

// openBrowser has the desktop open a link. Other users may see the arguments of a
// program; the engine takes the link from this user only where it can tell, and
// once in any case.
func openBrowser(ctx context.Context, link string) error {
	name, args := "xdg-open", []string{link}
	switch {
	case runtime.GOOS == "darwin":
		name = "open"
	case runtime.GOOS == "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", link}
	case os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		return exec.ErrNotFound // a browser in the terminal would not be what is meant
	}
	opener := exec.Command(name, args...)
	if err := opener.Start(); err != nil {
		return fmt.Errorf("open a browser: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- opener.Wait() }() // until the browser ends, or this program
	select {
	case err := <-ended:
		return err
	case <-time.After(browserTime):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
