package main

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config/place"
)

// secret is what callers of the protected endpoints have to know.
type secret struct {
	Token string `json:"token"`
}

// tokenCommand prints the bearer token. It asks no engine: the token outlives them.
func tokenCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "token",
		Short: "Print the bearer token of the HTTP interface",
		Long:  "Prints the token that your programs send as Authorization: Bearer to the protected\nendpoints. A program with the token can do all that these commands can do.",
		RunE: func(*cobra.Command, []string) error {
			state, err := place.StateDir()
			if err != nil {
				return err
			}
			token, err := client.LoadToken(filepath.Join(state, "token"))
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return command.Fail("wiki run makes it when it starts", "there is no token yet")
			case errors.Is(err, client.ErrToken):
				return command.Fail("wiki run makes a new one when it starts", "%w", err)
			case err != nil:
				return err
			}
			return a.Show(secret{token}, func(w io.Writer) { printable.Fprintln(w, token) })
		},
	}
}
