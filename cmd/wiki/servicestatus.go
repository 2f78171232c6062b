package main

import (
	"context"
	"errors"
	"io"

	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/installer"
)

func (a *app) serviceStatus(ctx context.Context, l *installer.Login) error {
	v, err := l.View(ctx)
	if err != nil {
		return err
	}
	if err := a.show(v, func(w io.Writer) { report.PrintService(w, v) }); err != nil || v.Running {
		return err
	}
	if v.Silent {
		return a.toFailure(ctx, context.DeadlineExceeded)
	}
	hint := "wiki service install makes it start when you log in"
	if v.Installed {
		hint = "start it with wiki service start; wiki logs shows how it ended"
	}
	return &failure{errors.New("the engine is not running"), hint, exitNotRunning}
}

func (a *app) showService(ctx context.Context, l *installer.Login) error {
	v, err := l.View(ctx)
	return showFound(a, v, err, report.PrintService)
}
