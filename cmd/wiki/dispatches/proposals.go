package dispatches

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
)

// Proposed lists what waits for a yes.
func Proposed(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "proposed",
		Short: "List answers that wait for your approval, with their diffs",
		Long:  "Shows every answer that is not in its note yet because you approve it first, and what it would\nchange there: wiki.approve.by, approve of a role, or a ! behind the role of a question asks for that.",
		RunE:  command.Showing(a, (*client.Client).Proposed, report.PrintProposed),
	}
}

// Accept has a proposal written.
func Accept(a *command.App) *cobra.Command {
	var req api.AcceptRequest
	var text string
	cmd := &cobra.Command{
		Use:   "accept ID",
		Short: "Write a proposed answer into its note",
		Long: "Shows what a proposed answer changes in its note, and writes exactly that once you say yes. With\n" +
			"--text your own words are written in place of the answer. Where no terminal can ask you, the command\n" +
			"prints the --seen to confirm with.",
		Args: command.TakesExactly(1, "wiki proposed lists them"),
		RunE: a.Asking(func(ctx context.Context, client *client.Client, args []string) error {
			id, err := wholeID(ctx, client.Dispatches, args[0])
			if err != nil {
				return err
			}
			return acceptOne(ctx, a, client, id, req)
		}),
		PreRunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("text") {
				return nil
			}
			if req.Text = &text; strings.TrimSpace(text) == "" {
				return command.Usage("wiki accept "+args[0]+" writes the answer, wiki reject "+args[0]+" leaves it out", "--text is empty, so there is nothing to write in place of the answer")
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&text, "text", "", "write this `text` in place of the answer")
	cmd.Flags().StringVar(&req.Seen, "seen", "", "confirm that you have read what was shown, by the `proof` printed with it")
	return cmd
}

// acceptOne shows a proposal, unless it was shown before, and has it written.
func acceptOne(ctx context.Context, a *command.App, client *client.Client, id string, req api.AcceptRequest) error {
	if req.Seen == "" {
		list, err := client.Proposed(ctx)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(list, func(p api.Proposal) bool { return p.ID == id })
		if i >= 0 && list[i].Problem != "" {
			return command.Fail("wiki proposed shows it when that is over", "%s", list[i].Problem)
		}
		if i >= 0 {
			show := func(w io.Writer) {
				report.PrintProposed(w, list[i:i+1])
				if req.Text != nil {
					printable.Fprintf(w, "and in place of the answer:\n%s\n", printable.Text(*req.Text))
				}
			}
			if err := askAfter(ctx, a, show, "Write it?", "accepted",
				printable.Sprintf("wiki accept %s --seen %s writes it, once you have read that", id, list[i].Seen)); err != nil {
				return err
			}
			req.Seen = list[i].Seen
		} else {
			req.Seen = "none" // the engine says why it is no proposal
		}
	}
	d, err := client.Accept(ctx, id, req)
	if problem, ok := errors.AsType[*api.StatusError](err); ok && problem.Code == "changed" {
		return command.Fail("wiki accept "+id+" shows it as it is now", "the note has changed, so %s would change it in another way than you have seen; nothing was written", id)
	}
	return command.ShowFound(a, d, knownDispatch(err, id), func(w io.Writer, d api.Dispatch) { printable.Fprintln(w, report.StatusNow(d)) })
}

// Reject ends a proposal.
func Reject(a *command.App) *cobra.Command {
	var because string
	cmd := &cobra.Command{
		Use:   "reject ID",
		Short: "Reject a proposed answer; --because asks again with your reason",
		Long:  "Ends a proposal; its note stays as it is, and so does the question, which is not asked again until\nits line changes or you use wiki retry. With --because the agent is asked again at once, and told\nits answer and your reason.",
		Args:  command.TakesExactly(1, "wiki proposed lists them"),
		RunE: acting(a, func(client *client.Client, ctx context.Context, id string) (api.Dispatch, error) {
			return client.Reject(ctx, id, because)
		}, report.StatusNow),
	}
	cmd.Flags().StringVar(&because, "because", "", "ask again, with this `reason`")
	return cmd
}
