package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/installer"
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
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	verb := func(name, short string, act func(context.Context, *installer.Login) error) *cobra.Command {
		return &cobra.Command{Use: name, Short: short, Args: takesNone, RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := a.login(cmd.Context())
			if err != nil {
				return err
			}
			return nextDeed(act(cmd.Context(), l))
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
		verb("stop", "Stop the engine until the next login, or start", a.stopService),
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
		a.keeperCommand(),
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
		fmt.Fprintf(a.stderr, "wiki: %s\n", warning)
	}
	return l, nil
}

func (a *app) printWaiting(agents int) {
	fmt.Fprintf(a.stderr, "wiki: waiting for %s at work\n", wording.Count(agents, "agent"))
}

// nextDeed gives the next step for what a service can lack.
func nextDeed(err error) error {
	if down, ok := errors.AsType[*installer.NotUp](err); ok {
		return fail(onOff(down.Reason != "", "wiki service status shows its state", "wiki logs shows what it did; wiki run runs it in the foreground"), "%w", err)
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
		fmt.Fprintf(a.stderr, "wiki: the supervisor of the engine was killed; the engine with pid %d is replaced by a supervised one\n", now.PID)
		if err := l.WaitForAgents(ctx, a.printWaiting); err != nil {
			return err
		}
	} else if now.Installed && now.Running && !now.Active {
		fmt.Fprintf(a.stderr, "wiki: an engine that the service did not start runs with pid %d; it was left alone\n", now.PID)
		fmt.Fprintln(a.stderr, "hint: end it, then wiki service start")
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

func (a *app) uninstallService(ctx context.Context, l *installer.Login, purged, yes bool) error {
	file := a.configFile
	var err error
	if file == "" {
		if file, err = config.Path(); err != nil {
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
	if err := errors.Join(tray.Uninstall(), purgeFailure(all.Remove(ctx, l))); err != nil {
		return err
	}
	done := struct {
		Removed bool     `json:"removed"`
		Tray    bool     `json:"tray"` // it was started at login, and is no more
		Config  string   `json:"config"`
		State   string   `json:"state"`
		Purged  []string `json:"purged"`
		Left    []string `json:"left,omitempty"` // in our folders, and not ours
	}{found, shown, file, l.State, append([]string{}, all.Paths...), all.Left}
	return a.show(done, func(w io.Writer) {
		fmt.Fprintln(w, onOff(found, "the login service was removed", "no login service was installed"))
		if shown {
			fmt.Fprintln(w, "the tray no longer starts when you log in; a running one stays until you quit it")
		}
		if !purged {
			fmt.Fprintf(w, "kept: configuration %s, state %s\n", done.Config, done.State)
		}
		for _, path := range done.Purged {
			fmt.Fprintf(w, "removed: %s\n", path)
		}
		for _, path := range done.Left {
			fmt.Fprintf(w, "kept, because it is not ours: %s\n", path)
		}
	})
}
