package main

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/rows"
)

// statusCommand says in one screen what is going on.
func statusCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show vaults, running tasks and what needs you",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.AskSoon(cmd.Context(), func(ctx context.Context, client *client.Client) error {
				s, err := client.Status(ctx)
				return command.ShowFound(a, s, err, func(w io.Writer, s api.Status) { report.PrintStatus(w, s, rows.CountAll(s)) })
			})
		},
	}
}

// askStatus asks the engine what it is doing.
func askStatus(ctx context.Context, a *command.App) (s api.Status, err error) {
	err = a.AskSoon(ctx, func(ctx context.Context, client *client.Client) error {
		s, err = client.Status(ctx)
		return err
	})
	return s, err
}

// watcherCommand switches and shows the watching of the vaults.
func watcherCommand(a *command.App) *cobra.Command {
	return command.Group("watcher", "Start or stop watching your vaults, or show how they are watched",
		switchCommand(a, "start", "Watch the vaults", true),
		switchCommand(a, "stop", "Stop watching until the engine restarts; scans and running work go on", false),
		&cobra.Command{
			Use:   "status",
			Short: "Show whether and how each vault is watched",
			RunE: func(cmd *cobra.Command, _ []string) error {
				s, err := askStatus(cmd.Context(), a)
				return command.ShowFound(a, watcherStatus{Watcher: s.Watcher, Vaults: s.Vaults}, err, func(w io.Writer, _ watcherStatus) {
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

func switchCommand(a *command.App, name, short string, on bool) *cobra.Command {
	var req api.WatcherRequest
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if d, err := time.ParseDuration(req.Duration); req.Duration != "" && (err != nil || d <= 0) {
				return command.Usage("write a time such as 30m or 1h", "--for %s is no length of time", req.Duration)
			}
			req.Running = on
			return a.AskSoon(cmd.Context(), func(ctx context.Context, client *client.Client) error {
				state, err := client.SetWatcher(ctx, req)
				return command.ShowFound(a, state, err, func(w io.Writer, state api.Watcher) {
					printable.Fprintf(w, "watcher %s\n", report.WatcherState(state))
				})
			})
		},
	}
	cmd.Flags().StringVar(&req.Vault, "vault", "", "only the vault of this `name`")
	cmd.Flags().StringVar(&req.Duration, "for", "", "revert after this `time`, e.g. 1h")
	return cmd
}

// serverCommand shows the loopback server.
func serverCommand(a *command.App) *cobra.Command {
	return command.Group("server", "Show the loopback server", &cobra.Command{
		Use:   "status",
		Short: "Show port, uptime, endpoints and vaults; exit status 3 when it is not running",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := askStatus(cmd.Context(), a)
			answer := serverStatus{Running: true, Port: s.Port, PID: s.PID, Uptime: s.Uptime, Version: s.Version, Endpoints: s.Endpoints, Vaults: s.Vaults}
			return command.ShowFound(a, answer, err, func(w io.Writer, _ serverStatus) {
				printable.Fprintf(w, "server running on http://127.0.0.1:%d, up %s, pid %d, version %s\n", s.Port, report.Uptime(s), s.PID, s.Version)
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
