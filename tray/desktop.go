package tray

// This file says what the desktop session is used for besides the icon; each system
// has its own connect, notify and terminals. [opener] opens links.
//
//	connect   finds the session, or fails without one
//	notify    shows a bulletin; a click opens its target where the desktop can
//	terminals where wiki setup is started when there is no browser

import (
	"context"
	"errors"
	"slices"

	"vaultdispatcher/tray/opener"
)

// openWizard starts wiki setup in the first terminal there is.
func (a *app) openWizard(ctx context.Context, args ...string) error {
	if a.Wiki == "" {
		return errNoWiki
	}
	for _, terminal := range listTerminals(slices.Concat([]string{a.Wiki}, a.Args, []string{"setup"}, args)...) {
		if opener.Start(ctx, terminal) == nil {
			return nil
		}
	}
	return errors.New("neither a browser nor a terminal was found; in a terminal, run wiki setup")
}
