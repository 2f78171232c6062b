package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/cmd/wiki/update"
)

// updateCommand looks for a newer release, which nothing else does.
func (a *app) updateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "update",
		Short: "Look for a newer release, and say how it is installed here",
		Long: "Looks, by https, for the newest release at the place that this build names, and says how to\n" +
			"install it on this machine. It downloads no program and changes nothing. Nothing looks for\n" +
			"releases unless you run this.",
		Args: takesNone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			build := assets.ThisBuild()
			found, err := update.Look(cmd.Context(), update.Place{Address: build.Releases}, build.Version, update.ThisMachine())
			switch {
			case errors.Is(err, update.ErrNoPlace):
				return fail("look where you have this program from; wiki version shows which one it is", "%w", err)
			case err != nil:
				return fail("try again later, or look at "+build.Releases, "cannot look for a newer release: %w", err)
			}
			return a.show(found, func(w io.Writer) { update.Print(w, found) })
		},
	}
}
