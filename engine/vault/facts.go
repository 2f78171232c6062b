package vault

import (
	"context"
	"time"

	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config/site"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/engine/vault/rules"
)

// WhyIdle says without capital and full stop why nothing starts in the vault, or nothing.
func (v *Vault) WhyIdle() string {
	verdict := rules.Judge(note.Marker{}, &rules.Facts{Refused: v.facts.WhyRefused, Foreign: v.WhyForeign})
	if verdict.Act != rules.Refuse {
		return ""
	}
	return verdict.Why
}

// AskFacts has the facts looked for soon.
func (v *Vault) AskFacts() {
	select {
	case v.asked <- struct{}{}:
	default:
	}
}

// factsEvery is how often the facts of a vault are looked for when nobody asks.
const factsEvery = 10 * time.Second

// keepFacts looks for the facts of the vault from time to time, and when somebody
// asks for its status, until ctx ends.
func (v *Vault) keepFacts(ctx context.Context) error {
	for {
		v.facts.TimeLook(v.findFacts)
		_ = due.Sleep(ctx, time.Second) // however often somebody asks
		select {
		case <-v.asked:
		case <-time.After(factsEvery):
		case <-ctx.Done():
			return nil
		}
	}
}

// findFacts reads the facts from the disk.
func (v *Vault) findFacts() {
	look := v.facts.BeginLook()
	v.facts.SetFound(look, presence.ReadOwner(v.Root), !swap.Reachable(v.Root))
	v.compareFolder()
	if !v.announced.Load() || v.facts.IsAway() {
		return
	}
	if presence.IsBare(v.Root) {
		v.writeOurs()
		v.beacon.Forget()
	}
	if v.doubts.Load() {
		return // the next engine must find the same, until what is open waits
	}
	changed, err := v.beacon.Renew(v.Root, time.Now())
	if err != nil {
		v.log.Debug("look for other engines", "error", err)
	}
	if changed {
		v.engine.StatusChanged()
	}
}

// writeOurs writes what git, note apps and other machines read in the vault.
func (v *Vault) writeOurs() {
	if err := presence.HideFromGit(v.Root); err != nil {
		v.log.Debug("keep the engine's files out of git", "error", err)
	}
	if err := listen.WriteServerFile(v.Root, v.opts.Port); err != nil {
		v.log.Debug("write the port file", "error", err)
	}
	if err := presence.ClaimVault(v.Root, v.opts.Config.Owner); err != nil {
		v.log.Debug("claim a vault", "error", err)
	}
}

// compareFolder finds out whether the vault shares notes with another one now. Which folder
// it is may have changed: a drive was mounted over it, or a link leads elsewhere.
func (v *Vault) compareFolder() {
	reason := ""
	if err := v.place.Compare(site.Inspect(v.Alias)); err != nil {
		reason = syserr.Plain(err)
	}
	v.facts.SetRefusal(reason)
}
