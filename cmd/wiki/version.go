package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
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
				fmt.Fprintln(w, strings.Join(strings.Fields(strings.Join([]string{"wiki", b.Version, b.Commit, b.Date, b.Go}, " ")), " "))
			})
		},
	}
}
