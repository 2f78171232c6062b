package main

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
)

// watcherCommand switches and shows the watching of the vaults.
func (a *app) watcherCommand() *cobra.Command {
	return groupCommands("watcher", "Start or stop watching your vaults, or show how they are watched",
		a.switchCommand("start", "Watch the vaults", true),
		a.switchCommand("stop", "Stop watching until the engine restarts; scans and running work go on", false),
		&cobra.Command{
			Use:   "status",
			Short: "Show whether and how each vault is watched",
			Args:  takesNone,
			RunE: func(cmd *cobra.Command, _ []string) error {
				s, err := a.askStatus(cmd)
				return showFound(a, watcherStatus{Watcher: s.Watcher, Vaults: s.Vaults}, err, func(w io.Writer, _ watcherStatus) {
					printable.Fprintf(w, "watcher %s\n", report.WatcherState(s.Watcher))
					report.PrintVaults(w, s)
				})
			},
		})
}

// watcherStatus is what `wiki watcher status --json` prints.
type watcherStatus struct {
	api.Watcher
	Vaults []api.Vault `json:"vaults"`
}

func (a *app) switchCommand(name, short string, on bool) *cobra.Command {
	var req api.WatcherRequest
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Args:  takesNone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if d, err := time.ParseDuration(req.For); req.For != "" && (err != nil || d <= 0) {
				return usage("write a time such as 30m or 1h", "--for %s is no length of time", req.For)
			}
			req.Running = on
			return a.askSoon(cmd, func(ctx context.Context, client *client.Client) error {
				state, err := client.SetWatcher(ctx, req)
				return showFound(a, state, err, func(w io.Writer, state api.Watcher) {
					printable.Fprintf(w, "watcher %s\n", report.WatcherState(state))
				})
			})
		},
	}
	cmd.Flags().StringVar(&req.Vault, "vault", "", "only the vault of this `name`")
	cmd.Flags().StringVar(&req.For, "for", "", "revert after this `time`, e.g. 1h")
	return cmd
}

// serverCommand shows the loopback server.
func (a *app) serverCommand() *cobra.Command {
	return groupCommands("server", "Show the loopback server", &cobra.Command{
		Use:   "status",
		Short: "Show port, uptime, endpoints and vaults; exit status 3 when it is not running",
		Args:  takesNone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.askStatus(cmd)
			answer := serverStatus{Running: true, Port: s.Port, PID: s.PID, Uptime: s.Uptime, Version: s.Version, Endpoints: s.Endpoints, Vaults: s.Vaults}
			return showFound(a, answer, err, func(w io.Writer, _ serverStatus) {
				printable.Fprintf(w, "server running on http://127.0.0.1:%d, up %s, pid %d, version %s\n", s.Port, s.Uptime, s.PID, s.Version)
				printable.Fprintf(w, "  %s\n", printable.Text(strings.Join(s.Endpoints, "\n  ")))
				report.PrintVaults(w, s)
			})
		},
	})
}

// serverStatus is what `wiki server status --json` prints.
type serverStatus struct {
	Running   bool        `json:"running"`
	Port      int         `json:"port"`
	PID       int         `json:"pid"`
	Uptime    string      `json:"uptime"`
	Version   string      `json:"version"`
	Endpoints []string    `json:"endpoints"`
	Vaults    []api.Vault `json:"vaults"`
}
