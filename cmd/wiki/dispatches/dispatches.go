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
	"vaultdispatcher/engine/api/rows"
	"vaultdispatcher/engine/wording"
)

// List shows the history.
func List(a *command.App) *cobra.Command {
	var filter api.Filter
	status := ""
	cmd := &cobra.Command{
		Use:   "dispatches",
		Short: "List questions and their state, newest first",
		Long: "Lists questions and their state, newest first. A terminal shows the ends of their IDs: each command that\n" +
			"takes an ID takes its end or its beginning too, where no other has the same.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if filter.Status, err = parseStatus(status); err != nil {
				return err
			}
			if err := command.CheckRange("limit", filter.Limit, 1, api.MostListed); err != nil {
				return err
			}
			return a.Ask(cmd.Context(), func(ctx context.Context, client *client.Client) error {
				list, err := listDispatches(ctx, client, filter)
				return command.ShowFound(a, list, err, func(w io.Writer, list []api.Dispatch) { report.PrintDispatches(w, list, filter) })
			})
		},
	}
	cmd.Flags().StringVar(&status, "status", "", "only those of this `status`, as the list words it: unanswered, 'waiting for you'")
	cmd.Flags().StringVar(&filter.Query, "query", "", "only those whose note, role or instruction has this `text`")
	cmd.Flags().IntVar(&filter.Limit, "limit", 50, "at most this `number`")
	withTask := false
	show := &cobra.Command{
		Use:   "show ID",
		Short: "Show one dispatch with its answers and steps",
		Args:  command.TakesExactly(1, "wiki dispatches lists them"),
		RunE: a.Asking(func(ctx context.Context, client *client.Client, args []string) error {
			id, err := wholeID(ctx, client.Dispatches, args[0])
			if err != nil {
				return err
			}
			d, err := client.Dispatch(ctx, id)
			return command.ShowFound(a, d, knownDispatch(err, id), func(w io.Writer, d api.Detail) { report.PrintDetail(w, d, withTask) })
		}),
	}
	show.Flags().BoolVar(&withTask, "task", false, "also show the task, which is what the agent was sent, and what was written")
	cmd.AddCommand(show)
	return cmd
}

// parseStatus returns the status that a word of --status means.
func parseStatus(word string) (string, error) {
	known := api.StatusWords[1:] // without the first, which is for notes that settle
	status := wording.FindStatus(word, append(known, wording.NoResult, wording.Undone))
	if status == "" && word != "" {
		return "", command.Usage("write one of "+strings.Join(wording.StatusWords(known), ", "), "--status %s is no status of a dispatch", word)
	}
	return status, nil
}

// listDispatches returns the newest dispatches with a question of the status, or of a word that one of the engine's has besides.
func listDispatches(ctx context.Context, client *client.Client, filter api.Filter) ([]api.Dispatch, error) {
	status := wording.StatusOf(filter.Status)
	if status != "done" && status != "cancelled" {
		return client.Dispatches(ctx, filter)
	}
	list, err := client.Dispatches(ctx, api.Filter{Status: status, Query: filter.Query, Limit: api.MostListed})
	list = slices.DeleteFunc(list, func(d api.Dispatch) bool {
		return !slices.ContainsFunc(rows.Of(d, filter.Query), func(q rows.Question) bool { return q.IsOf(filter.Status) })
	})
	return list[:min(len(list), filter.Limit)], err
}

// How long an ID is, how much of one names it, and how many are named where several have that.
const idLength, leastOfID, mostNamed = 13, 4, 5

// wholeID returns the ID of the only listed dispatch that begins or ends so. A text of none is returned as it is.
func wholeID(ctx context.Context, list func(context.Context, api.Filter) ([]api.Dispatch, error), part string) (string, error) {
	if len(part) >= idLength || len(part) < leastOfID {
		return part, nil
	}
	all, err := list(ctx, api.Filter{Limit: api.MostListed})
	if err != nil {
		return "", err
	}
	var ids []string
	for _, d := range all {
		ids = append(ids, d.ID)
	}
	return onlyID(ids, part)
}

// onlyID returns the only ID that begins or ends so, or the text where none does.
func onlyID(ids []string, part string) (string, error) {
	ids = slices.DeleteFunc(ids, func(id string) bool { return !strings.HasPrefix(id, part) && !strings.HasSuffix(id, part) })
	switch len(ids) {
	case 0:
		return part, nil
	case 1:
		return ids[0], nil
	}
	return "", command.Fail("write one of them: "+strings.Join(ids[:min(len(ids), mostNamed)], ", "), "%d IDs begin or end with %s", len(ids), part)
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
