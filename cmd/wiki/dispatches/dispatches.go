// Package dispatches has the commands about questions and their answers: what is listed, started, ended
// and taken back.
package dispatches

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
)

// List shows the history.
func List(a *command.App) *cobra.Command {
	var filter api.Filter
	cmd := &cobra.Command{
		Use:   "dispatches",
		Short: "List questions and their state, newest first",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFilter(filter); err != nil {
				return err
			}
			return a.Ask(cmd.Context(), func(ctx context.Context, client *client.Client) error {
				list, err := client.Dispatches(ctx, filter)
				return command.ShowFound(a, list, err, func(w io.Writer, list []api.Dispatch) { report.PrintDispatches(w, list, filter.Query) })
			})
		},
	}
	cmd.Flags().StringVar(&filter.Status, "status", "", "only those of this `status`, such as failed (unanswered), held (waiting for you) or parked (kept)")
	cmd.Flags().StringVar(&filter.Query, "query", "", "only those whose note, role or instruction has this `text`")
	cmd.Flags().IntVar(&filter.Limit, "limit", 50, "at most this `number`")
	withTask := false
	show := &cobra.Command{
		Use:   "show ID",
		Short: "Show one dispatch with its answers and steps",
		Args:  command.TakesExactly(1, "wiki dispatches lists them"),
		RunE: a.Asking(func(ctx context.Context, client *client.Client, args []string) error {
			d, err := client.Dispatch(ctx, args[0])
			return command.ShowFound(a, d, knownDispatch(err, args[0]), func(w io.Writer, d api.Detail) { report.PrintDetail(w, d, withTask) })
		}),
	}
	show.Flags().BoolVar(&withTask, "task", false, "also show the task: what the agent was sent")
	cmd.AddCommand(show)
	return cmd
}

func checkFilter(f api.Filter) error {
	words := api.StatusWords[1:] // without the first, which is for notes that settle
	if f.Status != "" && !slices.Contains(words, f.Status) {
		return command.Usage("write one of "+strings.Join(words, ", "), "--status %s is no status of a dispatch", f.Status)
	}
	return command.CheckRange("limit", f.Limit, 1, api.MostListed)
}

// knownDispatch adds the next step to what the engine says about one dispatch.
func knownDispatch(err error, id string) error {
	if problem, ok := errors.AsType[*api.StatusError](err); ok && problem.Code == "conflict" {
		return command.Fail("wiki dispatches show "+id+" says more", "%w", err)
	}
	return named(err, "there is no dispatch "+id, "wiki dispatches lists them")
}

// named says in these words that nothing has the name that was given.
func named(err error, none, hint string) error {
	if problem, ok := errors.AsType[*api.StatusError](err); ok && problem.Code == "not_found" {
		return command.Fail(hint, "%s", none)
	}
	return err
}
