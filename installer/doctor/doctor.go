// Package doctor looks for what keeps the product from working on this machine.
//
//	findings := doctor.Run(ctx, subject)
//	findings = doctor.Fix(ctx, findings) // repairs what it can without asking
//
// A [Finding] is data: a code, what it is about and a detail. Its sentence, and the
// next step for a person, belong to the program that shows it.
//
// # Promises
//
// Run changes nothing but what trying a folder needs, and removes that again. It starts no agent and calls only the
// engine and the desktop of this user. Fix only makes repairs that lose nothing; it leaves alone everything that
// needs an administrator or a decision.
package doctor

import (
	"context"
	"errors"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/service"
)

// Subject is what is looked at.
type Subject struct {
	Config  config.Config
	Problem error  // why the configuration cannot be used; nil = it can
	State   string // the state folder
	Version string // of this program
	Environ []string

	Engine  func(context.Context) (api.Status, error) // asks the engine; [ErrOtherState] = it does not use State
	Service func(context.Context) (service.Status, error)
	Panel   func(context.Context) Panel // asks the desktop
	Tray    string                      // the program of the tray; empty = it is not installed
	Start   func(context.Context) error // starts the login service
	Update  func(context.Context) error // installs it anew
}

// ErrOtherState says that an engine of this user answers, and not that of the state
// folder. What it says of itself comes along.
var ErrOtherState = errors.New("the engine uses another state folder")

// Finding is one thing that was found.
type Finding struct {
	Check   string `json:"check"`
	Code    Code   `json:"code"`
	Level   Level  `json:"level"`
	Subject string `json:"about,omitempty"`  // a vault, a file, a role
	Detail  string `json:"detail,omitempty"` // of an error, or of what there is
	CanFix  bool   `json:"canFix"`
	Fixed   bool   `json:"fixed"`

	fix func(context.Context) error
}

// look is one run. What is asked of the engine and of the service manager is asked
// once.
type look struct {
	Subject
	status     api.Status
	engineErr  error
	service    service.Status
	serviceErr error
	free       func(path string) (uint64, error)
	limits     string // the folder where Linux tells its limits of inotify
}

// check looks for one kind of problem.
type check struct {
	name string
	find func(context.Context, *look) []Finding
}

// checks are made in this order. None reads what another found, but after checkVaults
// the configuration holds only the vaults whose disks respond, and a vault that falls silent later is taken out too.
var checks = []check{
	{"config", checkConfig},
	{"vault", checkVaults},
	{"watches", checkWatches},
	{"state", checkState},
	{"journal", checkJournal},
	{"token", checkToken},
	{"service", checkService},
	{"engine", checkEngine},
	{"port", checkPort},
	{"server.json", checkServerFiles},
	{"agent", checkAgents},
	{"embedding", checkEmbedding},
	{"tray", checkTray},
	{"space", checkSpace},
}

// Run makes all checks.
func Run(ctx context.Context, s Subject) []Finding {
	l := &look{Subject: s, free: free, limits: "/proc/sys/fs/inotify"}
	l.status, l.engineErr = s.Engine(ctx)
	l.service, l.serviceErr = s.Service(ctx)
	all := []Finding{}
	for _, c := range checks {
		for _, f := range c.find(ctx, l) {
			f.Check, f.Level, f.CanFix = c.name, f.Code.Level(), f.fix != nil
			all = append(all, f)
		}
	}
	return all
}

// Fix mends what it can and returns the findings, with what was mended. The error
// says what could not be.
func Fix(ctx context.Context, findings []Finding) ([]Finding, error) {
	var failed error
	fixed := make([]Finding, len(findings))
	for i, f := range findings {
		if f.fix != nil {
			err := f.fix(ctx)
			f.Fixed = err == nil
			failed = errors.Join(failed, err)
		}
		fixed[i] = f
	}
	return fixed, failed
}

// isRunning reports whether an engine answers.
func (l *look) isRunning() bool { return l.engineErr == nil }

// isSilent reports whether an engine is there that gives no answer in time.
func (l *look) isSilent() bool { return errors.Is(l.engineErr, context.DeadlineExceeded) }
