package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
)

// action is what a command does to a dispatch.
type action func(*client.Client, context.Context, string) (api.Dispatch, error)

// cancelCommand ends a dispatch, or the waiting of a parked answer.
func (a *app) cancelCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "cancel ID",
		Short: "Cancel a dispatch; its marker stays in the note",
		Long:  "Ends a dispatch that is queued, running, failed or held; its marker stays in the note\nand is not asked again until its line changes or you use wiki retry. A parked\nanswer leaves the list of wiki answers; wiki dispatches show still has its text.",
		Args:  takesExactly(1, "wiki dispatches lists them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.actOn(cmd, args[0], (*client.Client).Cancel)
		},
	}
}

// retryCommand runs what has failed again.
func (a *app) retryCommand() *cobra.Command {
	return a.oneOrAll("retry", "Run a failed, held or waiting dispatch now", "failed", (*client.Client).Retry)
}

// releaseCommand starts what waits for a person.
func (a *app) releaseCommand() *cobra.Command {
	return a.oneOrAll("release", "Start what is held", "held", (*client.Client).Release)
}

// undoCommand takes answers out of a note.
func (a *app) undoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "undo ID",
		Short: "Replace answers with their markers again",
		Long:  "Replaces the answers of a dispatch with their markers again; other changes of the note\nstay. It is possible for 7 days, and only if the answers were not edited. The markers\nare not asked again until their line changes; wiki retry writes the same answers again.",
		Args:  takesExactly(1, "wiki dispatches lists them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.actOn(cmd, args[0], (*client.Client).Undo)
		},
	}
}

// oneOrAll is a command for one dispatch, or for all of a status.
func (a *app) oneOrAll(verb, short, status string, act action) *cobra.Command {
	var all bool
	var vault string
	cmd := &cobra.Command{
		Use:   verb + " ID",
		Short: short,
		Args: func(cmd *cobra.Command, args []string) error {
			if all || vault != "" {
				return takesNone(cmd, args)
			}
			return takesExactly(1, "wiki dispatches lists them")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if all || vault != "" {
				return a.actOnAll(cmd, verb, status, vault, act)
			}
			return a.actOn(cmd, args[0], act)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all dispatches that are "+status)
	cmd.Flags().StringVar(&vault, "vault", "", "all of the vault of this `name` that are "+status)
	return cmd
}

func (a *app) actOn(cmd *cobra.Command, id string, act action) error {
	return a.withClient(cmd, func(ctx context.Context, client *client.Client) error {
		d, err := act(client, ctx, id)
		if err != nil {
			return knownDispatch(err, id)
		}
		return a.show(d, func(w io.Writer) { fmt.Fprintln(w, statusNow(d)) })
	})
}

// statusNow says what a dispatch is now, and why if there is a reason.
func statusNow(d api.Dispatch) string {
	if d.Error == "" {
		return d.ID + " is " + d.Status
	}
	return d.ID + " is " + d.Status + ": " + d.Error
}

// actOnAll acts on all of a status, one list of them after the other. What cannot be
// acted on is told and keeps nothing else from it.
func (a *app) actOnAll(cmd *cobra.Command, verb, status, vault string, act action) error {
	return a.withClient(cmd, func(ctx context.Context, client *client.Client) error {
		b := batch{vault: vault, seen: make(map[string]bool), done: []api.Dispatch{}, refused: func(d api.Dispatch, why string) {
			fmt.Fprintf(a.stderr, "wiki: %s in %s: %s\n", d.ID, d.File, texts.InOurVoice(why))
		}}
		err := b.run(api.MostListed,
			func() ([]api.Dispatch, error) {
				return client.Dispatches(ctx, api.Filter{Status: status, Limit: api.MostListed})
			},
			func(id string) (api.Dispatch, error) { return act(client, ctx, id) })
		if err != nil {
			return err
		}
		if b.left {
			fmt.Fprintf(a.stderr, "wiki: only the newest %d that are %s were looked at; wiki dispatches lists them\n", api.MostListed, status)
		}
		err = a.show(b.done, func(w io.Writer) {
			for _, d := range b.done {
				fmt.Fprintln(w, statusNow(d))
			}
			if len(b.seen) == 0 {
				fmt.Fprintf(w, "nothing is %s\n", status)
			}
		})
		if refused := len(b.seen) - len(b.done); err == nil && refused > 0 {
			err = fail("wiki status shows what each waits for", "%d dispatches could not be %s", refused, past[verb])
		}
		return err
	})
}

// batch is many dispatches that are acted on.
type batch struct {
	vault   string // "" = of every vault
	seen    map[string]bool
	done    []api.Dispatch
	left    bool // older ones were not reached, for those that cannot be acted on fill the list
	refused func(d api.Dispatch, why string)
}

// run acts on what is listed, the oldest first, so that they run in the order they were
// asked, and then on what a list of at most so many had no room for.
func (b *batch) run(most int, list func() ([]api.Dispatch, error), act func(id string) (api.Dispatch, error)) error {
	for {
		listed, err := list()
		if err != nil {
			return err
		}
		known := len(b.seen)
		for _, d := range slices.Backward(listed) {
			if b.seen[d.ID] || b.vault != "" && d.Vault != b.vault {
				continue
			}
			b.seen[d.ID] = true
			now, err := act(d.ID)
			switch problem, ok := errors.AsType[*api.StatusError](err); {
			case err == nil:
				b.done = append(b.done, now)
			case ok && problem.Code == "conflict":
				b.refused(d, problem.Text)
			default:
				return err
			}
		}
		if b.left = len(listed) >= most; !b.left || len(b.seen) == known {
			return nil
		}
	}
}

// past is what was done to a dispatch.
var past = map[string]string{"retry": "retried", "release": "released"}

// answersCommand shows the answers that found no place.
func (a *app) answersCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "answers",
		Short: "List answers whose place in the note is gone",
		Long:  "Shows every answer that is in no note, because its marker or its note is gone.\nCopy what you need; wiki cancel ID takes it off the list.",
		Args:  takesNone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withClient(cmd, func(ctx context.Context, client *client.Client) error {
				list, err := client.Answers(ctx)
				if err != nil {
					return err
				}
				return a.show(list, func(w io.Writer) { printAnswers(w, list) })
			})
		},
	}
}

func printAnswers(w io.Writer, list []api.Parked) {
	if len(list) == 0 {
		fmt.Fprintln(w, "no answer is parked")
		return
	}
	for _, p := range list {
		fmt.Fprintf(w, "%s  %s  %s: %s\n", p.ID, p.File, p.Key, p.Error)
		for _, answer := range p.Answers {
			if !answer.Written {
				fmt.Fprintf(w, "\nline %d: %s\n%s\n", answer.Line, answer.Instruction, answer.Answer)
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "wiki cancel ID takes an answer off this list")
}
