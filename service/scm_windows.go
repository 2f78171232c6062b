package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	kardianos "github.com/kardianos/service"
	"golang.org/x/sys/windows"

	"vaultdispatcher/engine/files"
)

// scm is a service of Windows' own, by way of kardianos. It starts with the machine
// and needs an administrator, and the password of the account it runs under: a
// service without an account is LocalSystem, which has neither the user's folders
// nor the user's agents. It runs the same supervisor, in [Serve].
type scm struct {
	supervised
	svc kardianos.Service
}

func newSCM(spec Spec, engine Engine) (*scm, error) {
	config := &kardianos.Config{
		Name: spec.Name, DisplayName: spec.Title, Description: spec.Title, Executable: spec.Program,
		Arguments: append(spec.supervisorCommand()[1:], "--system"),
		Option:    kardianos.KeyValue{kardianos.OnFailure: kardianos.OnFailureRestart, kardianos.OnFailureDelayDuration: "2s"},
	}
	if spec.Account != nil {
		config.UserName, config.Option["Password"] = spec.Account.Name, spec.Account.Password
	}
	svc, err := kardianos.New(nil, config)
	return &scm{supervised{spec, engine}, svc}, err
}

// explainRefusal gives the errors that a person can do something about their names.
func explainRefusal(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s the service: %w", what, ErrAdministrator)
	case errors.Is(err, windows.ERROR_SERVICE_LOGON_FAILED), errors.Is(err, windows.ERROR_INVALID_SERVICE_ACCOUNT):
		return fmt.Errorf("%s the service: %w", what, ErrAccount)
	}
	return fmt.Errorf("%s the service: %w", what, err)
}

func (s *scm) add(context.Context) error {
	if err := s.spec.saveSettings(); err != nil {
		return err
	}
	return explainRefusal("install", s.svc.Install())
}

func (s *scm) remove(context.Context) error {
	if err := explainRefusal("remove", s.svc.Uninstall()); err != nil {
		return err
	}
	return files.RemoveAll(s.spec.Dir)
}

// withdraw has Windows forget the service when it has ended.
func (s *scm) withdraw(context.Context) error {
	return errors.Join(explainRefusal("remove", s.svc.Uninstall()), s.removeFiles())
}

func (s *scm) isRunning() bool {
	st, err := s.svc.Status()
	return err == nil && st == kardianos.StatusRunning
}

func (s *scm) start(ctx context.Context) error {
	if s.isRunning() {
		return nil
	}
	if err := s.endAll(ctx); err != nil { // an engine that outlived its supervisor
		return err
	}
	return explainRefusal("start", s.svc.Start())
}

func (s *scm) stop(ctx context.Context) error {
	supervisor := s.supervisorPID()
	if s.isRunning() {
		if err := explainRefusal("stop", s.svc.Stop()); err != nil {
			return err
		}
	}
	awaitEnd(ctx, supervisor) // Windows calls a service stopped before its process has ended
	return s.endAll(ctx)
}

func (s *scm) status(ctx context.Context) (Status, error) {
	st := Status{Kind: "scm"}
	_, err := s.svc.Status()
	if errors.Is(err, kardianos.ErrNotInstalled) || errors.Is(err, fs.ErrPermission) {
		return st, nil // a user who may not ask did not install it
	}
	if err != nil {
		return st, err
	}
	st.Installed, st.File = true, `HKLM\SYSTEM\CurrentControlSet\Services\`+s.spec.Name
	st.Current, st.AtLogin, st.Path = s.isCurrent(), true, s.supervisorPath()
	s.judgeStatus(ctx, &st)
	return st, nil
}
