package main

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/engine/api"
)

// searchCommand finds passages in the vaults.
func (a *app) searchCommand() *cobra.Command {
	var limit int
	var explain string
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find passages in your vaults",
		Args:  some,
		RunE: func(cmd *cobra.Command, args []string) error {
			query := strings.Join(args, " ")
			if strings.TrimSpace(query) == "" {
				return usage(form(cmd, ""), "the query is empty")
			}
			if err := between("limit", limit, 1, 100); err != nil {
				return err
			}
			return a.with(cmd, func(ctx context.Context, client *api.Client) error {
				if explain != "" {
					sentence, err := client.Explain(ctx, query, located(explain), limit)
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
	cmd.Flags().StringVar(&explain, "explain", "", "say why this `note` is or is not found")
	return cmd
}

// places says where the matched terms stand that the quoted text lacks.
func places(h api.Hit) string {
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
		return fmt.Sprintf("matches %d of %d terms%s, near in meaning (%.2f)", h.Matched, h.Terms, places(h), h.Near)
	}
	return fmt.Sprintf("matches %d of %d terms%s", h.Matched, h.Terms, places(h))
}

// Set by the release build.
var (
	releaseVersion = "0.1.0-dev"
	releaseCommit  = ""
	releaseDate    = ""
)

// version names this build.
func version() string { return releaseVersion }

// build is what `wiki version --json` prints.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Date    string `json:"date,omitempty"`
	Go      string `json:"go"`
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Version, commit and date",
		Args:  none,
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			return a.show(b, func(w io.Writer) {
				fmt.Fprintln(w, strings.Join(strings.Fields(strings.Join([]string{"wiki", b.Version, b.Commit, b.Date, b.Go}, " ")), " "))
			})
		},
	}
}

// thisBuild takes commit and date from the release build, or else from what the
// Go command stamped in.
func thisBuild() build {
	b := build{Version: version(), Commit: releaseCommit, Date: releaseDate}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Go = info.GoVersion
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && b.Commit == "":
			b.Commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.time" && b.Date == "":
			b.Date = s.Value
		}
	}
	return b
}
