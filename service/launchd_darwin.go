package service

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	kardianos "github.com/kardianos/service"
)

func listBackends(_ context.Context, spec Spec, engine Engine) ([]backend, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	svc, err := kardianos.New(nil, &kardianos.Config{
		Name: spec.Name, DisplayName: spec.Title, Description: spec.Title, Executable: spec.Program,
		Option: kardianos.KeyValue{"UserService": true, "LaunchdConfig": plistText(spec)},
	})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(home, "Library", "LaunchAgents", spec.Name+".plist")
	return []backend{&launchd{supervised{spec, engine}, file, svc}}, nil
}

// launchd is a LaunchAgent of the user, by way of kardianos.
type launchd struct {
	supervised
	file string
	svc  kardianos.Service
}

func (l *launchd) add(context.Context) error {
	if err := l.spec.saveSettings(); err != nil {
		return err
	}
	return l.svc.Install()
}

func (l *launchd) remove(context.Context) error {
	if err := dropFile(l.file); err != nil {
		return err
	}
	return os.RemoveAll(l.spec.Dir)
}

// withdraw leaves the agent loaded, which ends with the session.
func (l *launchd) withdraw(context.Context) error {
	return errors.Join(os.Remove(l.file), l.removeFiles())
}

func (l *launchd) isRunning() bool {
	st, err := l.svc.Status()
	return err == nil && st == kardianos.StatusRunning
}

func (l *launchd) start(ctx context.Context) error {
	if l.isRunning() {
		return nil
	}
	l.svc.Stop()                          // an agent that has ended is still loaded, and a loaded one is not started
	if err := l.endAll(ctx); err != nil { // an engine that outlived its supervisor
		return err
	}
	return l.svc.Start()
}

// stop also takes an agent away that is loaded and does not run; that it was not
// loaded is the error launchctl has for it.
func (l *launchd) stop(ctx context.Context) error {
	problem := l.svc.Stop()
	if !awaitGone(ctx, 30*time.Second, l.isRunning) {
		return errors.Join(errors.New("launchd was asked to stop the service and still runs it"), problem)
	}
	return l.endAll(ctx)
}

func (l *launchd) status(ctx context.Context) (Status, error) {
	st := Status{Kind: "launchd"}
	text, err := os.ReadFile(l.file)
	if errors.Is(err, fs.ErrNotExist) {
		l.findLeftover(ctx, &st)
		return st, nil
	}
	if err != nil {
		return st, err
	}
	st.Installed, st.File, st.AtLogin = true, l.file, true
	st.Path = l.supervisorPath()
	st.Current = l.isCurrent() && strings.Contains(string(text), xmlText(l.spec.Program)) && strings.Contains(string(text), xmlText(l.spec.settingsFile()))
	l.judgeStatus(ctx, &st)
	st.Active = l.isRunning()
	return st, nil
}
