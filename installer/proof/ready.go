package proof

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config/runners"
	"vaultdispatcher/engine/patience"
)

// This file says when the vault and the agent of a proof are ready.

// waitForVault waits until the engine watches the vault and has taken up who answers, which takes
// it seconds; it may just have been started. It returns the engine's name of the vault.
func waitForVault(ctx context.Context, client *client.Client, vault, runner string) (string, error) {
	why := ErrNotKnown
	for until := time.Now().Add(time.Minute); time.Now().Before(until); {
		var known api.Vault
		status, err := client.Status(ctx)
		if err == nil && isAnsweredBy(status, runner) {
			known = findVault(status, vault)
		}
		switch known.State {
		case "watching":
			return known.Name, whyNotReady(status)
		case "indexing":
			until = time.Now().Add(time.Minute)
		case "paused", "foreign":
			return "", fmt.Errorf("%w: it is %s", ErrNotKnown, known.State)
		case "offline":
			why = fmt.Errorf("the folder is offline: %s", cmp.Or(known.Reason, "it is not there"))
			if patience.Look(vault)[0].Silent { // any other folder may be about to be opened
				return "", why
			}
		}
		if err := pauseBriefly(ctx); err != nil {
			return "", err
		}
	}
	return "", why
}

// isAnsweredBy reports whether the Miner is answered by the runner.
func isAnsweredBy(status api.Status, runner string) bool {
	miner := minerOf(status)
	return miner.Role != "" && miner.Runner == runner
}

// whyNotReady returns why the engine cannot start the program that answers the Miner: it may know other folders of
// programs than setup. A missing sign of a login does not prevent the question: the answer shows whether there is
// one.
func whyNotReady(status api.Status) error {
	if miner := minerOf(status); !miner.Ready && miner.Detail != runners.WhyLoggedOut(miner.Runner, nil) {
		return fmt.Errorf("%s cannot answer: %s", miner.Runner, miner.Detail)
	}
	return nil
}

func minerOf(status api.Status) api.Agent {
	i := slices.IndexFunc(status.Agents, func(a api.Agent) bool { return strings.EqualFold(a.Role, api.DefaultRole) })
	if i < 0 {
		return api.Agent{}
	}
	return status.Agents[i]
}

func findVault(status api.Status, vault string) api.Vault {
	byName := slices.IndexFunc(status.Vaults, func(v api.Vault) bool { return v.Path == vault })
	if byName < 0 { // without a look at the disks of the others
		byName = slices.IndexFunc(status.Vaults, func(v api.Vault) bool { return sameFolder(v.Path, vault) })
	}
	if byName < 0 {
		return api.Vault{}
	}
	return status.Vaults[byName]
}

func sameFolder(a, b string) bool {
	found := patience.Look(a, b)
	return found[0].Info != nil && found[1].Info != nil && os.SameFile(found[0].Info, found[1].Info)
}
