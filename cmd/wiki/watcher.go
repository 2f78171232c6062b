package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
)

// watcherCommand switches and shows the watching of the vaults.
func (a *app) watcherCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "watcher",
		Short: "Start, stop or show the watching of your vaults",
		Args:  takesNone,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		a.switchCommand("start", "Watch the vaults", true),
		a.switchCommand("stop", "Stop watching until the engine restarts; scans and running work go on", false),
		&cobra.Command{
			Use:   "status",
			Short: "Show whether and how each vault is watched",
			Args:  takesNone,
			RunE: func(cmd *cobra.Command, _ []string) error {
				s, err := a.askStatus(cmd)
				if err != nil {
					return err
				}
				answer := watcherStatus{Watcher: s.Watcher, Vaults: s.Vaults}
				return a.show(answer, func(w io.Writer) {
					fmt.Fprintf(w, "watcher %s\n", watcherState(s.Watcher))
					printVaults(w, s)
				})
			},
		})
	return cmd
}

// watcherStatus is what `wiki watcher status --json` prints.
type watcherStatus struct {
	api.Watcher
	Vaults []api.Vault `json:"vaults"`
}

func watcherState(w api.Watcher) string {
	switch {
	case w.Running:
		return "running"
	case w.PausedUntil != nil:
		return "paused until " + clockTime(*w.PausedUntil, time.Now())
	}
	return "stopped"
}

// clockTime is a time to come: of the day where it is today, and with its date otherwise.
func clockTime(t, now time.Time) string {
	t = t.Local()
	if t.Format(time.DateOnly) == now.Local().Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
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
				if err != nil {
					return err
				}
				return a.show(state, func(w io.Writer) {
					fmt.Fprintf(w, "watcher %s\n", watcherState(state))
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
	cmd := &cobra.Command{
		Use:   "server",
		Short: "Show the loopback server",
		Args:  takesNone,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "status",
		Short: "Show port, uptime, endpoints and vaults; exit status 3 when it is not running",
		Args:  takesNone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.askStatus(cmd)
			if err != nil {
				return err
			}
			answer := serverStatus{Running: true, Port: s.Port, PID: s.PID, Uptime: s.Uptime, Version: s.Version, Endpoints: s.Endpoints, Vaults: s.Vaults}
			return a.show(answer, func(w io.Writer) {
				fmt.Fprintf(w, "server running on http://127.0.0.1:%d, up %s, pid %d, version %s\n", s.Port, s.Uptime, s.PID, s.Version)
				fmt.Fprintf(w, "  %s\n", strings.Join(s.Endpoints, "\n  "))
				printVaults(w, s)
			})
		},
	})
	return cmd
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

func onOff(on bool, yes, no string) string {
	if on {
		return yes
	}
	return no
}
