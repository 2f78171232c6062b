package server

import (
	"context"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/api"
)

// tryTime is how long a role that is tried may take to answer.
const tryTime = 2 * time.Minute

// LookAtSetup returns what is set and what there is to choose from.
func (t *Tools) LookAtSetup(ctx context.Context) (api.Setup, error) {
	if t.tools.Setup == nil {
		return api.Setup{}, errNotHere("setup")
	}
	found, err := t.tools.Setup.Look(ctx)
	if err != nil {
		return api.Setup{}, fmt.Errorf("look at the setup: %w", err)
	}
	found.Chosen.Login, found.Chosen.Tray = &found.Login.Enabled, &found.Tray.Enabled
	if found.Chosen.URL == nil {
		found.Chosen.URL = new(string)
	}
	found.Folders = slices.Clone(found.Folders)
	for i, f := range found.Folders {
		found.Folders[i].Checks = orEmpty(f.Checks)
	}
	found.Chosen.Vaults, found.Folders = orEmpty(found.Chosen.Vaults), orEmpty(found.Folders)
	found.Chosen.Roles = orEmpty(found.Chosen.Roles)
	found.Agents, found.Providers = orEmpty(found.Agents), orEmpty(found.Providers)
	found.Models, found.Lines, found.Notes = orEmpty(found.Models), orEmpty(found.Lines), orEmpty(found.Notes)
	return found, nil
}

func (t *Tools) writeSetup(c Call, choice api.SetupChoice) (any, error) {
	return t.ChangeSetup(c.Request.Context(), func() (api.SetupChoice, error) { return choice, nil })
}

// ChangeSetup writes the choice that choose returns. Reading the settings in choose and
// writing them happen under one lock, so that of two callers at once neither undoes the
// other.
func (t *Tools) ChangeSetup(ctx context.Context, choose func() (api.SetupChoice, error)) (api.SetupWritten, error) {
	if t.tools.Setup == nil {
		return api.SetupWritten{}, errNotHere("setup")
	}
	t.settings.Lock()
	defer t.settings.Unlock()
	choice, err := choose()
	if err != nil {
		return api.SetupWritten{}, err
	}
	written, err := t.tools.Setup.Write(ctx, choice)
	written.Notes = orEmpty(written.Notes)
	return written, err
}
