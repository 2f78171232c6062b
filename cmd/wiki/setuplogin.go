package main

import (
	"context"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/service"
)

// atLogin says how it is with the login service.
func (p *setupPage) atLogin(ctx context.Context) api.SetupSwitch {
	l, err := p.login(ctx)
	if err != nil {
		return api.SetupSwitch{Detail: sentence("the login service cannot be asked: " + oneLine(err))}
	}
	kept, err := l.Status(ctx)
	switch {
	case err != nil:
		return api.SetupSwitch{Detail: sentence("the login service cannot be asked: " + oneLine(err))}
	case !kept.Installed:
		return api.SetupSwitch{Offered: true, Detail: "It would be " + kindName(kept.Kind) + "; this engine goes on as it was started."}
	case !kept.AtLogin:
		return api.SetupSwitch{Offered: true, On: true, Detail: "It is installed, and switched off in the settings of your system."}
	case !kept.Current:
		return api.SetupSwitch{Offered: true, On: true, Detail: "It starts another program, or this one with other arguments; wiki service install brings it up to date."}
	case !kept.Active:
		return api.SetupSwitch{Offered: true, On: true, Detail: "It is " + kindName(kept.Kind) + "; the engine that runs now was started by hand."}
	}
	return api.SetupSwitch{Offered: true, On: true, Detail: "It is " + kindName(kept.Kind) + ". Without it the engine goes on until you log out, and starts no more by itself."}
}

// startAtLogin installs the login service or takes it away. The engine of this page
// goes on either way; what could not be done is told.
func (p *setupPage) startAtLogin(ctx context.Context, wanted *bool) []string {
	if wanted == nil {
		return nil
	}
	l, err := p.login(ctx)
	if err == nil {
		err = l.err
	}
	var kept service.Status
	if err == nil {
		kept, err = l.Status(ctx)
	}
	if err == nil && kept.Installed == *wanted {
		return nil
	}
	if err == nil && *wanted {
		err = l.Install(ctx)
	} else if err == nil {
		_, err = l.Withdraw(ctx)
	}
	if err != nil {
		return []string{sentence("the login service is as it was: " + oneLine(err))}
	}
	return nil
}

// trayAtLogin is app.trayAtLogin for the page.
func (p *setupPage) trayAtLogin(wanted *bool) []string {
	if wanted == nil || service.Tray("").Installed() == *wanted {
		return nil
	}
	if _, err := p.app.trayAtLogin(plan{tray: *wanted, asked: true}); err != nil {
		return []string{sentence("the icon is as it was: " + oneLine(err))}
	}
	return nil
}
