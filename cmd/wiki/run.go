package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/installer"
	"vaultdispatcher/service/host"
)

// runCommand is the engine in the foreground; it is also what a login service
// starts.
func runCommand(a *command.App) *cobra.Command {
	var vaults []string
	var port int
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the engine in the foreground",
		Long:  "Watches your vaults and answers the markers in their notes, until Ctrl-C.\nThe variable WIKI_VAULTS names vaults too: paths separated by " + pathSeparator() + ", as in PATH.",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if port < 0 || port > 65535 {
				return command.Usage("give a number from 1 to 65535, or 0 for a free port", "--port %d is not a port", port)
			}
			opts := hostOptions(a)
			if cmd.Flags().Changed("port") {
				opts.Port = &port
			}
			if opts.Vaults, err = namedVaults(vaults); err != nil {
				return err
			}
			err = host.Run(cmd.Context(), opts)
			if taken, ok := errors.AsType[*listen.Taken](err); ok && taken.Ours != nil {
				alreadyRuns(a, taken.Ours)
				return nil
			}
			if other, ok := errors.AsType[*client.OtherState](err); ok {
				return command.OtherState(other, "end that engine, or take another port: wiki run --port %d", installer.SuggestPort(other.Port))
			}
			return err
		},
	}
	cmd.Flags().StringArrayVar(&vaults, "vault", nil, "watch this `folder` instead of the configured vaults (repeatable)")
	cmd.Flags().IntVar(&port, "port", 0, "`port` of the loopback server instead of wiki.httpPort; 0 takes a free one")
	return cmd
}

// hostOptions are what the engine of this process says on standard error.
func hostOptions(a *command.App) host.Options {
	warn := func(notices []api.Notice) {
		for _, n := range notices {
			a.Say("%s", report.NoticeText(n))
		}
	}
	return host.Options{
		ConfigFile: a.ConfigFile, Version: version(), Output: a.Stderr, Tools: func(h *host.Host) api.Tools { return dashboardTools(a, h) },
		Warn: func(text string) { a.Say("%s", text) }, News: (&report.NewsPrinter{Output: a.Stderr}).Print,
		OldMarkers: func(vault string, markers int) { printOldMarkers(a, vault, markers) },
		Attend:     func(ctx context.Context, e *engine.Engine) { showIndexing(ctx, a, e) },
		Started: func(cfg config.Config, port int, notices []api.Notice) {
			greet(a, cfg, port)
			warn(notices)
		},
		Reloaded: func(notices []api.Notice) {
			a.Say("the configuration has changed and was taken up")
			warn(notices)
		},
	}
}

// namedVaults turns the folders of --vault into vaults. Unlike a configured vault, which may be an
// unplugged disk, a folder named here has to exist; on a disk that does not respond it may.
func namedVaults(folders []string) ([]config.Vault, error) {
	if len(folders) == 0 {
		return nil, nil
	}
	paths := make([]string, len(folders))
	for i, folder := range folders {
		path, err := vaultPath(folder)
		if err != nil {
			return nil, err
		}
		paths[i] = path
	}
	for i, e := range patience.Look(paths...) {
		if !e.Silent && (e.Info == nil || !e.Info.IsDir()) {
			return nil, command.Fail("name an existing folder of notes", "there is no folder %s", folders[i])
		}
	}
	vaults, err := config.NewVaults(paths...)
	if err != nil {
		return nil, command.Usage("give each folder once", "%w", err)
	}
	return vaults, nil
}

// pathSeparator names what separates the paths of WIKI_VAULTS.
func pathSeparator() string {
	if os.PathListSeparator == ';' {
		return "semicolons"
	}
	return "colons"
}

// printOldMarkers says what the engine does not do by itself when it first sees a vault.
func printOldMarkers(a *command.App, vault string, markers int) {
	a.Say("%s were in %s before it was first watched and wait for you; new ones are answered", wording.Count(markers, "marker"), vault)
	a.Hint("wiki release --all starts them, wiki held lists them")
}

// alreadyRuns says that our own engine runs; there is nothing to do, which is no
// error.
func alreadyRuns(a *command.App, s *api.Status) {
	a.Say("the engine is already running with pid %d on port %d", s.PID, s.Port)
	names := make([]string, len(s.Vaults))
	for i, v := range s.Vaults {
		names[i] = v.Path
	}
	if len(names) > 0 {
		a.Hint("it watches %s; wiki status shows more", strings.Join(names, ", "))
	}
}

// greet says what the engine watches and how to end it.
func greet(a *command.App, cfg config.Config, port int) {
	paths := make([]string, len(cfg.Vaults))
	for i, v := range cfg.Vaults {
		paths[i] = v.Path
	}
	for i, e := range patience.Look(paths...) {
		switch {
		case cfg.Vaults[i].Paused:
			a.Say("%s is paused", e.Named)
		case e.Silent:
			a.Say("%s does not respond now; it is watched when it does", e.Named)
		case e.Err != nil:
			a.Say("%s is not there now; it is watched when it appears", e.Named)
		default:
			a.Say("watching %s", e.Named)
		}
	}
	if len(cfg.Vaults) == 0 {
		a.Say("no vault is configured, so there is nothing to watch")
		a.Hint("wiki setup chooses your folders of notes, and this engine takes them up")
	}
	a.Say("listening on http://127.0.0.1:%d; Ctrl-C ends the engine", port)
}

// showIndexing shows the first indexing of a large vault on a terminal, in one line that
// it draws again until every vault is indexed or ctx ends.
func showIndexing(ctx context.Context, a *command.App, e *engine.Engine) {
	if !command.IsTerminal(a.Stderr) || a.JSON {
		return
	}
	for shown := false; due.Sleep(ctx, 250*time.Millisecond) == nil; {
		status, err := e.Backend().Status(ctx, false)
		if err != nil {
			return
		}
		if left := status.Index.Pending; left > 0 {
			fmt.Fprintf(a.Stderr, "\r\x1b[Kwiki: indexing, %d notes to go", left)
			shown = true
			continue
		}
		if slices.ContainsFunc(status.Vaults, func(v api.Vault) bool { return v.State == "indexing" }) {
			continue
		}
		if shown {
			fmt.Fprintf(a.Stderr, "\r\x1b[Kwiki: indexed %d notes\n", status.Index.Notes)
		}
		return
	}
}
