package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/service"
	"vaultdispatcher/service/host"
)

// login is the login service as the commands see it: the entry, and the engine that
// is asked over HTTP.
type login struct {
	*service.Service
	spec   service.Spec
	state  string
	port   int // where an engine listens that says nothing else
	vaults []config.Vault
	err    error
}

// probeTime is how long an engine has to say that it is there.
const probeTime = time.Second

// serviceName is that of every entry.
const serviceName = "vault-dispatcher"

// temporary is where go run puts a program that is gone when it ends.
var temporary = regexp.MustCompile(`[/\\]go-build\d+[/\\]b\d+[/\\]exe[/\\]`)

// login returns the login service. A configuration that cannot be used keeps
// nobody from looking at it or taking it away: its problem is in err.
func (a *app) login(ctx context.Context) (*login, error) {
	state, err := config.StateDir()
	if err != nil {
		return nil, err
	}
	cfg, problem := a.load()
	l := &login{state: state, port: cfg.HTTPPort, vaults: cfg.Vaults, err: problem}
	spec, err := a.serviceSpec(state)
	if err != nil {
		return nil, err
	}
	l.spec = spec
	return l, l.remake(ctx)
}

// remake makes the service of a specification that has changed.
func (l *login) remake(ctx context.Context) (err error) {
	l.Service, err = service.New(ctx, l.spec, service.Engine{Running: l.answers, Stop: l.shutdown})
	return err
}

// serviceSpec is this program as a login service, with the configuration of this
// command and what this environment says of places and settings. A service is
// given a short PATH, on which no agent stands.
func (a *app) serviceSpec(state string) (service.Spec, error) {
	program, err := os.Executable()
	if err != nil {
		return service.Spec{}, fmt.Errorf("find this program: %w", err)
	}
	spec := service.Spec{
		Name: serviceName, Title: "Vault Dispatcher", Program: program,
		Args: []string{"run"}, Keeper: []string{"service", "run"}, Env: make(map[string]string),
		Final: []int{exitPortTaken, exitConfig, exitLocked}, Dir: filepath.Join(state, "service"),
	}
	if a.configFile != "" {
		file, err := filepath.Abs(a.configFile)
		if err != nil {
			return service.Spec{}, fmt.Errorf("find the configuration: %w", err)
		}
		spec.Args = []string{"--config", file, "run"}
	}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if handedOn(name, value) {
			spec.Env[name] = value
		}
	}
	return spec, nil
}

// handedOn says whether a variable is part of the installation.
func handedOn(name, value string) bool {
	switch name {
	case "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME":
		return filepath.IsAbs(value)
	case "PATH":
		return value != ""
	}
	return strings.HasPrefix(name, "WIKI_")
}

// client asks the engine that uses our state folder, if there is one.
func (l *login) client(ctx context.Context) (*client.Client, error) {
	return host.NewClient(ctx, l.state, l.port)
}

// engine is the status of the running engine that uses our state folder; where
// another one has the port it is doctor.ErrOtherState.
func (l *login) engine(ctx context.Context) (api.Status, error) {
	client, err := l.client(ctx)
	if err != nil {
		return api.Status{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	status, err := client.Status(ctx)
	if err == nil && !host.UsesState(ctx, l.state, status.Port) {
		err = doctor.ErrOtherState
	}
	return status, err
}

// answers reports whether our engine is there; one that refuses or is slow is. If
// another program has the port, its PID is returned.
func (l *login) answers(ctx context.Context) (pid int, there bool) {
	status, err := l.engine(ctx)
	_, refused := errors.AsType[*api.StatusError](err)
	return status.PID, err == nil || refused || errors.Is(err, context.DeadlineExceeded)
}

func (l *login) shutdown(ctx context.Context) error {
	client, err := l.client(ctx)
	if err != nil {
		return err
	}
	return client.Shutdown(ctx)
}

// arrives waits for the engine that was started after begun. Where it does not come,
// the manager's own words say how it fares.
func (l *login) arrives(ctx context.Context, begun time.Time) (api.Status, error) {
	for {
		status, err := l.engine(ctx)
		if err == nil {
			return status, nil
		}
		kept, problem := l.Status(ctx)
		if problem != nil {
			return api.Status{}, problem
		}
		reason := host.LastError(l.state, begun)
		switch {
		case !overdue(time.Since(begun), kept.Active, reason != ""):
		case reason != "":
			return api.Status{}, fail("wiki service status shows how it fares", "the engine did not come up: %s", reason)
		default:
			return api.Status{}, fail("wiki logs shows what it has done; wiki run shows it in the foreground", "the engine does not answer; the service is %s", kept.State)
		}
		select {
		case <-ctx.Done():
			return api.Status{}, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// overdue says that nobody need wait any longer for an engine that was started so long
// ago. One that failed has said why. While nothing is heard of it, it or who keeps it may
// only be slow to begin, as a program is that a scanner of viruses reads first.
func overdue(waited time.Duration, kept, failed bool) bool {
	switch {
	case failed && !kept:
		return waited > 2*time.Second
	case failed || !kept:
		return waited > 20*time.Second
	}
	return waited > time.Minute
}

// finish waits until no agent is at work in the service's engine, so that nothing has
// to be asked again.
func (l *login) finish(ctx context.Context, tell io.Writer) error {
	if v, err := l.view(ctx); err != nil || !v.Active && !v.Orphan {
		return err
	}
	told := false
	for until := time.Now().Add(host.WaitForAgents); time.Now().Before(until); {
		status, err := l.engine(ctx)
		if err != nil || status.Queue.Processing == 0 {
			return nil
		}
		if !told {
			fmt.Fprintf(tell, "wiki: waiting for %s at work\n", plural(status.Queue.Processing, "agent"))
			told = true
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
	return nil
}
