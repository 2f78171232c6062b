package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/clients"
	"vaultdispatcher/installer/noteplugin"
	"vaultdispatcher/service"
)

// serviceCommand is the engine as the user's own login service.
func (a *app) serviceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Start the engine when you log in",
		Long: "Runs the engine as your own service: it starts when you log in, and again after a\n" +
			"failure. It needs no administrator and installs only one entry.",
		Args: takesNone,
		RunE: showHelp,
	}
	verb := func(name, short string, act func(context.Context, *installer.Login) error) *cobra.Command {
		return &cobra.Command{Use: name, Short: short, Args: takesNone, RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := a.login(cmd.Context())
			if err != nil {
				return err
			}
			return withServiceHint(act(cmd.Context(), l))
		}}
	}
	var later, linger, system bool
	install := verb("install", "Install or update the login service, and start it", func(ctx context.Context, l *installer.Login) error {
		if system {
			if err := a.ownSystem(ctx, l); err != nil {
				return err
			}
		}
		return a.installService(ctx, l, later, linger)
	})
	install.Flags().BoolVar(&system, "system", false, "make it a Windows service under your account and its password (as administrator)")
	install.Flags().BoolVar(&linger, "linger", false, "run it also while you are not logged in (systemd only)")
	install.Flags().BoolVar(&later, "no-start", false, "start it at the next login, not now")
	var purged, yes bool
	uninstall := verb("uninstall", "Stop the engine and remove the login service and the tray's entry; configuration and state stay", func(ctx context.Context, l *installer.Login) error {
		return a.uninstallService(ctx, l, purged, yes)
	})
	uninstall.Flags().BoolVar(&purged, "purge", false, "remove configuration, state and index as well; asks first")
	uninstall.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.AddCommand(
		install,
		uninstall,
		verb("start", "Start the installed engine", a.startService),
		verb("stop", "Stop the engine until you log in again or start it", a.stopService),
		verb("restart", "Restart the engine when no agent runs", func(ctx context.Context, l *installer.Login) error {
			if err := l.WaitForAgents(ctx, a.printWaiting); err != nil {
				return err
			}
			if err := l.Restart(ctx); err != nil {
				return err
			}
			return a.waitUntilUp(ctx, l, time.Now())
		}),
		verb("status", "Show what is installed and whether it runs; exit status 3 when no engine runs", a.serviceStatus),
		a.logsCommand(),
		a.supervisorCommand(),
	)
	return cmd
}

// login returns the login service with the configuration of this command.
func (a *app) login(ctx context.Context) (*installer.Login, error) {
	l, err := installer.NewLogin(ctx, a.configFile, finalStatuses...)
	if err != nil {
		return nil, err
	}
	for _, warning := range l.Config.Warnings {
		printable.Fprintf(a.stderr, "wiki: %s\n", warning)
	}
	return l, nil
}

func (a *app) printWaiting(agents int) {
	printable.Fprintf(a.stderr, "wiki: waiting for %s at work\n", wording.Count(agents, "agent"))
}

// withServiceHint gives the next step for what a service can lack.
func withServiceHint(err error) error {
	if down, ok := errors.AsType[*installer.StartError](err); ok {
		return fail(wording.Choose(down.Reason != "", "wiki service status shows its state", "wiki logs shows what it did; wiki run runs it in the foreground"), "%w", err)
	}
	switch {
	case errors.Is(err, installer.ErrTemporary):
		return fail("build it with go build ./cmd/wiki, put it where it can stay, and install from there", "%w", err)
	case errors.Is(err, service.ErrNotInstalled):
		return fail("wiki service install does it", "%w", err)
	case errors.Is(err, service.ErrAdministrator):
		return fail("open a terminal as administrator and try again", "%w", err)
	case errors.Is(err, service.ErrAccount):
		return fail("services.msc, Vault Dispatcher, Log On: the password entered there lets the account log on as a service; then wiki service start", "%w", err)
	}
	return err
}

func (a *app) installService(ctx context.Context, l *installer.Login, later, linger bool) error {
	if err := l.Prepare(ctx, a.printWaiting); err != nil {
		return err
	}
	if err := l.Install(ctx); err != nil {
		return err
	}
	if linger {
		if err := l.Linger(ctx); err != nil {
			return fail("the service is installed all the same; wiki service start starts it", "%w", err)
		}
	}
	if len(l.Config.Vaults) == 0 {
		printable.Fprintln(a.stderr, "wiki: no vault is configured, so the engine watches nothing")
		printable.Fprintln(a.stderr, "hint: wiki setup asks for the folders of your notes")
	}
	if later {
		return a.showService(ctx, l)
	}
	return a.startService(ctx, l)
}

func (a *app) startService(ctx context.Context, l *installer.Login) error {
	now, err := l.View(ctx)
	if err != nil {
		return err
	}
	if now.Orphan {
		printable.Fprintf(a.stderr, "wiki: the supervisor of the engine was killed; the engine with pid %d is replaced by a supervised one\n", now.PID)
		if err := l.WaitForAgents(ctx, a.printWaiting); err != nil {
			return err
		}
	} else if now.Installed && now.Running && !now.Active {
		printable.Fprintf(a.stderr, "wiki: an engine that the service did not start runs with pid %d; it was left alone\n", now.PID)
		printable.Fprintln(a.stderr, "hint: end it, then wiki service start")
		return a.showService(ctx, l)
	}
	begun := time.Now() // an engine may have failed before the manager says that it was started
	if err := l.Start(ctx); err != nil {
		return err
	}
	return a.waitUntilUp(ctx, l, begun)
}

// waitUntilUp shows the service when its engine, started after begun, has come up.
func (a *app) waitUntilUp(ctx context.Context, l *installer.Login, begun time.Time) error {
	if err := l.WaitForStart(ctx, begun); err != nil {
		return err
	}
	return a.showService(ctx, l)
}

func (a *app) stopService(ctx context.Context, l *installer.Login) error {
	if err := l.Stop(ctx); err != nil {
		return err
	}
	return a.showService(ctx, l)
}

// printKept names what stays on the disk, as far as it is there.
func printKept(w io.Writer, file, state string) {
	var kept []string
	for _, part := range []struct{ name, path string }{{"configuration", file}, {"state", state}} {
		if _, err := os.Lstat(part.path); err == nil {
			kept = append(kept, part.name+" "+part.path)
		}
	}
	if len(kept) > 0 {
		printable.Fprintf(w, "kept: %s\n", strings.Join(kept, ", "))
	}
}

func (a *app) uninstallService(ctx context.Context, l *installer.Login, purged, yes bool) error {
	file := a.configFile
	var err error
	if file == "" {
		if file, err = place.ConfigFile(); err != nil {
			return err
		}
	}
	var all installer.Purge
	if purged {
		if all, err = l.FindPurge(ctx); err != nil {
			return purgeFailure(err)
		}
		if err := a.confirmPurge(ctx, all.Paths, yes); err != nil {
			return err
		}
	}
	found, err := l.Uninstall(ctx)
	if err != nil {
		return err
	}
	tray := service.Tray("")
	shown := tray.Installed()
	var left error
	if purged {
		left = purgeFailure(all.Remove(ctx, l))
	}
	left = errors.Join(tray.Uninstall(), left)
	done := uninstalled{found, shown, file, l.State, append([]string{}, all.Paths...), all.Left, all.Clients, all.Plugins}
	return errors.Join(a.show(done, func(w io.Writer) { done.print(w, purged, all) }), left)
}

// uninstalled is what was taken away, as --json has it.
type uninstalled struct {
	Removed bool     `json:"removed"`
	Tray    bool     `json:"tray"` // it was started at login, and is no more
	Config  string   `json:"config"`
	State   string   `json:"state"`
	Purged  []string `json:"purged"`
	Left    []string `json:"left,omitempty"` // in our folders, and not ours

	Clients []clients.Done    `json:"clients,omitempty"`
	Plugins []noteplugin.Done `json:"plugins,omitempty"`
}

// print tells of it for a person.
func (u uninstalled) print(w io.Writer, purged bool, all installer.Purge) {
	printable.Fprintln(w, wording.Choose(u.Removed, "the login service was removed", "no login service was installed"))
	if u.Tray {
		printable.Fprintln(w, "the tray no longer starts when you log in; a running one stays until you quit it")
	}
	if !purged {
		printKept(w, u.Config, u.State)
	}
	for _, path := range u.Purged {
		printable.Fprintf(w, "removed: %s\n", path)
	}
	for _, path := range all.TakenOut() {
		printable.Fprintf(w, "taken out of: %s\n", path)
	}
	for _, path := range u.Left {
		printable.Fprintf(w, "kept, because it is not ours: %s\n", path)
	}
	if all.Record != "" {
		printable.Fprintf(w, "kept, to take the plugin out of all vaults later: %s\n", all.Record)
	}
	for _, vault := range all.Unreached() {
		printable.Fprintf(w, "not reached: %s; if it is on a drive that is away, remove .obsidian/plugins/vault-dispatcher there by hand\n", vault)
	}
}
