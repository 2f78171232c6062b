package main

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/notefile"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/patience"
)

// askCommand asks a question outside of all notes.
func askCommand(a *command.App) *cobra.Command {
	var req api.AskRequest
	cmd := &cobra.Command{
		Use:   `ask "QUESTION"`,
		Short: "Ask a question here, without writing it into a note",
		Long: "Asks a question and prints the answer with its sources; no note is touched. Of several vaults it asks\nthat of the folder you are in, else the one whose notes are most about the question. With --note the\n" +
			"question is about a note. --append adds question and answer to the end of that note; without --note,\nto the end of today's daily note, which the settings of your vault name.",
		Args: command.TakesSome,
		RunE: func(cmd *cobra.Command, args []string) error {
			if req.Question = strings.Join(args, " "); strings.TrimSpace(req.Question) == "" {
				return command.Usage(command.UsageForm(cmd, ""), "the question is empty")
			}
			if req.File != "" {
				req.File = notefile.Locate(req.File)
			}
			req.Folder = notefile.Folder()
			return a.Ask(cmd.Context(), func(ctx context.Context, client *client.Client) error {
				return askAndWait(ctx, a, client, req)
			})
		},
	}
	cmd.Flags().StringVar(&req.Role, "role", api.DefaultRole, "ask this `role`")
	cmd.Flags().StringVar(&req.File, "note", "", "ask about this `note`")
	cmd.Flags().StringVar(&req.Vault, "vault", "", "ask in the vault of this `name`")
	cmd.Flags().BoolVar(&req.Append, "append", false, "add question and answer to the note, or to today's daily note")
	return cmd
}

// askAndWait waits for as long as the agent works, and prints on a terminal what it says meanwhile. An interrupt ends
// the agent.
func askAndWait(ctx context.Context, a *command.App, client *client.Client, req api.AskRequest) error {
	dispatch, spoken := "", report.Spoken{Output: a.Stdout}
	var said func(api.Said)
	if command.IsTerminal(a.Stdout) && !a.JSON {
		said = spoken.Say
	}
	answer, err := client.Ask(ctx, req, func(id string) { dispatch = id }, said)
	_, refused := err.(*api.StatusError)
	switch {
	case err == nil:
		return a.Show(answer, func(io.Writer) { spoken.PrintAnswer(answer) })
	case dispatch == "":
		return err
	}
	spoken.Break()
	text := toFailure(ctx, a, err).Error()
	switch {
	case refused:
		return command.Fail("wiki dispatches show "+dispatch+" says more", "%s", text)
	case ctx.Err() != nil && takeBack(ctx, client, dispatch):
		return command.Fail("wiki retry "+dispatch+" asks it after all", "%s; the question is taken back", text)
	}
	return command.Fail("wiki dispatches show "+dispatch+" has the answer when it is there", "%s", text)
}

// takeBack cancels a question whose caller has left, and reports whether that was done in time.
func takeBack(ctx context.Context, client *client.Client, dispatch string) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience.Of(2*time.Second))
	defer cancel()
	_, err := client.Cancel(ctx, dispatch)
	return err == nil
}
