package tray

// This file says what the desktop session is used for besides the icon; each system
// has its own connect, notify, open, wizard, hide and lock.
//
//	connect   finds the session, or says that there is none
//	notify    shows a bulletin; a click opens its target where the desktop can
//	open      opens a link as the desktop would
//	terminals where wiki setup is started when there is no browser

import (
	"errors"
	"os/exec"
	"slices"
	"time"
)

// opens is how long a program that opens links is waited for. Where it becomes the
// browser itself it goes on, and that is a success.
var opens = 3 * time.Second

// runTool starts a program of the desktop's and reports whether that went wrong soon.
func runTool(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	hideWindow(cmd)
	return startDetached(cmd)
}

func startDetached(cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	return failsSoon(cmd.Wait) // until that program ends, or this one
}

// failsSoon reports whether something went wrong soon.
func failsSoon(do func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- do() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(opens):
		return nil
	}
}

// openWizard starts wiki setup in the first terminal there is.
func (a *app) openWizard(args ...string) error {
	if a.Wiki == "" {
		return errNoWiki
	}
	for _, terminal := range listTerminals(slices.Concat([]string{a.Wiki}, a.Args, []string{"setup"}, args)...) {
		if startDetached(terminal) == nil {
			return nil
		}
	}
	return errors.New("neither a browser nor a terminal was found; in a terminal, run wiki setup")
}
