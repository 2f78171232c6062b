package dispatches

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/wording"
)

// Held lists what waits for a person.
func Held(a *command.App) *cobra.Command {
	var some api.HeldScope
	cmd := &cobra.Command{
		Use:   "held",
		Short: "List questions that wait for you, and how to release them",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if some.Kind != "" && !api.IsHeldKind(some.Kind) {
				return command.Usage("use old, limit, budget, burst or untrusted", "%q is no kind of what waits for you", some.Kind)
			}
			return a.Ask(cmd.Context(), func(ctx context.Context, client *client.Client) error {
				list, err := client.Held(ctx, some)
				return command.ShowFound(a, list, err, func(w io.Writer, list api.HeldList) { report.PrintHeld(w, some, list) })
			})
		},
	}
	cmd.Flags().StringVar(&some.Kind, "kind", "", "only this `kind`: old, limit, budget, burst or untrusted")
	scopeFlags(cmd, &some)
	return cmd
}

func scopeFlags(cmd *cobra.Command, some *api.HeldScope) {
	cmd.Flags().StringVar(&some.Vault, "vault", "", "only what is in the vault of this `name`")
	cmd.Flags().StringVar(&some.Note, "note", "", "only what is in this `note`, by its path in the vault")
	cmd.Flags().StringVar(&some.Folder, "folder", "", "only what is in this `folder` of the vault and those below it")
}

// Release starts what waits for a person.
func Release(a *command.App) *cobra.Command {
	var some selection
	cmd := &cobra.Command{
		Use:   "release ID|--all|--kind KIND",
		Short: "Start questions that wait for you",
		Long: "Starts questions that wait for you. wiki held lists them, by the reason why they wait:\n" +
			"  old        stood in the vault before it was first watched\n" +
			"  limit      is over a limit of the configuration\n" +
			"  budget     is over what may be used today; it starts by itself after midnight\n" +
			"  burst      came at once with many others\n" +
			"  untrusted  came with a note from elsewhere\n" +
			"--all starts those of the kinds old and limit. A burst is listed first, and you are asked; --note\n" +
			"and --folder start a part of it. An untrusted question is started alone, by its ID, once you have\n" +
			"seen its whole text. Where no terminal can ask you, the command prints the --seen to confirm with.",
		Args: func(cmd *cobra.Command, args []string) error {
			if !some.isSome() {
				return command.TakesExactly(1, "wiki held lists them")(cmd, args)
			}
			if err := some.check(); err != nil {
				return err
			}
			return command.TakesNone(cmd, args)
		},
		RunE: a.Asking(func(ctx context.Context, client *client.Client, args []string) error {
			if some.isSome() {
				return releaseSome(ctx, a, client, some.ReleaseRequest)
			}
			id, err := wholeID(ctx, client.Dispatches, args[0])
			if err != nil {
				return err
			}
			return releaseOne(ctx, a, client, id, some.Seen)
		}),
	}
	cmd.Flags().BoolVar(&some.whole, "all", false, "all that waits for you as old or limit")
	cmd.Flags().StringVar(&some.Kind, "kind", "", "all that waits for you as this `kind`: old, limit, budget or burst")
	cmd.Flags().StringVar(&some.Seen, "seen", "", "confirm that you have read what was shown, by the `proof` printed with it")
	scopeFlags(cmd, &some.HeldScope)
	return cmd
}

// selection is which of the held dispatches are released.
type selection struct {
	whole bool
	api.ReleaseRequest
}

// isSome reports whether several are meant, and not one by its id.
func (s selection) isSome() bool { return s.whole || s.HeldScope != api.HeldScope{} }

func (s selection) check() error {
	switch {
	case s.Kind == "untrusted":
		return command.Usage("wiki release ID shows one whole and starts it; wiki held --kind untrusted lists them",
			"what came with a note from elsewhere is released one by one")
	case s.Kind != "" && !slices.Contains([]string{"old", "limit", "budget", "burst"}, s.Kind):
		return command.Usage("use old, limit, budget or burst", "%q is no kind that is released together", s.Kind)
	case s.whole && s.Kind != "":
		return command.Usage("leave one of them out", "--all and --kind exclude each other")
	}
	return nil
}

// releaseOne starts one dispatch. It shows a text from elsewhere first.
func releaseOne(ctx context.Context, a *command.App, client *client.Client, id, seen string) error {
	d, err := client.Dispatch(ctx, id)
	if err == nil && seen == "" && d.Reading != nil && api.KindOf(d.Dispatch).Kind == "untrusted" {
		if err := askAfter(ctx, a, func(w io.Writer) { report.PrintReading(w, d) }, "Release it?", "released",
			printable.Sprintf("wiki release %s --seen %s starts it, once you have read that", id, d.Reading.Seen)); err != nil {
			return err
		}
		seen = d.Reading.Seen
	}
	var now api.Dispatch
	if err == nil {
		now, err = client.Release(ctx, id, seen)
	}
	return command.ShowFound(a, now, knownDispatch(err, id), func(w io.Writer, d api.Dispatch) { printable.Fprintln(w, report.StatusNow(d)) })
}

// releaseSome starts several dispatches and says what is left. A burst is listed before.
func releaseSome(ctx context.Context, a *command.App, client *client.Client, req api.ReleaseRequest) error {
	if req.Kind == "burst" && req.Seen == "" {
		list, err := client.Held(ctx, req.HeldScope)
		if err != nil {
			return err
		}
		for _, g := range list.Kinds {
			if err := askAfter(ctx, a, func(w io.Writer) { report.PrintHeld(w, req.HeldScope, list) }, "Release "+wording.Count(g.Questions, "question")+"?", "released",
				"the same command with --seen "+g.Seen+" starts what is listed, and nothing that comes later"); err != nil {
				return err
			}
			req.Seen = g.Seen
		}
	}
	done, err := client.ReleaseHeld(ctx, req)
	if err != nil {
		return err
	}
	for _, r := range done.Refused {
		tellRefused(a, r.Dispatch, r.Reason)
	}
	if err = a.Show(done, func(w io.Writer) { report.PrintReleased(w, done) }); err == nil && len(done.Refused) > 0 {
		err = notAll(len(done.Refused), "released")
	}
	return err
}

// askAfter shows something and asks the person at the terminal whether to act on it. Without a terminal it fails with
// hint, the next step.
func askAfter(ctx context.Context, a *command.App, show func(w io.Writer), question, done, hint string) error {
	if !a.JSON {
		if show(a.Stdout); a.Stdout.Err() != nil {
			return a.Stdout.Err()
		}
	}
	if !a.CanAsk() {
		return command.Fail(hint, "you must read it before it is %s, and there is no terminal to ask you", done)
	}
	if yes, err := a.Confirm(ctx, question); err != nil || yes {
		return err
	}
	return command.Fail("it waits for you as before", "nothing was %s", done)
}
