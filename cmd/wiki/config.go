package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/settings"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/reference"
	"vaultdispatcher/engine/watch/disk"
	"vaultdispatcher/installer"
)

const keysHint = "wiki config list shows every key"

// configCommand shows and changes the settings.
func (a *app) configCommand() *cobra.Command {
	return groupCommands("config", "Show and change the settings", a.configListCommand(),
		&cobra.Command{Use: "get KEY", Short: "Print the value of one key", Args: takesExactly(1, keysHint),
			RunE: func(_ *cobra.Command, args []string) error { return a.getKey(args[0]) }},
		&cobra.Command{Use: "set KEY VALUE", Short: "Change one key; comments stay, and the value is checked first",
			Long: "Changes one key. The configuration is checked before it is written, its comments stay, and a copy\n" +
				"of the old file is kept. Write a list in brackets and a role in braces. An empty value puts the\n" +
				"default back. A running engine takes up the change within seconds.",
			Args: takesExactly(2, keysHint+" with an example"),
			RunE: func(_ *cobra.Command, args []string) error { return a.setKey(args[0], args[1]) }},
		&cobra.Command{Use: "edit", Short: "Edit the file in your editor; the result is checked before it is used", Args: takesNone,
			RunE: func(cmd *cobra.Command, _ []string) error { return a.editConfig(cmd.Context()) }},
		&cobra.Command{Use: "path", Short: "Print where the file is", Args: takesNone,
			RunE: func(*cobra.Command, []string) error {
				now, err := installer.Read(a.configFile)
				if now.File == "" { // one that cannot be used has a place too
					return err
				}
				return a.show(map[string]any{"file": now.File, "exists": now.Exists}, func(w io.Writer) { printable.Fprintln(w, now.File) })
			}})
}

func (a *app) configListCommand() *cobra.Command {
	var changed bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List every key with its value",
		Args:  takesNone,
		RunE: func(*cobra.Command, []string) error {
			cfg, err := a.loadConfig()
			if err != nil {
				return err
			}
			rows := settings.List(cfg)
			if changed {
				rows = settings.Changed(rows)
			}
			return a.show(rows, func(w io.Writer) { settings.PrintList(w, rows) })
		},
	}
	cmd.Flags().BoolVar(&changed, "changed", false, "only what is not the default")
	return cmd
}

func (a *app) getKey(named string) error {
	key, err := config.SpellKey(named)
	if err != nil {
		return usage(keysHint, "%w", err)
	}
	cfg, err := a.loadConfig()
	if err != nil {
		return err
	}
	value, err := reference.Show(cfg, key)
	if err != nil {
		return fail("wiki agents shows who answers each role", "%w", err)
	}
	return a.show(reference.Value{Key: key, Value: value}, func(w io.Writer) { printable.Fprintln(w, value) })
}

func (a *app) setKey(named, text string) error {
	key, err := config.SpellKey(named)
	if err != nil {
		return usage(keysHint, "%w", err)
	}
	now, err := a.readToChange()
	if err != nil {
		return err
	}
	done, err := installer.Write(now, config.Change{Values: []config.Value{{Key: key, Text: text}}})
	if err != nil {
		return usage("nothing was changed; "+keysHint, "%w", settings.Refusal(err))
	}
	return a.showWritten(done, key)
}

// readToChange reads the configuration that is to be changed.
func (a *app) readToChange() (installer.Present, error) {
	now, err := installer.Read(a.configFile)
	if err == nil && now.Old {
		err = fmt.Errorf("%s: %w", now.File, config.ErrOld)
	}
	if err != nil {
		return now, &failure{err: err, hint: configHint(err), code: exitConfig}
	}
	return now, nil
}

func (a *app) editConfig(ctx context.Context) error {
	now, err := installer.Read(a.configFile) // what cannot be used is what an editor is for
	if _, foreign := errors.AsType[*disk.Foreign](err); foreign || now.File == "" {
		return &failure{err: err, hint: configHint(err), code: exitConfig}
	}
	text, copied, discard, err := settings.Edit(ctx, now.Text())
	if err != nil {
		if discard != nil {
			discard()
		}
		return fail("VISUAL or EDITOR names another; nothing was changed", "%w", err)
	}
	done, err := installer.WriteText(now, text)
	if err != nil {
		return &failure{err: err, hint: "nothing was changed; what you wrote is kept in " + copied, code: exitConfig}
	}
	discard()
	return a.showWritten(done, "")
}

// showWritten says what became of the file, and of one key of it.
func (a *app) showWritten(done installer.Written, key string) error {
	settings.PrintWarnings(a.stderr, done.Config, key)
	return a.show(done, func(w io.Writer) { settings.PrintWritten(w, done, key) })
}
