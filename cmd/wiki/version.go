package main

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/update"
)

// version names this build.
func version() string { return assets.ThisBuild().Version }

func versionCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show version, commit and date",
		RunE: func(*cobra.Command, []string) error {
			b := assets.ThisBuild()
			return a.Show(b, func(w io.Writer) {
				printable.Fprintln(w, describeBuild(b))
			})
		},
	}
}

// describeBuild is a build in one line.
func describeBuild(b assets.Build) string {
	return strings.Join(strings.Fields(strings.Join([]string{"wiki", b.Version, b.Commit, b.Date, b.Go}, " ")), " ")
}

// updateCommand looks for a newer release, which nothing else does.
func updateCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "update",
		Short: "Look for a newer release, and say how it is installed here",
		Long: "Looks, by https, for the newest release at the place that this build names, and says how to\n" +
			"install it on this machine. It downloads no program and changes nothing. Nothing looks for\n" +
			"releases unless you run this.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			build := assets.ThisBuild()
			found, err := update.Look(cmd.Context(), update.Place{Address: build.Releases}, build.Version, update.ThisMachine())
			switch {
			case errors.Is(err, update.ErrNoPlace):
				return command.Fail("look where you have this program from; wiki version shows which one it is", "%w", err)
			case err != nil:
				return command.Fail("try again later, or look at "+build.Releases, "cannot look for a newer release: %w", err)
			}
			return a.Show(found, func(w io.Writer) { update.Print(w, found) })
		},
	}
}
