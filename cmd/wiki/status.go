package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/wording"
)

// statusCommand says in one screen what is going on.
func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show vaults, running tasks and what needs you",
		Args:  takesNone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.askStatus(cmd)
			if err != nil {
				return err
			}
			return a.show(s, func(w io.Writer) { printStatus(w, s) })
		},
	}
}

// answerTime is how long a command waits for what the engine has in memory.
const answerTime = 2 * time.Second

// askStatus asks the engine what it is doing.
func (a *app) askStatus(cmd *cobra.Command) (s api.Status, err error) {
	err = a.askSoon(cmd, func(ctx context.Context, client *client.Client) error {
		s, err = client.Status(ctx)
		return err
	})
	return s, err
}

// askSoon asks the engine for what it can answer at once.
func (a *app) askSoon(cmd *cobra.Command, ask func(context.Context, *client.Client) error) error {
	return a.withClient(cmd, func(ctx context.Context, client *client.Client) error {
		ctx, cancel := context.WithTimeout(ctx, answerTime)
		defer cancel()
		return ask(ctx, client)
	})
}

func printStatus(w io.Writer, s api.Status) {
	fmt.Fprintf(w, "engine  %s, up %s, pid %d, port %d\n", s.Version, s.Uptime, s.PID, s.Port)
	printVaults(w, s)
	fmt.Fprintf(w, "queue   %s\n", queueLine(s.Queue))
	if s.Queue.Parked > 0 {
		fmt.Fprintf(w, "answers %s; wiki answers shows them\n", fmt.Sprint(s.Queue.Parked, " parked, their places are gone"))
	}
	printAgents(w, s.Agents)
	if s.LastRefused != nil {
		fmt.Fprintf(w, "refused %s: %s\n", s.LastRefused.At.Local().Format(time.DateTime), s.LastRefused.Text)
	}
	for _, n := range s.Notices {
		if !n.Dismissed {
			fmt.Fprintf(w, "note    %s\n", noticeText(n))
		}
	}
	if len(s.Dispatches) > 0 {
		fmt.Fprintln(w)
		printDispatches(w, s.Dispatches[:min(len(s.Dispatches), 10)])
	}
}

// noticeText is a notice and the command that helps.
func noticeText(n api.Notice) string {
	switch {
	case n.Code == api.NoticeHeld && n.Args["count"] == "1":
		return n.Text + "; wiki release --all starts it"
	case n.Code == api.NoticeHeld:
		return n.Text + "; wiki release --all starts them"
	case n.Code == api.NoticeLimit:
		return n.Text + ", wiki retry asks sooner"
	}
	return n.Text
}

func printVaults(w io.Writer, s api.Status) {
	if len(s.Vaults) == 0 {
		fmt.Fprintln(w, "vault   none configured; wiki run --vault ~/Notes watches a folder")
	}
	for _, v := range s.Vaults {
		fmt.Fprintf(w, "vault   %s (%s): %s, %s", v.Name, v.Path, vaultState(v), wording.Count(v.Notes, "note"))
		if v.Watch != "" {
			fmt.Fprintf(w, ", by %s", v.Watch)
		}
		if v.Reason != "" {
			fmt.Fprintf(w, ": %s", v.Reason)
		}
		if v.LastEvent != nil {
			fmt.Fprintf(w, ", last event %s ago", timeSince(*v.LastEvent))
		}
		fmt.Fprintln(w)
	}
	if s.Index.Pending > 0 {
		fmt.Fprintf(w, "index   %s, %d still to be read\n", wording.Count(s.Index.Notes, "note"), s.Index.Pending)
	}
	printEmbedding(w, s.Index.Embedding)
	if s.Index.LastError != "" {
		fmt.Fprintf(w, "index   %s\n", s.Index.LastError)
	}
}

func vaultState(v api.Vault) string {
	if v.State == "paused" && v.PausedUntil != nil {
		return "paused until " + clockTime(*v.PausedUntil, time.Now())
	}
	return v.State
}

// printEmbedding says how far the vectors have come, where there are any.
func printEmbedding(w io.Writer, e api.Embedding) {
	if e.Provider == "none" || e.Provider == "" {
		return
	}
	fmt.Fprintf(w, "meaning %s by %s: %d passages", e.Model, e.Provider, e.Vectors)
	if e.Pending > 0 {
		fmt.Fprintf(w, ", %d still to be embedded", e.Pending)
	}
	fmt.Fprintln(w)
	if e.LastError != "" {
		fmt.Fprintf(w, "meaning %s\n", e.LastError)
	}
}

// queueLine names every count that is not zero.
func queueLine(q api.Queue) string {
	var parts []string
	for _, c := range []struct {
		name string
		n    int
	}{
		{"settling", q.Settling}, {"queued", q.Queued}, {"processing", q.Processing},
		{"done", q.Done}, {"failed", q.Failed}, {"held", q.Held}, {"parked", q.Parked},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.name))
		}
	}
	if len(parts) == 0 {
		return "empty"
	}
	return strings.Join(parts, ", ")
}

// printAgents leaves out the built-in role that no version answers yet; wiki agents
// lists it.
func printAgents(w io.Writer, agents []api.Agent) {
	for _, a := range agents {
		switch {
		case a.Absent:
		case a.Ready:
			fmt.Fprintf(w, "agent   %s: %s\n", a.Role, a.Runner)
		default:
			fmt.Fprintf(w, "agent   %s: %s, not ready: %s\n", a.Role, a.Runner, a.Detail)
		}
	}
}

// printDispatches prints one line each, and why it is not done under it.
func printDispatches(w io.Writer, list []api.Dispatch) {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, d := range list {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\n", d.ID, d.Status, timeSince(d.CreatedAt)+" ago", d.File, d.Key)
		if d.Error != "" && d.Status != "done" {
			fmt.Fprintf(tw, "\t%s\n", d.Error)
		}
	}
	tw.Flush()
}

// timeSince is the time since t in one unit.
func timeSince(t time.Time) string {
	switch d := time.Since(t); {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(max(d, 0).Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	default:
		return fmt.Sprintf("%dd", int(d.Hours()/24))
	}
}

// isIndexing reports whether a vault has not been read to the end yet.
func isIndexing(vaults []api.Vault) bool {
	for _, v := range vaults {
		if v.State == "indexing" {
			return true
		}
	}
	return false
}
