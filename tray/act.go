package tray

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/tray/opener"
)

// look finds out about the login service. No line does it: it is done at start, and
// whenever the menu is opened.
const look Verb = "look"

// acted is what has become of an action.
type acted struct {
	do      Action
	err     error
	login   *Login       // found out on the way
	watcher *api.Watcher // the engine's answer
}

// acts is how long an action may take; starting an engine reads all notes.
const acts = 2 * time.Minute

// carryOutActions begins the next action that waits, one at a time.
func (a *app) carryOutActions(ctx context.Context) {
	if a.current != Nothing || len(a.queue) == 0 {
		return
	}
	do := a.queue[0]
	a.queue = a.queue[1:]
	a.current = do.Verb
	vaults := a.view.Status.Vaults
	go func() {
		ctx, cancel := context.WithTimeout(ctx, acts)
		defer cancel()
		a.acted <- a.carryOut(ctx, do, vaults)
	}()
}

// describeWork is what the state line says of what is under way, or is clicked and waits.
func (a *app) describeWork() string {
	text := describeVerb(a.current)
	for _, do := range a.queue {
		text = cmp.Or(text, describeVerb(do.Verb))
	}
	return text
}

// describeVerb is the words for an action that takes a while.
func describeVerb(v Verb) string {
	return map[Verb]string{
		Start: "Starting the engine", Stop: "Stopping the engine", Restart: "Restarting the engine",
		Setup: "Opening the setup", LoginOn: "Setting up the start at login", LoginOff: "Ending the start at login",
	}[v]
}

// recordOutcome takes the result of an action.
func (a *app) recordOutcome(r acted) {
	a.current = Nothing
	if r.do.Verb != look {
		a.follower.pollSoon()
	}
	if r.login != nil {
		a.view.Login = *r.login
	}
	if r.err != nil && !errors.Is(r.err, context.Canceled) {
		a.Logger.Warn("do what was clicked", "what", string(r.do.Verb), "error", r.err)
		if r.do.Verb != look {
			a.view.Problem = reasonText(r.err)
		}
		return
	}
	if r.watcher != nil && r.do.Arg == "" { // shown at once, the engine confirms it
		a.view.Status.Watcher = *r.watcher
	}
}

// carryOut does what was clicked. It runs beside the loop and touches nothing of it.
func (a *app) carryOut(ctx context.Context, do Action, vaults []api.Vault) acted {
	r := acted{do: do}
	switch do.Verb {
	case Watch, Unwatch, Pause:
		req := api.WatcherRequest{Running: do.Verb == Watch, Vault: do.Arg}
		if do.Verb == Pause {
			req.Duration = "1h" // the engine begins again by itself
		}
		w, err := a.Client().SetWatcher(ctx, req)
		r.watcher, r.err = &w, err
	case Scan:
		r.err = a.Client().Rescan(ctx)
	case OpenNote:
		var link string
		if link, r.err = noteLink(vaults, do.Note); r.err == nil {
			r.err = openNote(ctx, link)
		}
	case Dashboard:
		r.err = a.openDashboard(ctx, wording.Choose(do.Arg == "", "", "?to="+url.QueryEscape(do.Arg)))
	case Ask:
		r.err = a.openDashboard(ctx, "?to=ask")
	case Setup:
		r.login, r.err = a.runSetup(ctx)
	case ShowLog:
		r.err = openFile(ctx, a.Log)
	case ShowConf:
		r.err = a.otherPort(ctx)
	case Start, Stop, Restart, LoginOn, LoginOff, look:
		r.login, r.err = a.startOrStop(ctx, do.Verb)
	}
	return r
}

// openDashboard opens the dashboard by a link that is good once; query says at which
// page.
func (a *app) openDashboard(ctx context.Context, query string) error {
	link, err := a.Client().Link(ctx)
	if err != nil {
		return err
	}
	return opener.Open(ctx, link.URL+query)
}

// runSetup opens the page of setup, of an engine that is started for it if none runs.
// Where that cannot be, or there is no browser, it is the wizard in a terminal.
func (a *app) runSetup(ctx context.Context) (login *Login, err error) {
	err = a.openDashboard(ctx, "?to=setup")
	if errors.Is(err, api.ErrNotRunning) {
		if login, err = a.startOrStop(ctx, Start); err == nil {
			err = a.openDashboard(ctx, "?to=setup")
		}
	}
	if err == nil || ctx.Err() != nil {
		return login, err
	}
	a.Logger.Warn("open the page of setup", "error", err)
	return login, a.openWizard(ctx)
}

// otherPort opens the configuration. Without one, it opens the wizard.
func (a *app) otherPort(ctx context.Context) error {
	if _, err := os.Stat(a.Config); err == nil {
		return openFile(ctx, a.Config)
	}
	return a.openWizard(ctx, "--port", strconv.Itoa(a.FreePort()))
}

// openFile opens a file of ours as a person would.
func openFile(ctx context.Context, file string) error {
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("there is no file %s yet", file)
	}
	return opener.Open(ctx, fileLink(file))
}
