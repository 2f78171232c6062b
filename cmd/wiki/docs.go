package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine/documents"
)

// mostDocs is how many parts of the documents are listed.
const mostDocs = 10

// listedDoc is one document, or a part of one, as JSON.
type listedDoc struct {
	Title   string `json:"title"`
	Heading string `json:"heading,omitempty"`
	Page    string `json:"page"`
	URL     string `json:"url"`
}

// docsCommand lists the documents that the dashboard shows.
func docsCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "docs [WORDS]",
		Short: "List the documents, or the parts with these words",
		Long:  "Lists the documents that the dashboard shows, or the parts of them that have these words, the best\nfirst, and says where each opens.",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			shelf, base := documents.Open(assets.Docs()), dashboardAddress(cmd.Context(), a)
			listed := []listedDoc{}
			add := func(p documents.Page, heading, address string) {
				listed = append(listed, listedDoc{p.Title, heading, p.Name, base + address})
			}
			if query := strings.TrimSpace(strings.Join(args, " ")); query != "" {
				found := shelf.Find(query, mostDocs)
				for _, f := range found {
					add(f.Page, f.Heading, f.Address())
				}
				return a.Show(listed, func(w io.Writer) { report.PrintFoundDocs(w, found, base) })
			}
			for _, p := range shelf.Pages() {
				add(p, "", p.Address())
			}
			return a.Show(listed, func(w io.Writer) { report.PrintDocs(w, shelf.Groups(), base) })
		},
	}
}

// dashboardAddress is where the dashboard is: of the engine that runs, or that would.
func dashboardAddress(ctx context.Context, a *command.App) string {
	quiet := a.Quiet()
	if client, err := quiet.Client(ctx); err == nil {
		return fmt.Sprintf("http://127.0.0.1:%d", client.Port())
	}
	cfg, _ := quiet.Config()
	return fmt.Sprintf("http://127.0.0.1:%d", cfg.HTTPPort)
}
