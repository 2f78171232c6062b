package service

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"vaultdispatcher/engine/files"
)

// autostart is an entry that desktops start at login, for Linux without a systemd
// user manager. It needs a desktop: a login by ssh starts nothing.
type autostart struct {
	supervised
	file string
}

func newAutostart(spec Spec, engine Engine) (*autostart, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return nil, err
	}
	return &autostart{supervised{spec, engine}, filepath.Join(dir, "autostart", spec.Name+".desktop")}, nil
}

func (a *autostart) add(context.Context) error {
	if err := a.spec.saveSettings(); err != nil {
		return err
	}
	return files.Write(a.file, []byte(desktopText(a.spec)), 0o600)
}

func (a *autostart) remove(context.Context) error {
	return errors.Join(dropFile(a.file), os.RemoveAll(a.spec.Dir))
}

func (a *autostart) withdraw(context.Context) error {
	return errors.Join(os.Remove(a.file), a.removeFiles())
}

func (a *autostart) start(ctx context.Context) error { return a.startSupervisor(ctx) }

func (a *autostart) stop(ctx context.Context) error { return a.endAll(ctx) }

func (a *autostart) status(ctx context.Context) (Status, error) {
	st := Status{Kind: "autostart"}
	text, err := os.ReadFile(a.file)
	if errors.Is(err, fs.ErrNotExist) {
		a.findLeftover(ctx, &st)
		return st, nil
	}
	if err != nil {
		return st, err
	}
	st.Installed, st.File, st.AtLogin = true, a.file, !switchedOff(string(text))
	st.Path = a.supervisorPath()
	st.Current = a.isCurrent() && strings.Contains(string(text), "\n"+desktopExec(a.spec.supervisorCommand())+"\n")
	a.judgeStatus(ctx, &st)
	return st, nil
}
