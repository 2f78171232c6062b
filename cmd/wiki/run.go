package main

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/demo"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/installer"
	"vaultdispatcher/service/host"
)

// runCommand is the engine in the foreground; it is also what a login service
// starts.
func (a *app) runCommand() *cobra.Command {
	var vaults []string
	var port int
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the engine in the foreground",
		Long:  "Watches your vaults and answers the markers in their notes, until Ctrl-C.\nThe variable WIKI_VAULTS names vaults too: paths separated by " + pathSeparator() + ", as in PATH.",
		Args:  takesNone,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if port < 0 || port > 65535 {
				return usage("give a number from 1 to 65535, or 0 for a free port", "--port %d is not a port", port)
			}
			opts := a.hostOptions()
			if cmd.Flags().Changed("port") {
				opts.Port = &port
			}
			if opts.Vaults, err = namedVaults(vaults); err != nil {
				return err
			}
			err = host.Run(cmd.Context(), opts)
			if taken, ok := errors.AsType[*listen.Taken](err); ok && taken.Ours != nil {
				a.alreadyRuns(taken.Ours)
				return nil
			}
			if other, ok := errors.AsType[*client.OtherState](err); ok {
				return otherState(other, "end that engine, or take another port: wiki run --port %d", installer.SuggestPort(other.Port))
			}
			return err
		},
	}
	cmd.Flags().StringArrayVar(&vaults, "vault", nil, "watch this `folder` instead of the configured vaults (repeatable)")
	cmd.Flags().IntVar(&port, "port", 0, "`port` of the loopback server instead of wiki.httpPort; 0 takes a free one")
	return cmd
}

// demoCommand shows the product at work, on a vault of its own.
func (a *app) demoCommand() *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Answer the questions of a sample vault",
		Long:  "Unpacks a sample vault into a temporary folder, runs the engine on it, saves a\nnote with questions and shows the answers. Your own files are not touched.",
		Args:  takesNone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := demo.Run(cmd.Context(), demo.Options{Keep: keep, RunEngine: runTemporary, Problems: a.stderr, Show: a.show, HasColour: hasColour,
				OutputError: func() error { return a.stdout.err }})
			if errors.Is(err, demo.ErrSlow) {
				return fail("run it again when the computer has less to do", "%w", err)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "leave the folder and the engine running, so that you can try it")
	return cmd
}

// hostOptions are what the engine of this process says on standard error.
func (a *app) hostOptions() host.Options {
	warn := func(text string) { printable.Fprintf(a.stderr, "wiki: %s\n", text) }
	warnAll := func(notices []api.Notice) {
		for _, n := range notices {
			warn(report.NoticeText(n))
		}
	}
	return host.Options{
		ConfigFile: a.configFile, Version: version(), Output: a.stderr, Tools: a.dashboardTools,
		Warn: warn, OldMarkers: a.printOldMarkers, News: (&report.NewsPrinter{To: a.stderr}).Print, Attend: a.showIndexing,
		Started: func(cfg config.Config, port int, notices []api.Notice) {
			a.greet(cfg, port)
			warnAll(notices)
		},
		Reloaded: func(notices []api.Notice) {
			warn("the configuration has changed and was taken up")
			warnAll(notices)
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
			return nil, fail("name an existing folder of notes", "there is no folder %s", folders[i])
		}
	}
	vaults, err := config.NewVaults(paths...)
	if err != nil {
		return nil, usage("give each folder once", "%w", err)
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
func (a *app) printOldMarkers(vault string, markers int) {
	printable.Fprintf(a.stderr, "wiki: %s were in %s before it was first watched and wait for you; new ones are answered\n", wording.Count(markers, "marker"), vault)
	printable.Fprintf(a.stderr, "hint: wiki release --all starts them, wiki held lists them\n")
}

// alreadyRuns says that our own engine runs; there is nothing to do, which is no
// error.
func (a *app) alreadyRuns(s *api.Status) {
	printable.Fprintf(a.stderr, "wiki: the engine is already running with pid %d on port %d\n", s.PID, s.Port)
	names := make([]string, len(s.Vaults))
	for i, v := range s.Vaults {
		names[i] = v.Path
	}
	if len(names) > 0 {
		printable.Fprintf(a.stderr, "hint: it watches %s; wiki status shows more\n", strings.Join(names, ", "))
	}
}

// greet says what the engine watches and how to end it.
func (a *app) greet(cfg config.Config, port int) {
	paths := make([]string, len(cfg.Vaults))
	for i, v := range cfg.Vaults {
		paths[i] = v.Path
	}
	for i, e := range patience.Look(paths...) {
		switch {
		case cfg.Vaults[i].Paused:
			printable.Fprintf(a.stderr, "wiki: %s is paused\n", e.Named)
		case e.Silent:
			printable.Fprintf(a.stderr, "wiki: %s does not respond now; it is watched when it does\n", e.Named)
		case e.Err != nil:
			printable.Fprintf(a.stderr, "wiki: %s is not there now; it is watched when it appears\n", e.Named)
		default:
			printable.Fprintf(a.stderr, "wiki: watching %s\n", e.Named)
		}
	}
	if len(cfg.Vaults) == 0 {
		printable.Fprintln(a.stderr, "wiki: no vault is configured, so there is nothing to watch")
		printable.Fprintln(a.stderr, "hint: wiki setup chooses your folders of notes, and this engine takes them up")
	}
	printable.Fprintf(a.stderr, "wiki: listening on http://127.0.0.1:%d; Ctrl-C ends the engine\n", port)
}
