package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	kardianos "github.com/kardianos/service"
)

// backends prefers systemd where its user manager answers. Where it does not
// answer us, as after su, a unit that is there is still the one that counts.
func backends(ctx context.Context, spec Spec, engine Engine) ([]backend, error) {
	unit, err := newSystemd(spec)
	if err != nil {
		return nil, err
	}
	entry, err := newAutostart(spec, engine)
	if err != nil {
		return nil, err
	}
	if unit.reachable(ctx) == nil || unit.there() {
		return []backend{unit, entry}, nil
	}
	return []backend{entry}, nil
}

// systemd is a unit of the user's own service manager, by way of kardianos, which
// knows the verbs. What it says of errors is only "exit status 1", and of states
// less than the manager does, so these we ask ourselves.
type systemd struct {
	spec Spec
	svc  kardianos.Service
}

func newSystemd(spec Spec) (*systemd, error) {
	config := &kardianos.Config{
		Name: spec.Name, DisplayName: spec.Title, Description: spec.Title, Executable: spec.Program,
		Option: kardianos.KeyValue{"UserService": true, "SystemdScript": unitText(spec, umask())},
	}
	for _, system := range kardianos.AvailableSystems() {
		if system.String() != "linux-systemd" {
			continue
		}
		svc, err := system.New(nil, config)
		return &systemd{spec: spec, svc: svc}, err
	}
	return nil, errors.New("the library knows no systemd")
}

// umask is that of this process, or nothing where it cannot be known.
func umask() string {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if mask, ok := strings.CutPrefix(line, "Umask:"); ok {
			return strings.TrimSpace(mask)
		}
	}
	return ""
}

func (s *systemd) unit() string { return s.spec.Name + ".service" }

// file is where kardianos writes the unit.
func (s *systemd) file() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".config", "systemd", "user", s.unit()), nil
}

func (s *systemd) there() bool {
	file, err := s.file()
	if err != nil {
		return false
	}
	_, err = os.Stat(file)
	return err == nil
}

// reachable is nil where a user manager answers.
func (s *systemd) reachable(ctx context.Context) error {
	_, err := systemctl(ctx, "show", "--property=Version")
	return err
}

// do runs one of kardianos' verbs and says what the manager says when it fails.
func (s *systemd) do(ctx context.Context, what string, verb func() error) error {
	if err := s.reachable(ctx); err != nil {
		return fmt.Errorf("%s the service: no service manager of this user can be reached from here: %w", what, err)
	}
	err := verb()
	if err == nil {
		return nil
	}
	if text, problem := systemctl(ctx, "show", "--property="+shownProperties, s.unit()); problem == nil {
		return fmt.Errorf("%s the service: systemd says %s: %w", what, parseShown(text).words(), err)
	}
	return fmt.Errorf("%s the service: %w", what, err)
}

func (s *systemd) add(ctx context.Context) error {
	err := s.do(ctx, "install", s.svc.Install)
	if err != nil {
		if file, problem := s.file(); problem == nil {
			os.Remove(file) // a unit that is not enabled would look installed
		}
	}
	return err
}

func (s *systemd) remove(ctx context.Context) error {
	if s.there() {
		if err := s.do(ctx, "remove", s.svc.Uninstall); err != nil {
			return err
		}
	}
	systemctl(ctx, "reset-failed", s.unit()) // nothing is left to be told of; it may never have failed
	return nil
}

// withdraw is remove: systemd keeps what it knows of a unit until that has ended.
func (s *systemd) withdraw(ctx context.Context) error { return s.remove(ctx) }

// start forgets earlier failures: whoever says start has seen them.
func (s *systemd) start(ctx context.Context) error {
	return s.do(ctx, "start", func() error {
		systemctl(ctx, "reset-failed", s.unit())
		return s.svc.Start()
	})
}

func (s *systemd) stop(ctx context.Context) error { return s.do(ctx, "stop", s.svc.Stop) }

// linger keeps the user's manager running without a session. It is a setting of the
// user's account, and other services may need it as well: remove leaves it.
func (s *systemd) linger(ctx context.Context) error {
	_, err := ask(ctx, "loginctl", "enable-linger")
	return err
}

func (s *systemd) status(ctx context.Context) (Status, error) {
	st := Status{Kind: "systemd"}
	file, err := s.file()
	if err != nil {
		return st, err
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if out, err := systemctl(ctx, "show", "--property="+shownProperties, s.unit()); err == nil {
			if props := parseShown(out); props.active() {
				st.Active, st.State = true, props.words()
			}
		}
		return st, nil
	}
	if err != nil {
		return st, err
	}
	st.Installed, st.File, st.Path = true, file, unitVariable(string(text), "PATH")
	st.Current = strings.Contains(string(text), "\n"+execStart(s.spec)+"\n")
	out, err := systemctl(ctx, "show", "--property="+shownProperties, s.unit())
	if err != nil {
		st.State = err.Error()
		return st, nil
	}
	props := parseShown(out)
	st.Active, st.State, st.AtLogin = props.active(), props.words(), props["UnitFileState"] == "enabled"
	return st, nil
}
