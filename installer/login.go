package installer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/service"
	"vaultdispatcher/service/logfile"
)

// ServiceName is that of every entry.
const ServiceName = "vault-dispatcher"

const (
	probeTime = time.Second            // how long an engine has to say that it is there
	askAgain  = 200 * time.Millisecond // how long before the engine is asked again
)

// ErrTemporary says that this program is deleted when it ends.
var ErrTemporary = errors.New("this is a temporary go run build; a service cannot start it")

// Login is the login service of this program: its entry, and the engine that it keeps.
type Login struct {
	*service.Service
	Config  config.Config
	Problem error // why the configuration cannot be used; nil = it can
	State   string

	file string // as of --config; empty = the usual one
	spec service.Spec
}

// ServiceView is the service, and the engine even if the service did not start it.
type ServiceView struct {
	service.Status
	Running bool `json:"running"`          // an engine answers, even one that the service did not start
	Silent  bool `json:"silent,omitempty"` // an engine is there, and does not answer
	PID     int  `json:"pid"`
	Port    int  `json:"port"`
}

// StartError says that an engine which was started does not answer.
type StartError struct {
	Reason string // its own words; empty = it has said nothing
	State  string // the service, in the manager's words
}

func (e *StartError) Error() string {
	if e.Reason != "" {
		return "the engine did not come up: " + e.Reason
	}
	return "the engine does not answer; the service is " + e.State
}

// NewLogin returns the login service for a configuration file, the usual one if file
// is empty. final are the exit statuses after which the engine is not started again.
// A configuration that cannot be used is no error, but the [Login]'s Problem.
func NewLogin(ctx context.Context, file string, final ...int) (*Login, error) {
	state, err := place.StateDir()
	if err != nil {
		return nil, err
	}
	l := &Login{State: state, file: file}
	l.Config, l.Problem = config.Load(file)
	if l.spec, err = serviceSpec(file, state, final); err != nil {
		return nil, err
	}
	return l, l.makeService(ctx)
}

// UseAccount makes the service one of Windows' own, under the account of this user.
func (l *Login) UseAccount(ctx context.Context, account service.Account) error {
	l.spec.Account = &account
	return l.makeService(ctx)
}

// makeService makes the service of a specification that has changed.
func (l *Login) makeService(ctx context.Context) (err error) {
	l.Service, err = service.New(ctx, l.spec, service.Engine{Running: l.FindEngine, Stop: l.Shutdown})
	return err
}

// serviceSpec is this program as a login service, with its configuration and what this
// environment says of places and settings. A service is given a short PATH that holds
// no agent programs.
func serviceSpec(file, state string, final []int) (service.Spec, error) {
	program, err := ThisProgram()
	if err != nil {
		return service.Spec{}, err
	}
	spec := service.Spec{
		Name: ServiceName, Title: "Vault Dispatcher", Program: program,
		Args: []string{"run"}, Supervisor: []string{"service", "run"}, Env: make(map[string]string),
		Final: final, Dir: filepath.Join(state, "service"),
	}
	if file != "" {
		if file, err = filepath.Abs(file); err != nil {
			return service.Spec{}, fmt.Errorf("find the configuration: %w", err)
		}
		spec.Args = []string{"--config", file, "run"}
	}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if isHandedOn(name, value) {
			spec.Env[name] = value
		}
	}
	return spec, nil
}

// isHandedOn reports whether a variable is part of the installation.
func isHandedOn(name, value string) bool {
	switch name {
	case "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME":
		return filepath.IsAbs(value)
	case "PATH", "WSL_DISTRO_NAME": // the latter systemd gives to no service
		return value != ""
	}
	return strings.HasPrefix(name, "WIKI_")
}

// Engine returns the status of the engine that uses our state folder. If another has the port the error is doctor.ErrOtherState.
func (l *Login) Engine(ctx context.Context) (api.Status, error) {
	engine, err := client.FindEngine(ctx, l.State, l.Config.HTTPPort)
	if err != nil {
		return api.Status{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience.Of(probeTime))
	defer cancel()
	status, err := engine.Status(ctx)
	if err == nil && !client.UsesState(ctx, l.State, status.Port) {
		err = doctor.ErrOtherState
	}
	return status, err
}

// FindEngine reports whether our engine is there; one that refuses or is slow is. If
// another engine has the port, its PID is returned.
func (l *Login) FindEngine(ctx context.Context) (pid int, isThere bool) {
	status, err := l.Engine(ctx)
	_, refused := errors.AsType[*api.StatusError](err)
	return status.PID, err == nil || refused || errors.Is(err, context.DeadlineExceeded)
}

// Shutdown asks our engine to end.
func (l *Login) Shutdown(ctx context.Context) error {
	engine, err := client.FindEngine(ctx, l.State, l.Config.HTTPPort)
	if err != nil {
		return err
	}
	return engine.Shutdown(ctx)
}

// View returns the service and the engine.
func (l *Login) View(ctx context.Context) (ServiceView, error) {
	kept, err := l.Status(ctx)
	if err != nil {
		return ServiceView{}, err
	}
	v := ServiceView{Status: kept}
	s, err := l.Engine(ctx)
	if err == nil {
		v.Running, v.PID, v.Port = true, s.PID, s.Port
	}
	v.Silent = errors.Is(err, context.DeadlineExceeded)
	return v, nil
}

// IsCurrent reports whether installing the service anew would change nothing.
func (v ServiceView) IsCurrent() bool {
	return v.Installed && v.Current && v.Active && v.Running && v.Path == os.Getenv("PATH")
}

// Prepare checks that a service can be installed for this program, and waits for the
// agents of the one that is there. waiting is called once if there are any.
func (l *Login) Prepare(ctx context.Context, waiting func(agents int)) error {
	if l.Problem != nil {
		return &config.Unusable{Err: l.Problem}
	}
	if IsTemporary() {
		return ErrTemporary
	}
	return l.WaitForAgents(ctx, waiting)
}

// Switch installs the login service or withdraws it; the engine that runs now continues.
func (l *Login) Switch(ctx context.Context, on bool) error {
	if l.Problem != nil {
		return l.Problem
	}
	kept, err := l.Status(ctx)
	if err != nil || kept.Installed == on {
		return err
	}
	if on {
		return l.Install(ctx)
	}
	_, err = l.Withdraw(ctx)
	return err
}

// WaitForStart waits for the engine that was started after begun. The error is a
// *[StartError] if it does not come.
func (l *Login) WaitForStart(ctx context.Context, begun time.Time) error {
	for {
		if _, err := l.Engine(ctx); err == nil {
			return nil
		}
		kept, err := l.Status(ctx)
		if err != nil {
			return err
		}
		reason := logfile.LastError(l.State, begun)
		if isOverdue(time.Since(begun), kept.Active, reason != "") {
			return &StartError{reason, kept.State}
		}
		if err := due.Sleep(ctx, askAgain); err != nil {
			return err
		}
	}
}

// isOverdue reports whether an engine that was started so long ago is given up. One
// that failed has said why. One that has said nothing, or its supervisor, may only be
// slow to start, as a program is that a virus scanner reads first.
func isOverdue(waited time.Duration, isKept, hasFailed bool) bool {
	switch {
	case hasFailed && !isKept:
		return waited > 2*time.Second
	case hasFailed || !isKept:
		return waited > 20*time.Second
	}
	return waited > time.Minute
}

// WaitForAgents waits until no agent runs in the service's engine: no question is asked again. waiting is called once if any runs.
func (l *Login) WaitForAgents(ctx context.Context, waiting func(agents int)) error {
	if v, err := l.View(ctx); err != nil || !v.Active && !v.Orphan {
		return err
	}
	told := false
	for until := time.Now().Add(client.WaitForAgents); time.Now().Before(until); {
		status, err := l.Engine(ctx)
		if err != nil || status.Queue.Processing == 0 {
			return nil
		}
		if !told {
			waiting(status.Queue.Processing)
			told = true
		}
		if err := due.Sleep(ctx, askAgain); err != nil {
			return err
		}
	}
	return nil
}

// ThisProgram is the path of this program that entries of others name.
func ThisProgram() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return stablePath(program), nil
}

// stablePath is the link by which Homebrew names a program of any version, if it leads to this one.
func stablePath(program string) string {
	if prefix, _, found := strings.Cut(program, "/Cellar/"); found {
		link := filepath.Join(prefix, "bin", filepath.Base(program))
		if real, err := filepath.EvalSymlinks(link); err == nil && real == files.FollowLinks(program) {
			return link
		}
	}
	return program
}

// temporary is where go run puts a program, which it deletes when that ends.
var temporary = regexp.MustCompile(`[/\\]go-build\d+[/\\]b\d+[/\\]exe[/\\]`)

// IsTemporary reports whether this program is deleted when it ends.
func IsTemporary() bool {
	program, err := os.Executable()
	return err != nil || temporary.MatchString(program)
}
