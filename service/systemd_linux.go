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

	"vaultdispatcher/engine/syserr"
)

// listBackends prefers systemd where its user manager answers. Where it does not
// answer us, as after su, a unit that is there is still the one that counts.
func listBackends(ctx context.Context, spec Spec, engine Engine) ([]backend, error) {
	unit, err := newSystemd(spec)
	if err != nil {
		return nil, err
	}
	entry, err := newAutostart(spec, engine)
	if err != nil {
		return nil, err
	}
	if unit.checkReachable(ctx) == nil || unit.hasUnit() {
		return []backend{unit, entry}, nil
	}
	return []backend{entry}, nil
}

// systemd is a unit of the user's own service manager, by way of kardianos, which
// knows the verbs. What it says of errors is only "exit status 1", and of states
// less than the manager does, so these we ask ourselves
// (https://github.com/kardianos/service/blob/master/service_systemd_linux.go).
type systemd struct {
	spec Spec
	svc  kardianos.Service
}

var _ lingerer = (*systemd)(nil)

func newSystemd(spec Spec) (*systemd, error) {
	config := &kardianos.Config{
		Name: spec.Name, DisplayName: spec.Title, Description: spec.Title, Executable: spec.Program,
		Option: kardianos.KeyValue{"UserService": true, "SystemdScript": unitText(spec, umaskText())},
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

// umaskText is that of this process, or nothing where it cannot be known.
func umaskText() string {
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

func (s *systemd) unitName() string { return s.spec.Name + ".service" }

// unitFile is where kardianos writes the unit.
func (s *systemd) unitFile() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".config", "systemd", "user", s.unitName()), nil
}

func (s *systemd) hasUnit() bool {
	file, err := s.unitFile()
	if err != nil {
		return false
	}
	_, err = os.Stat(file)
	return err == nil
}

// checkReachable is nil where a user manager answers.
func (s *systemd) checkReachable(ctx context.Context) error {
	_, err := runSystemctl(ctx, "show", "--property=Version")
	return err
}

// runVerb runs one of kardianos' verbs and says what the manager says when it fails.
func (s *systemd) runVerb(ctx context.Context, what string, verb func() error) error {
	if err := s.checkReachable(ctx); err != nil {
		return fmt.Errorf("%s the service: no service manager of this user can be reached from here: %w", what, err)
	}
	err := verb()
	if err == nil {
		return nil
	}
	if text, problem := runSystemctl(ctx, "show", "--property="+shownProperties, s.unitName()); problem == nil {
		return fmt.Errorf("%s the service: systemd says %s: %w", what, parseShown(text).stateWords(), err)
	}
	return fmt.Errorf("%s the service: %w", what, err)
}

func (s *systemd) add(ctx context.Context) error {
	err := s.runVerb(ctx, "install", s.svc.Install)
	if err != nil {
		if file, problem := s.unitFile(); problem == nil {
			os.Remove(file) // a unit that is not enabled would look installed
		}
	}
	return err
}

func (s *systemd) remove(ctx context.Context) error {
	if s.hasUnit() {
		if err := s.runVerb(ctx, "remove", s.svc.Uninstall); err != nil {
			return err
		}
	}
	runSystemctl(ctx, "reset-failed", s.unitName()) // nothing is left to be told of; it may never have failed
	return nil
}

// withdraw is remove: systemd keeps what it knows of a unit until that has ended.
func (s *systemd) withdraw(ctx context.Context) error { return s.remove(ctx) }

// start forgets earlier failures, because the caller has seen them.
func (s *systemd) start(ctx context.Context) error {
	return s.runVerb(ctx, "start", func() error {
		runSystemctl(ctx, "reset-failed", s.unitName())
		return s.svc.Start()
	})
}

func (s *systemd) stop(ctx context.Context) error { return s.runVerb(ctx, "stop", s.svc.Stop) }

// keepLingering keeps the user's manager running without a session. It is a setting of the
// user's account, and other services may need it as well: remove leaves it.
func (s *systemd) keepLingering(ctx context.Context) error {
	_, err := askProgram(ctx, "loginctl", "enable-linger")
	return err
}

func (s *systemd) status(ctx context.Context) (Status, error) {
	st := Status{Kind: "systemd"}
	file, err := s.unitFile()
	if err != nil {
		return st, err
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if out, err := runSystemctl(ctx, "show", "--property="+shownProperties, s.unitName()); err == nil {
			if props := parseShown(out); props.isActive() {
				st.Active, st.State = true, props.stateWords()
			}
		}
		return st, nil
	}
	if err != nil {
		return st, err
	}
	st.Installed, st.File, st.Path = true, file, unitVariable(string(text), "PATH")
	st.Current = strings.Contains(string(text), "\n"+execStart(s.spec)+"\n")
	out, err := runSystemctl(ctx, "show", "--property="+shownProperties, s.unitName())
	if err != nil {
		st.State = syserr.Plain(err)
		return st, nil
	}
	props := parseShown(out)
	st.Active, st.State, st.AtLogin = props.isActive(), props.stateWords(), props["UnitFileState"] == "enabled"
	return st, nil
}
