package tray

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/launch"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/service"
)

// The program wiki knows the program, the configuration and the environment of an engine as a login service. So the
// tray has wiki do it.

var errNoWiki = errors.New("the program wiki is neither beside this one nor on the PATH")

// runWiki runs a command of wiki and returns what it prints. An error is its first line, without the name it begins with: the
// words are another program's, maybe of another version, and there is nothing but their text.
func (a *app) runWiki(ctx context.Context, args ...string) ([]byte, error) {
	if a.Wiki == "" {
		return nil, errNoWiki
	}
	var stdout, stderr bytes.Buffer
	cmd := launch.Command(ctx, a.Wiki, slices.Concat(a.Args, args)...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		if line = strings.TrimPrefix(line, "wiki: "); line == "" {
			line = syserr.Plain(err)
		}
		return stdout.Bytes(), errors.New(line)
	}
	return stdout.Bytes(), nil
}

// readLogin asks what is installed. The command fails where no engine runs, and prints
// its answer all the same.
func (a *app) readLogin(ctx context.Context) (*Login, error) {
	text, err := a.runWiki(ctx, "service", "status", "--json")
	var l struct{ Installed, AtLogin, Active bool }
	if problem := json.Unmarshal(text, &l); problem != nil {
		if err == nil {
			err = fmt.Errorf("read the state of the login service: %w", problem)
		}
		return &Login{}, err
	}
	return &Login{Certain: true, Installed: l.Installed, Engine: l.Installed && l.AtLogin, Active: l.Active}, nil
}

// startOrStop starts and stops, and puts in and out of the login; whatever it does, it
// looks afterwards.
func (a *app) startOrStop(ctx context.Context, verb Verb) (*Login, error) {
	now, err := a.readLogin(ctx)
	if verb == look || err != nil {
		return now, err
	}
	switch verb {
	case Start:
		err = a.startEngine(ctx, *now)
	case Stop:
		err = a.stopEngine(ctx, *now)
	case Restart:
		if err = a.stopEngine(ctx, *now); err == nil {
			err = a.startEngine(ctx, *now)
		}
	case LoginOn:
		err = a.loginOn(ctx, *now)
	case LoginOff:
		err = a.loginOff(ctx)
	}
	now, problem := a.readLogin(ctx)
	return now, errors.Join(err, problem)
}

// startEngine starts the login service, or an engine that ends with the session. It
// returns when that answers.
func (a *app) startEngine(ctx context.Context, l Login) error {
	if l.Installed {
		_, err := a.runWiki(ctx, "service", "start")
		return err
	}
	if err := service.Detach(a.Wiki, slices.Concat(a.Args, []string{"run"})...); err != nil {
		return err
	}
	return a.awaitEngine(ctx, time.Minute, true, "the engine has not come up; its log says why")
}

// stopEngine ends the engine, even one that no service started.
func (a *app) stopEngine(ctx context.Context, l Login) error {
	if l.Active {
		_, err := a.runWiki(ctx, "service", "stop")
		return err
	}
	if err := a.Client().Shutdown(ctx); err != nil {
		return err
	}
	return a.awaitEngine(ctx, time.Minute, false, "the engine was asked to end and still runs")
}

// awaitEngine waits until an engine answers, or none does any more.
func (a *app) awaitEngine(ctx context.Context, most time.Duration, up bool, problem string) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for {
		_, err := a.Client().Status(ctx)
		if up == (err == nil) && (up || errors.Is(err, api.ErrNotRunning)) {
			return nil
		}
		if due.Sleep(ctx, 500*time.Millisecond) != nil {
			return errors.New(problem)
		}
	}
}

// loginOn makes the entries: the engine's, and that of this program. A running engine continues, or is started again
// by its new entry.
func (a *app) loginOn(ctx context.Context, l Login) error {
	if !l.Engine {
		args := []string{"service", "install"}
		if _, err := a.Client().Status(ctx); err != nil {
			args = append(args, "--no-start")
		}
		if _, err := a.runWiki(ctx, args...); err != nil {
			return err
		}
	}
	return a.Applet.Install()
}

// loginOff takes them away. That ends an engine which the entry has started; who
// works with it now wants it to go on.
func (a *app) loginOff(ctx context.Context) error {
	if err := a.Applet.Uninstall(); err != nil {
		return err
	}
	_, err := a.Client().Status(ctx)
	running := err == nil
	if _, err := a.runWiki(ctx, "service", "uninstall"); err != nil {
		return err
	}
	if _, err := a.Client().Status(ctx); running && errors.Is(err, api.ErrNotRunning) {
		return a.startEngine(ctx, Login{}) // beside one that runs, it would wait to take its place
	}
	return nil
}
