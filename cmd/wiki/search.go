package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/notefile"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine/api/client"
)

// searchCommand finds passages in the vaults.
func searchCommand(a *command.App) *cobra.Command {
	var limit int
	var explain string
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find passages in your vaults",
		Args:  command.TakesSome,
		RunE: func(cmd *cobra.Command, args []string) error {
			query := strings.Join(args, " ")
			if strings.TrimSpace(query) == "" {
				return command.Usage(command.UsageForm(cmd, ""), "the query is empty")
			}
			if err := command.CheckRange("limit", limit, 1, 100); err != nil {
				return err
			}
			return a.Ask(cmd.Context(), func(ctx context.Context, client *client.Client) error {
				if explain != "" {
					sentence, err := client.Explain(ctx, query, notefile.Locate(explain), limit)
					return command.ShowFound(a, map[string]string{"explain": sentence}, err, func(w io.Writer, _ map[string]string) { printable.Fprintln(w, sentence) })
				}
				list, err := client.Search(ctx, query, limit)
				if err != nil {
					return err
				}
				if list.Notice != "" && !a.JSON {
					a.Say("%s", list.Notice)
				}
				return a.Show(list, func(w io.Writer) { report.PrintHits(w, list.Hits) })
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 5, "at most this `number` of passages")
	cmd.Flags().StringVar(&explain, "explain", "", "explain why this `note` is or is not found")
	return cmd
}
