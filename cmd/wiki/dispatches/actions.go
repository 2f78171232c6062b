package dispatches

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
)

// action is what a command does to a dispatch.
type action func(*client.Client, context.Context, string) (api.Dispatch, error)

// Cancel ends a dispatch, or the waiting of a kept answer.
func Cancel(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "cancel ID",
		Short: "Cancel a dispatch; its marker stays in the note",
		Long:  "Ends a dispatch that waits, is at work or unanswered; its marker stays in the note\nand is not asked again until its line changes or you use wiki retry. A kept\nanswer leaves the list of wiki answers; wiki dispatches show still has its text.",
		Args:  takesID,
		RunE:  acting(a, (*client.Client).Cancel, report.StatusNow, "queued", "processing", "failed", "held"),
	}
}

// Retry runs what has failed again.
func Retry(a *command.App) *cobra.Command {
	var all, fresh bool
	var vault string
	cmd := &cobra.Command{
		Use:   "retry ID",
		Short: "Run an unanswered or waiting dispatch now",
		Long:  "Runs a dispatch now. If it has an answer already, that is written and no agent is asked. With\n--fresh the agent is asked anew; an answer in the note stays until the new one is there.",
		Args: func(cmd *cobra.Command, args []string) error {
			if all || vault != "" {
				return command.TakesNone(cmd, args)
			}
			return takesID(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if all || vault != "" {
				return retryAll(a, cmd, func(d api.Dispatch) bool { return vault == "" || d.Vault == vault })
			}
			act := retryUnlessDone
			if fresh {
				act = (*client.Client).AskAgain
			}
			return acting(a, act, report.StatusNow, "failed", "queued")(cmd, args)
		},
	}
	cmd.Flags().BoolVar(&fresh, "fresh", false, "ask the agent anew, also where there is an answer")
	cmd.Flags().BoolVar(&all, "all", false, "all failed dispatches")
	cmd.Flags().StringVar(&vault, "vault", "", "all failed dispatches of the vault of this `name`")
	return cmd
}

// retryUnlessDone retries a dispatch. Of one that is done it names what asks anew.
func retryUnlessDone(client *client.Client, ctx context.Context, id string) (api.Dispatch, error) {
	d, err := client.Retry(ctx, id)
	if problem, ok := errors.AsType[*api.StatusError](err); ok && problem.Code == "conflict" {
		if now, failed := client.Dispatch(ctx, id); failed == nil && now.Status == "done" {
			return d, command.Fail("wiki retry --fresh "+id+" asks the agent anew", "%s is done", id)
		}
	}
	return d, err
}

// Undo takes answers out of a note.
func Undo(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "undo ID",
		Short: "Replace answers with their markers again",
		Long:  "Replaces the answers of a dispatch with their markers again; other changes of the note\nstay. It is possible for 7 days, and only if the answers were not edited. The markers\nare not asked again until their line changes; wiki retry writes the same answers again.",
		Args:  takesID,
		RunE:  acting(a, (*client.Client).Undo, report.UndoneText, "done"),
	}
}

// takesID is for commands that act on one dispatch; without an ID they name some.
func takesID(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return command.TakesExactly(1, "wiki dispatches lists them")(cmd, args)
}

// acting is the run of a command that acts on the dispatch it names and says what came of it. Without a name it lists the
// newest of the states that it can act on.
func acting(a *command.App, act action, describe func(api.Dispatch) string, statuses ...string) command.Run {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return offerNewest(a, cmd, statuses)
		}
		return a.Ask(cmd.Context(), func(ctx context.Context, client *client.Client) error {
			id, err := wholeID(ctx, client.Dispatches, args[0])
			if err != nil {
				return err
			}
			d, err := act(client, ctx, id)
			return command.ShowFound(a, d, knownDispatch(err, id), func(w io.Writer, d api.Dispatch) { printable.Fprintln(w, describe(d)) })
		})
	}
}

// mostOffered is how many dispatches a command names that was given none.
const mostOffered = 5

// offerNewest lists the newest dispatches of some states, and says that the command wants the ID of one.
func offerNewest(a *command.App, cmd *cobra.Command, statuses []string) error {
	missing := command.TakesExactly(1, "wiki dispatches lists them")(cmd, nil)
	var list []api.Dispatch
	err := a.Quiet().AskSoon(cmd.Context(), func(ctx context.Context, client *client.Client) error {
		for _, status := range statuses {
			found, err := client.Dispatches(ctx, api.Filter{Status: status, Limit: mostOffered})
			if err != nil {
				return err
			}
			list = append(list, found...)
		}
		return nil
	})
	if err != nil || len(list) == 0 || a.JSON {
		return missing
	}
	slices.SortStableFunc(list, func(x, y api.Dispatch) int { return y.CreatedAt.Compare(x.CreatedAt) })
	report.PrintDispatches(&command.Output{W: a.Stderr}, list[:min(len(list), mostOffered)], api.Filter{})
	return command.Usage("write "+cmd.CommandPath()+" and the ID of one of these; wiki dispatches lists the others", "%s takes an ID", cmd.CommandPath())
}

// retryAll retries all that has failed and is wanted, one list of it after the other. What cannot be
// retried is told and keeps nothing else from it.
func retryAll(a *command.App, cmd *cobra.Command, wanted func(api.Dispatch) bool) error {
	return a.Ask(cmd.Context(), func(ctx context.Context, client *client.Client) error {
		b := batch{wanted: wanted, visited: make(map[string]bool), results: []api.Dispatch{}, refused: func(d api.Dispatch, why string) { tellRefused(a, d, why) }}
		err := b.run(api.MostListed,
			func() ([]api.Dispatch, error) {
				return client.Dispatches(ctx, api.Filter{Status: "failed", Limit: api.MostListed})
			},
			func(id string) (api.Dispatch, error) { return client.Retry(ctx, id) })
		if err != nil {
			return err
		}
		if b.partial {
			a.Say("only the newest %d that are failed were looked at; wiki dispatches lists them", api.MostListed)
		}
		err = a.Show(b.results, func(w io.Writer) {
			for _, d := range b.results {
				printable.Fprintln(w, report.StatusNow(d))
			}
			switch {
			case len(b.visited) > 0:
			case b.unwanted > 0:
				printable.Fprintf(w, "nothing of this is failed; wiki dispatches --status failed lists %d others\n", b.unwanted)
			default:
				printable.Fprintln(w, "nothing is failed")
			}
		})
		if refused := len(b.visited) - len(b.results); err == nil && refused > 0 {
			err = notAll(refused, "retried")
		}
		return err
	})
}

// tellRefused says why one of many dispatches is as it was.
func tellRefused(a *command.App, d api.Dispatch, why string) {
	a.Say("%s in %s: %s", d.ID, d.Where(), why)
}

func notAll(refused int, done string) error {
	return command.Fail("wiki status shows what each waits for", "%d dispatches could not be %s", refused, done)
}

// batch is many dispatches that are acted on.
type batch struct {
	wanted   func(api.Dispatch) bool // nil = all
	visited  map[string]bool
	unwanted int // of the last list, that are not wanted
	results  []api.Dispatch
	partial  bool // older ones were not reached, for those that cannot be acted on fill the list
	refused  func(d api.Dispatch, why string)
}

// run acts on what is listed, the oldest first, so that they run in the order they were
// asked, and then on what a list of at most so many had no room for.
func (b *batch) run(most int, list func() ([]api.Dispatch, error), act func(id string) (api.Dispatch, error)) error {
	for {
		listed, err := list()
		if err != nil {
			return err
		}
		known := len(b.visited)
		b.unwanted = 0
		for _, d := range slices.Backward(listed) {
			if b.wanted != nil && !b.wanted(d) {
				b.unwanted++
				continue
			}
			if b.visited[d.ID] {
				continue
			}
			b.visited[d.ID] = true
			now, err := act(d.ID)
			switch problem, ok := errors.AsType[*api.StatusError](err); {
			case err == nil:
				b.results = append(b.results, now)
			case ok && problem.Code == "conflict":
				b.refused(d, problem.Text)
			default:
				return err
			}
		}
		if b.partial = len(listed) >= most; !b.partial || len(b.visited) == known {
			return nil
		}
	}
}

// Answers shows the answers that found no place.
func Answers(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "answers",
		Short: "List answers whose place in the note is gone",
		Long:  "Shows every answer that is in no note, because its marker or its note is gone.\nCopy what you need; wiki cancel ID takes it off the list.",
		RunE:  command.Showing(a, (*client.Client).Answers, report.PrintAnswers),
	}
}
