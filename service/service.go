// Package service makes the engine the user's own login service: it starts when
// the user logs in, is started again when it fails, and can be taken away without
// a trace.
//
//	s, err := service.New(ctx, spec, engine)
//	err = s.Install(ctx) // or to another version: the same call
//	err = s.Start(ctx)
//
// The supervisor of the engine depends on the platform; [Status.Kind] names it:
//
//	systemd     Linux with a systemd user manager: a unit of our own
//	autostart   other Linux desktops: an XDG autostart entry, supervised by ourselves
//	launchd     macOS: a LaunchAgent, supervised by ourselves
//	logon       Windows: an entry under HKCU Run, supervised by ourselves
//	scm         Windows, where [Spec.Account] says so: a service of its own
//
// A service of Windows' own is not the default: it belongs to no user, and so has
// neither the user's programs nor what these are logged in to, unless an
// administrator gives it the user's account and password.
//
// Supervised by ourselves means that the entry starts [Supervise], a small process
// that starts the engine and starts it again when it fails. launchd could do that
// alone, but knows no exit status after which another start mends nothing.
//
// # Promises
//
// Install over an older installation is an update, also from one kind to another.
// Uninstall ends the engine first and leaves no entry and no process, whatever kind
// it finds; configuration and state are not touched. Only what was installed starts at
// login. The engine itself reports whether it runs; [Status.State] is the service
// manager's view and may differ.
package service

import (
	"context"
	"errors"
)

// ErrNotInstalled says that there is no entry to start.
var ErrNotInstalled = errors.New("the login service is not installed")

// ErrNoLinger says that this kind of service runs only while the user is logged in.
var ErrNoLinger = errors.New("only systemd can run the engine while you are not logged in")

// ErrAdministrator says that a service of Windows' own needs an administrator.
var ErrAdministrator = errors.New("only an administrator may do that")

// ErrAccount says that Windows does not let a service run under the account.
var ErrAccount = errors.New("this account and password cannot log on as a service")

// Engine calls the running engine, even one that no service started.
type Engine struct {
	Running func(context.Context) (pid int, running bool) // pid 0 is one that does not say
	Stop    func(context.Context) error                   // asks it to end; returns before it has
}

// Status is what is installed.
type Status struct {
	Kind      string `json:"kind"`
	Installed bool   `json:"installed"`
	AtLogin   bool   `json:"atLogin"` // it starts at login; a user may have switched that off
	Current   bool   `json:"current"` // the entry starts this program in this way
	Active    bool   `json:"active"`  // the manager keeps the engine now, also after its entry was withdrawn
	Orphan    bool   `json:"orphan"`  // the engine outlived its supervisor; start puts another in its place
	State     string `json:"state"`   // the manager's own words
	File      string `json:"file"`    // the entry
	Path      string `json:"path"`    // the PATH its engine is given; empty where that is the login's own
}

// backend is one kind of login service. The engine of an entry that is removed was
// stopped before.
type backend interface {
	add(ctx context.Context) error
	remove(ctx context.Context) error // also what is left of an entry that was withdrawn
	start(ctx context.Context) error
	stop(ctx context.Context) error // nothing to stop is no error
	status(ctx context.Context) (Status, error)
	withdraw(ctx context.Context) error // remove the entry; the engine continues
}

// Service is the login service of this user.
type Service struct {
	// kinds are all this system may have; the first is the one that is installed.
	kinds []backend
	unfit error // why there can be no entry
}

// New returns the login service this machine can have.
func New(ctx context.Context, spec Spec, engine Engine) (*Service, error) {
	if err := spec.checkFields(); err != nil {
		return nil, err
	}
	kinds, err := listBackends(ctx, spec, engine)
	if err != nil {
		return nil, err
	}
	return &Service{kinds: kinds, unfit: spec.checkWords()}, nil
}

// Install makes the entry, or makes it anew: what an older one runs is ended first.
// It starts nothing.
func (s *Service) Install(ctx context.Context) error {
	if s.unfit != nil {
		return s.unfit
	}
	if _, err := s.removeAll(ctx); err != nil {
		return err
	}
	return s.kinds[0].add(ctx)
}

// Uninstall ends the engine and removes the entry. Without an entry it ends what a
// withdrawn one left running. It returns false when there was neither.
func (s *Service) Uninstall(ctx context.Context) (bool, error) {
	if found, err := s.removeAll(ctx); found || err != nil {
		return found, err
	}
	kind, err := s.findSupervisor(ctx)
	if errors.Is(err, ErrNotInstalled) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, endKind(ctx, kind)
}

// Withdraw removes the entry and leaves the engine that it has started, which may be the caller. It returns false
// without an entry.
func (s *Service) Withdraw(ctx context.Context) (bool, error) {
	return s.eachBackend(ctx, func(ctx context.Context, kind backend) error { return kind.withdraw(ctx) })
}

// removeAll removes what is installed, of every kind.
func (s *Service) removeAll(ctx context.Context) (bool, error) { return s.eachBackend(ctx, endKind) }

// eachBackend calls do for each installed kind. found reports whether there was one.
func (s *Service) eachBackend(ctx context.Context, do func(context.Context, backend) error) (found bool, err error) {
	for _, kind := range s.kinds {
		st, err := kind.status(ctx)
		if err != nil {
			return found, err
		}
		if !st.Installed {
			continue
		}
		found = true
		if err := do(ctx, kind); err != nil {
			return found, err
		}
	}
	return found, nil
}

// endKind ends the engine of a kind, and removes its entry when that has ended.
func endKind(ctx context.Context, kind backend) error {
	if err := kind.stop(ctx); err != nil {
		return err
	}
	return kind.remove(ctx)
}

// Start starts what is installed. It returns when that has begun: whether the
// engine came up is for the engine to say.
func (s *Service) Start(ctx context.Context) error {
	kind, _, err := s.findInstalled(ctx)
	if err != nil {
		return err
	}
	return kind.start(ctx)
}

// Stop ends the engine until the next login or Start. It also ends what a withdrawn entry
// left running.
func (s *Service) Stop(ctx context.Context) error {
	kind, err := s.findSupervisor(ctx)
	if err != nil {
		return err
	}
	return kind.stop(ctx)
}

// Restart is Stop and Start.
func (s *Service) Restart(ctx context.Context) error {
	kind, _, err := s.findInstalled(ctx)
	if err != nil {
		return err
	}
	if err := kind.stop(ctx); err != nil {
		return err
	}
	return kind.start(ctx)
}

// Linger lets the engine run also while the user is not logged in, from the start of
// the machine on. Only systemd can do that; elsewhere it is [ErrNoLinger]
// (https://www.freedesktop.org/software/systemd/man/latest/loginctl.html).
func (s *Service) Linger(ctx context.Context) error {
	kind, _, err := s.findInstalled(ctx)
	if err != nil {
		return err
	}
	if l, ok := kind.(lingerer); ok {
		return l.keepLingering(ctx)
	}
	return ErrNoLinger
}

// lingerer is a kind that can outlive the user's last session.
type lingerer interface {
	keepLingering(ctx context.Context) error
}

// Status says what is installed, or what would be.
func (s *Service) Status(ctx context.Context) (Status, error) {
	_, st, err := s.findInstalled(ctx)
	if errors.Is(err, ErrNotInstalled) {
		return s.kinds[0].status(ctx)
	}
	return st, err
}

func (s *Service) findInstalled(ctx context.Context) (backend, Status, error) {
	for _, kind := range s.kinds {
		st, err := kind.status(ctx)
		if err != nil || st.Installed {
			return kind, st, err
		}
	}
	return nil, Status{}, ErrNotInstalled
}

// findSupervisor is what is installed, or else what keeps an engine although its entry was
// withdrawn.
func (s *Service) findSupervisor(ctx context.Context) (backend, error) {
	installed, _, problem := s.findInstalled(ctx)
	if !errors.Is(problem, ErrNotInstalled) {
		return installed, problem
	}
	for _, kind := range s.kinds {
		if st, err := kind.status(ctx); err != nil || st.Active {
			return kind, err
		}
	}
	return nil, ErrNotInstalled
}
