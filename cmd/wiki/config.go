package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/settings"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/reference"
	"vaultdispatcher/engine/watch/disk"
	"vaultdispatcher/installer"
)

const keysHint = "wiki config list shows every key"

// configCommand shows and changes the settings.
func configCommand(a *command.App) *cobra.Command {
	return command.Group("config", "Show and change the settings", configListCommand(a),
		&cobra.Command{Use: "get KEY", Short: "Print the value of one key", Args: command.TakesExactly(1, keysHint),
			RunE: func(_ *cobra.Command, args []string) error { return getKey(a, args[0]) }},
		&cobra.Command{Use: "set KEY VALUE", Short: "Change one key; comments stay, and the value is checked first",
			Long: "Changes one key. The configuration is checked before it is written, its comments stay, and a copy\n" +
				"of the old file is kept. Write a list in brackets and a role in braces. An empty value puts the\n" +
				"default back. A running engine takes up the change within seconds.",
			Args: command.TakesExactly(2, keysHint+" with an example"),
			RunE: func(_ *cobra.Command, args []string) error { return setKey(a, args[0], args[1]) }},
		&cobra.Command{Use: "edit", Short: "Edit the file in your editor; the result is checked before it is used",
			RunE: func(cmd *cobra.Command, _ []string) error { return editConfig(cmd.Context(), a) }},
		&cobra.Command{Use: "path", Short: "Print where the file is",
			RunE: func(*cobra.Command, []string) error {
				now, err := installer.Read(a.ConfigFile)
				if now.File == "" { // one that cannot be used has a place too
					return err
				}
				return a.Show(map[string]any{"file": now.File, "exists": now.Exists}, func(w io.Writer) { printable.Fprintln(w, now.File) })
			}})
}

func configListCommand(a *command.App) *cobra.Command {
	var changed bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List every key with its value",
		RunE: a.Reading(func(_ context.Context, cfg config.Config, _ []string) error {
			rows := settings.List(cfg)
			if changed {
				rows = settings.Changed(rows)
			}
			return a.Show(rows, func(w io.Writer) { settings.PrintList(w, rows) })
		}),
	}
	cmd.Flags().BoolVar(&changed, "changed", false, "only what is not the default")
	return cmd
}

func getKey(a *command.App, named string) error {
	key, err := config.SpellKey(named)
	if err != nil {
		return command.Usage(keysHint, "%w", err)
	}
	cfg, err := a.Config()
	if err != nil {
		return err
	}
	value, err := reference.Show(cfg, key)
	if err != nil {
		return command.Fail("wiki agents shows who answers each role", "%w", err)
	}
	return a.Show(reference.Value{Key: key, Value: value}, func(w io.Writer) { printable.Fprintln(w, value) })
}

func setKey(a *command.App, named, text string) error {
	key, err := config.SpellKey(named)
	if err != nil {
		return command.Usage(keysHint, "%w", err)
	}
	now, err := readToChange(a)
	if err != nil {
		return err
	}
	done, err := installer.Write(now, config.Change{Values: []config.Value{{Key: key, Text: text}}})
	if err != nil {
		return command.Usage("nothing was changed; "+keysHint, "%w", settings.Refusal(err))
	}
	return showWritten(a, done, key)
}

// readToChange reads the configuration that is to be changed.
func readToChange(a *command.App) (installer.Present, error) {
	now, err := installer.Read(a.ConfigFile)
	if err == nil && now.Old {
		err = fmt.Errorf("%s: %w", now.File, config.ErrOld)
	}
	if err != nil {
		return now, command.BadConfig(err)
	}
	return now, nil
}

func editConfig(ctx context.Context, a *command.App) error {
	now, err := installer.Read(a.ConfigFile) // the editor opens an unusable configuration as well
	if _, foreign := errors.AsType[*disk.Foreign](err); foreign || now.File == "" {
		return command.BadConfig(err)
	}
	text, copied, discard, err := settings.Edit(ctx, now.Text())
	if err != nil {
		if discard != nil {
			discard()
		}
		return command.Fail("VISUAL or EDITOR names another; nothing was changed", "%w", err)
	}
	done, err := installer.WriteText(now, text)
	if err != nil {
		return command.NewFailure(err, "nothing was changed; what you wrote is kept in "+copied, command.ExitConfig)
	}
	discard()
	return showWritten(a, done, "")
}

// showWritten says what became of the file, and of one key of it.
func showWritten(a *command.App, done installer.Written, key string) error {
	settings.PrintWarnings(a.Stderr, done.Config, key)
	return a.Show(done, func(w io.Writer) { settings.PrintWritten(w, done, key) })
}
