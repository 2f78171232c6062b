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
				hits, err := client.Search(ctx, query, limit)
				if err != nil {
					return err
				}
				return a.show(hits, func(w io.Writer) { printHits(w, hits) })
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 5, "at most this `number` of passages")
	return cmd
}

func printHits(w io.Writer, hits []api.Hit) {
	if len(hits) == 0 {
		fmt.Fprintln(w, "no passage matches")
	}
	for i, h := range hits {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s  matches %d of %d terms\n", h.Link, h.Matched, h.Terms)
		for line := range strings.Lines(h.Text) {
			fmt.Fprintf(w, "  %s\n", strings.TrimRight(line, "\n"))
		}
	}
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
