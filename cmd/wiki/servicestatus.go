package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/installer"
)

func (a *app) serviceStatus(ctx context.Context, l *installer.Login) error {
	v, err := l.View(ctx)
	if err != nil {
		return err
	}
	if err := a.show(v, func(w io.Writer) { printService(w, v) }); err != nil || v.Running {
		return err
	}
	if v.Silent {
		return classify(context.DeadlineExceeded)
	}
	hint := "wiki service install makes it start when you log in"
	if v.Installed {
		hint = "start it with wiki service start; wiki logs shows how it ended"
	}
	return &failure{errors.New("the engine is not running"), hint, exitNotRunning}
}

func (a *app) showService(ctx context.Context, l *installer.Login) error {
	v, err := l.View(ctx)
	if err != nil {
		return err
	}
	return a.show(v, func(w io.Writer) { printService(w, v) })
}

func printService(w io.Writer, v installer.ServiceView) {
	starts := "starts when you log in"
	if v.Kind == "scm" {
		starts = "starts with Windows"
	}
	if !v.Installed {
		fmt.Fprintf(w, "service not installed; it would be %s\n", texts.ServiceKind(v.Kind))
	} else {
		fmt.Fprintf(w, "service installed as %s, %s\n", texts.ServiceKind(v.Kind), onOff(v.AtLogin, starts, "does not start when you log in: that is switched off"))
		fmt.Fprintf(w, "entry   %s\n", v.File)
		fmt.Fprintf(w, "state   %s\n", v.State)
		if !v.Current {
			fmt.Fprintln(w, "note    it starts another program, or this one with other arguments; wiki service install updates it")
		}
	}
	if v.Kind == "autostart" {
		fmt.Fprintln(w, "note    systemd does not answer here; it does not start in logins without a desktop")
	}
	switch {
	case v.Running:
		fmt.Fprintf(w, "engine  running with pid %d on port %d\n", v.PID, v.Port)
	case v.Silent:
		fmt.Fprintln(w, "engine  does not answer in time")
	default:
		fmt.Fprintln(w, "engine  not running")
	}
}
