// Package service makes the engine the user's own login service: it starts when
// the user logs in, is started again when it fails, and can be taken away without
// a trace.
//
//	s, err := service.New(ctx, spec, engine)
//	err = s.Install(ctx) // or to another version: the same call
//	err = s.Start(ctx)
//
// Who keeps the engine differs by machine, and [Status.Kind] says which it is:
//
//	systemd     Linux with a systemd user manager: a unit of our own
//	autostart   other Linux desktops: an XDG autostart entry, supervised by ourselves
//	launchd     macOS: a LaunchAgent, supervised by ourselves
//	logon       Windows: an entry under HKCU Run, supervised by ourselves
//
// A service of Windows' own is none of these: it belongs to no user, and so has
// neither the user's programs nor what these are logged in to.
//
// Supervised by ourselves means that the entry starts [Supervise], a small process
// that starts the engine and starts it again when it fails. launchd could do that
// alone, but knows no exit status after which another start mends nothing.
//
// # Promises
//
// Install over an older installation is an update, also from one kind to another.
// Uninstall ends the engine first and leaves no entry and no process, whatever kind
// it finds; configuration and state are not touched. Nothing is started at login
// that Install was not called for. Whether the engine runs is asked of the engine;
// [Status.State] are the manager's own words and may be of another opinion.
package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// ErrNotInstalled says that there is no entry to start.
var ErrNotInstalled = errors.New("the login service is not installed")

// Spec is what is installed.
type Spec struct {
	Name    string            `json:"name"`    // of the entry, such as vault-dispatcher
	Title   string            `json:"title"`   // what people read
	Program string            `json:"program"` // absolute
	Args    []string          `json:"args"`    // that make Program the engine
	Keeper  []string          `json:"-"`       // that make it call [Supervise] with the file that follows
	Env     map[string]string `json:"env"`     // what the engine needs beside the login's own
	Final   []int             `json:"final"`   // exit statuses after which another start mends nothing
	Dir     string            `json:"-"`       // absolute; for what the supervisor needs, in the state folder
}

// Engine is how the running engine is asked, whoever started it.
type Engine struct {
	Running func(context.Context) bool
	Stop    func(context.Context) error // asks it to end; returns before it has
}

// Status is what is installed.
type Status struct {
	Kind      string `json:"kind"`
	Installed bool   `json:"installed"`
	AtLogin   bool   `json:"atLogin"` // it starts at login; a user may have switched that off
	Current   bool   `json:"current"` // the entry starts this program in this way
	Active    bool   `json:"active"`  // whoever keeps the engine keeps it now
	State     string `json:"state"`   // the manager's own words
	File      string `json:"file"`    // the entry
}

// backend is one kind of login service. The engine of an entry that is removed was
// stopped before.
type backend interface {
	add(ctx context.Context) error
	remove(ctx context.Context) error
	start(ctx context.Context) error
	stop(ctx context.Context) error // nothing to stop is no error
	status(ctx context.Context) (Status, error)
}

// Service is the login service of this user.
type Service struct {
	// kinds are all this system may have; the first is the one that is installed.
	kinds []backend
}

// New returns the login service this machine can have.
func New(ctx context.Context, spec Spec, engine Engine) (*Service, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	kinds, err := backends(ctx, spec, engine)
	if err != nil {
		return nil, err
	}
	return &Service{kinds: kinds}, nil
}

// Install makes the entry, or makes it anew: what an older one runs is ended first.
// It starts nothing.
func (s *Service) Install(ctx context.Context) error {
	if _, err := s.clear(ctx); err != nil {
		return err
	}
	return s.kinds[0].add(ctx)
}

// Uninstall ends the engine and removes the entry; false when there was none.
func (s *Service) Uninstall(ctx context.Context) (bool, error) { return s.clear(ctx) }

// clear removes what is installed, of every kind.
func (s *Service) clear(ctx context.Context) (found bool, err error) {
	for _, kind := range s.kinds {
		st, err := kind.status(ctx)
		if err != nil {
			return found, err
		}
		if !st.Installed {
			continue
		}
		found = true
		if err := kind.stop(ctx); err != nil {
			return found, err
		}
		if err := kind.remove(ctx); err != nil {
			return found, err
		}
	}
	return found, nil
}

// Start starts what is installed. It returns when that has begun: whether the
// engine came up is for the engine to say.
func (s *Service) Start(ctx context.Context) error {
	kind, _, err := s.installed(ctx)
	if err != nil {
		return err
	}
	return kind.start(ctx)
}

// Stop ends the engine until the next login or Start.
func (s *Service) Stop(ctx context.Context) error {
	kind, _, err := s.installed(ctx)
	if err != nil {
		return err
	}
	return kind.stop(ctx)
}

// Restart is Stop and Start.
func (s *Service) Restart(ctx context.Context) error {
	kind, _, err := s.installed(ctx)
	if err != nil {
		return err
	}
	if err := kind.stop(ctx); err != nil {
		return err
	}
	return kind.start(ctx)
}

// Status says what is installed, or what would be.
func (s *Service) Status(ctx context.Context) (Status, error) {
	_, st, err := s.installed(ctx)
	if errors.Is(err, ErrNotInstalled) {
		return s.kinds[0].status(ctx)
	}
	return st, err
}

func (s *Service) installed(ctx context.Context) (backend, Status, error) {
	for _, kind := range s.kinds {
		st, err := kind.status(ctx)
		if err != nil || st.Installed {
			return kind, st, err
		}
	}
	return nil, Status{}, ErrNotInstalled
}

// check refuses what no entry could say. Every format we write is UTF-8.
func (s Spec) check() error {
	if s.Name == "" || strings.Trim(s.Name, "abcdefghijklmnopqrstuvwxyz-") != "" {
		return fmt.Errorf("%q is no name for a service", s.Name)
	}
	if !filepath.IsAbs(s.Program) || !filepath.IsAbs(s.Dir) {
		return fmt.Errorf("the paths %q and %q must be absolute", s.Program, s.Dir)
	}
	words := append([]string{s.Title, s.Program, s.Dir}, slices.Concat(s.Args, s.Keeper)...)
	for name, value := range s.Env {
		if name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			return fmt.Errorf("%q is no name for a variable", name)
		}
		words = append(words, value)
	}
	for _, word := range words {
		if !utf8.ValidString(word) || strings.ContainsFunc(word, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return fmt.Errorf("%q cannot stand in the entry of a login service", word)
		}
	}
	return nil
}

// gone waits until something has ended, but not for ever.
func gone(ctx context.Context, limit time.Duration, there func() bool) bool {
	for until := time.Now().Add(limit); there(); {
		if ctx.Err() != nil || time.Now().After(until) {
			return false
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
	return true
}

// writeFile puts a file in its place in one step, with the folders above it.
func writeFile(file, text string, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	temp := file + ".tmp"
	if err := os.WriteFile(temp, []byte(text), mode); err != nil {
		return err
	}
	if err := os.Rename(temp, file); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}
