// Package machine has the commands about this machine: the login service, its log, and the doctor.
package machine

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/clients"
	"vaultdispatcher/installer/noteplugin"
	"vaultdispatcher/service"
)

// Service is the engine as the user's own login service.
func Service(a *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Start the engine when you log in",
		Long: "Runs the engine as your own service: it starts when you log in, and again after a\n" +
			"failure. It needs no administrator and installs only one entry.",
	}
	verb := func(name, short string, act func(context.Context, *command.App, *installer.Login) error) *cobra.Command {
		return &cobra.Command{Use: name, Short: short, RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := Login(cmd.Context(), a)
			if err != nil {
				return err
			}
			return withServiceHint(act(cmd.Context(), a, l))
		}}
	}
	var later, linger, system bool
	install := verb("install", "Install or update the login service, and start it", func(ctx context.Context, a *command.App, l *installer.Login) error {
		if system {
			if err := ownSystem(ctx, a, l); err != nil {
				return err
			}
		}
		return Install(ctx, a, l, later, linger)
	})
	install.Flags().BoolVar(&system, "system", false, "make it a Windows service under your account and its password (as administrator)")
	install.Flags().BoolVar(&linger, "linger", false, "run it also while you are not logged in (systemd only)")
	install.Flags().BoolVar(&later, "no-start", false, "start it at the next login, not now")
	var purged, yes bool
	uninstall := verb("uninstall", "Stop the engine and remove the login service and the tray's entry; configuration and state stay", func(ctx context.Context, a *command.App, l *installer.Login) error {
		return uninstallService(ctx, a, l, purged, yes)
	})
	uninstall.Flags().BoolVar(&purged, "purge", false, "remove configuration, state and index as well; asks first")
	uninstall.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.AddCommand(
		install,
		uninstall,
		verb("start", "Start the installed engine", startService),
		verb("stop", "Stop the engine until you log in again or start it", stopService),
		verb("restart", "Restart the engine when no agent runs", restartService),
		verb("status", "Show what is installed and whether it runs; exit status 3 when no engine runs", serviceStatus),
		Logs(a),
		supervisorCommand(a),
	)
	return cmd
}

// Login returns the login service with the configuration of this command.
func Login(ctx context.Context, a *command.App) (*installer.Login, error) {
	l, err := installer.NewLogin(ctx, a.ConfigFile, command.FinalStatuses...)
	if err != nil {
		return nil, err
	}
	for _, warning := range l.Config.Warnings {
		a.Say("%s", warning)
	}
	return l, nil
}

func printWaiting(a *command.App) func(agents int) {
	return func(agents int) { a.Say("waiting for %s at work", wording.Count(agents, "agent")) }
}

// withServiceHint gives the next step for what a service can lack.
func withServiceHint(err error) error {
	if down, ok := errors.AsType[*installer.StartError](err); ok {
		return command.Fail(wording.Choose(down.Reason != "", "wiki service status shows its state", "wiki logs shows what it did; wiki run runs it in the foreground"), "%w", err)
	}
	switch {
	case errors.Is(err, installer.ErrTemporary):
		return command.Fail("build it with go build ./cmd/wiki, put it where it can stay, and install from there", "%w", err)
	case errors.Is(err, service.ErrNotInstalled):
		return command.Fail("wiki service install does it", "%w", err)
	case errors.Is(err, service.ErrAdministrator):
		return command.Fail("open a terminal as administrator and try again", "%w", err)
	case errors.Is(err, service.ErrAccount):
		return command.Fail("services.msc, Vault Dispatcher, Log On: the password entered there lets the account log on as a service; then wiki service start", "%w", err)
	}
	return err
}

func Install(ctx context.Context, a *command.App, l *installer.Login, later, linger bool) error {
	if err := l.Prepare(ctx, printWaiting(a)); err != nil {
		return err
	}
	if err := l.Install(ctx); err != nil {
		return err
	}
	if linger {
		if err := l.Linger(ctx); err != nil {
			return command.Fail("the service is installed all the same; wiki service start starts it", "%w", err)
		}
	}
	if len(l.Config.Vaults) == 0 {
		a.Say("no vault is configured, so the engine watches nothing")
		a.Hint("wiki setup asks for the folders of your notes")
	}
	if later {
		return showService(ctx, a, l)
	}
	return startService(ctx, a, l)
}

func startService(ctx context.Context, a *command.App, l *installer.Login) error {
	now, err := l.View(ctx)
	if err != nil {
		return err
	}
	if now.Orphan {
		a.Say("the supervisor of the engine was killed; the engine with pid %d is replaced by a supervised one", now.PID)
		if err := l.WaitForAgents(ctx, printWaiting(a)); err != nil {
			return err
		}
	} else if now.Installed && now.Running && !now.Active {
		a.Say("an engine that the service did not start runs with pid %d; it was left alone", now.PID)
		a.Hint("end it, then wiki service start")
		return showService(ctx, a, l)
	}
	begun := time.Now() // an engine may have failed before the manager says that it was started
	if err := l.Start(ctx); err != nil {
		return err
	}
	return waitUntilUp(ctx, a, l, begun)
}

// waitUntilUp shows the service when its engine, started after begun, has come up.
func waitUntilUp(ctx context.Context, a *command.App, l *installer.Login, begun time.Time) error {
	if err := l.WaitForStart(ctx, begun); err != nil {
		return err
	}
	return showService(ctx, a, l)
}

func restartService(ctx context.Context, a *command.App, l *installer.Login) error {
	if err := l.WaitForAgents(ctx, printWaiting(a)); err != nil {
		return err
	}
	if err := l.Restart(ctx); err != nil {
		return err
	}
	return waitUntilUp(ctx, a, l, time.Now())
}

func stopService(ctx context.Context, a *command.App, l *installer.Login) error {
	if err := l.Stop(ctx); err != nil {
		return err
	}
	return showService(ctx, a, l)
}

// printKept names the files that are kept on the disk, as far as they exist.
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

func uninstallService(ctx context.Context, a *command.App, l *installer.Login, purged, yes bool) error {
	file := a.ConfigFile
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
		if err := confirmPurge(ctx, a, all.Paths, yes); err != nil {
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
	done := uninstalled{found, shown, file, l.State, append([]string{}, all.Paths...), all.Foreign, all.Clients, all.Plugins}
	return errors.Join(a.Show(done, func(w io.Writer) { done.print(w, purged, all) }), left)
}

// uninstalled is what was taken away, as --json has it.
type uninstalled struct {
	Removed bool     `json:"removed"`
	Tray    bool     `json:"tray"` // it was started at login, and is no more
	Config  string   `json:"config"`
	State   string   `json:"state"`
	Purged  []string `json:"purged"`
	Foreign []string `json:"left,omitempty"` // in our folders, and not ours

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
	for _, path := range u.Foreign {
		printable.Fprintf(w, "kept, because it is not ours: %s\n", path)
	}
	if all.Record != "" {
		printable.Fprintf(w, "kept, to take the plugin out of all vaults later: %s\n", all.Record)
	}
	for _, vault := range all.Unreached() {
		printable.Fprintf(w, "not reached: %s; if it is on a drive that is away, remove .obsidian/plugins/vault-dispatcher there by hand\n", vault)
	}
}

func serviceStatus(ctx context.Context, a *command.App, l *installer.Login) error {
	v, err := l.View(ctx)
	if err != nil {
		return err
	}
	if err := a.Show(v, func(w io.Writer) { printService(w, v) }); err != nil || v.Running {
		return err
	}
	if v.Silent {
		return context.DeadlineExceeded
	}
	hint := "wiki service install makes it start when you log in"
	if v.Installed {
		hint = "start it with wiki service start; wiki logs shows how it ended"
	}
	return command.NewFailure(errors.New("the engine is not running"), hint, command.ExitNotRunning)
}

func showService(ctx context.Context, a *command.App, l *installer.Login) error {
	v, err := l.View(ctx)
	return command.ShowFound(a, v, err, printService)
}
