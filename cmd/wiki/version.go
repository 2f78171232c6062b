package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/cmd/wiki/printable"
)

// version names this build.
func version() string { return assets.ThisBuild().Version }

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show version, commit and date",
		Args:  takesNone,
		RunE: func(*cobra.Command, []string) error {
			b := assets.ThisBuild()
			return a.show(b, func(w io.Writer) {
				printable.Fprintln(w, describeBuild(b))
			})
		},
	}
}

// describeBuild is a build in one line.
func describeBuild(b assets.Build) string {
	return strings.Join(strings.Fields(strings.Join([]string{"wiki", b.Version, b.Commit, b.Date, b.Go}, " ")), " ")
}
