package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
)

// dispatchesCommand shows the history.
func (a *app) dispatchesCommand() *cobra.Command {
	var filter api.Filter
	cmd := &cobra.Command{
		Use:   "dispatches",
		Short: "List questions and their state, newest first",
		Args:  takesNone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFilter(filter); err != nil {
				return err
			}
			return a.withClient(cmd, func(ctx context.Context, client *client.Client) error {
				list, err := client.Dispatches(ctx, filter)
				return showFound(a, list, err, func(w io.Writer, list []api.Dispatch) { report.PrintDispatches(w, list, filter.Query) })
			})
		},
	}
	cmd.Flags().StringVar(&filter.Status, "status", "", "only those of this `status`, such as failed (unanswered), held (waiting for you) or parked (kept)")
	cmd.Flags().StringVar(&filter.Query, "query", "", "only those whose note, role or question has the words of this `text`")
	cmd.Flags().IntVar(&filter.Limit, "limit", 50, "at most this `number`")
	cmd.AddCommand(&cobra.Command{
		Use:   "show ID",
		Short: "Show one dispatch with its task, answers and steps",
		Args:  takesExactly(1, "wiki dispatches lists them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withClient(cmd, func(ctx context.Context, client *client.Client) error {
				d, err := client.Dispatch(ctx, args[0])
				return showFound(a, d, knownDispatch(err, args[0]), report.PrintDetail)
			})
		},
	})
	return cmd
}

func checkFilter(f api.Filter) error {
	words := api.StatusWords[1:] // what settles is no dispatch yet
	if f.Status != "" && !slices.Contains(words, f.Status) {
		return usage("write one of "+strings.Join(words, ", "), "--status %s is no status of a dispatch", f.Status)
	}
	return checkRange("limit", f.Limit, 1, api.MostListed)
}

// knownDispatch adds the next step to what the engine says about one dispatch.
func knownDispatch(err error, id string) error {
	problem, ok := errors.AsType[*api.StatusError](err)
	switch {
	case ok && problem.Code == "not_found":
		return fail("wiki dispatches lists them", "there is no dispatch %s", id)
	case !ok || problem.Code != "conflict":
		return err
	}
	return fail("wiki dispatches show "+id+" says more", "%w", err)
}
