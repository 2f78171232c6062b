package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
)

// searchCommand finds passages in the vaults.
func (a *app) searchCommand() *cobra.Command {
	var limit int
	var explain string
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find passages in your vaults",
		Args:  takesSome,
		RunE: func(cmd *cobra.Command, args []string) error {
			query := strings.Join(args, " ")
			if strings.TrimSpace(query) == "" {
				return usage(usageForm(cmd, ""), "the query is empty")
			}
			if err := checkRange("limit", limit, 1, 100); err != nil {
				return err
			}
			return a.withClient(cmd, func(ctx context.Context, client *client.Client) error {
				if explain != "" {
					sentence, err := client.Explain(ctx, query, locateNote(explain), limit)
					if err != nil {
						return err
					}
					return a.show(map[string]string{"explain": sentence}, func(w io.Writer) { fmt.Fprintln(w, sentence) })
				}
				list, err := client.Search(ctx, query, limit)
				if err != nil {
					return err
				}
				if list.Notice != "" && !a.json {
					fmt.Fprintf(a.stderr, "wiki: %s\n", list.Notice)
				}
				return a.show(list, func(w io.Writer) { printHits(w, list.Hits) })
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 5, "at most this `number` of passages")
	cmd.Flags().StringVar(&explain, "explain", "", "explain why this `note` is or is not found")
	return cmd
}

// matchPlaces says where the matched terms stand that the quoted text lacks.
func matchPlaces(h api.Hit) string {
	var list []string
	for _, in := range []struct {
		terms int
		place string
	}{{h.InTitle, "title"}, {h.InHeading, "heading"}, {h.InTags, "tags"}} {
		if in.terms > 0 {
			list = append(list, fmt.Sprintf("%d in the %s", in.terms, in.place))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return ", " + strings.Join(list, ", ")
}

func printHits(w io.Writer, hits []api.Hit) {
	if len(hits) == 0 {
		fmt.Fprintln(w, "no passage matches")
	}
	for i, h := range hits {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s  %s\n", h.Link, whyFound(h))
		for line := range strings.Lines(h.Text) {
			fmt.Fprintf(w, "  %s\n", strings.TrimRight(line, "\n"))
		}
	}
}

// whyFound says what a passage has of the query: its words, its meaning.
func whyFound(h api.Hit) string {
	switch {
	case h.Matched == 0 && h.Near > 0:
		return fmt.Sprintf("near in meaning (%.2f)", h.Near)
	case h.Near > 0:
		return fmt.Sprintf("matches %d of %d terms%s, near in meaning (%.2f)", h.Matched, h.Terms, matchPlaces(h), h.Near)
	}
	return fmt.Sprintf("matches %d of %d terms%s", h.Matched, h.Terms, matchPlaces(h))
}
