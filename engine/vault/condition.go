package vault

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config/site"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/vault/facts"
	"vaultdispatcher/engine/vault/folder"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/engine/vault/register"
	"vaultdispatcher/engine/vault/rules"
)

// Condition is the known state of the folder of a vault: whether it is usable, and which machine
// and engines have it. Looks and a goroutine of its own find it out; all others read the
// findings.
type Condition struct {
	facts.Facts
	opts      Options
	engine    Engine
	disk      *folder.Folder
	beacon    *presence.Beacon // tells other engines of the vault of this one
	place     *register.Place  // among the vaults of the engine
	asked     chan struct{}    // holds one token when the status was asked for
	announced atomic.Bool      // we have left our port there, and swept up
	doubts    atomic.Bool      // the journal knows less than the vault, and what is open there does not wait yet
	probing   sync.Mutex       // held by a probe; another would remove its folder
	atomic    atomic.Bool      // the file system exchanges notes in one step
}

// WhyIdle says without capital and full stop why nothing starts in the vault, or nothing.
func (c *Condition) WhyIdle() string {
	verdict := rules.Judge(note.Marker{}, &rules.Facts{Refused: c.WhyRefused, Foreign: c.WhyForeign})
	if verdict.Act != rules.Refuse {
		return ""
	}
	return verdict.Cause
}

// Ask has the facts looked for soon.
func (c *Condition) Ask() {
	select {
	case c.asked <- struct{}{}:
	default:
	}
}

// factsEvery is how often the facts of a vault are looked for when no caller asks.
const factsEvery = 10 * time.Second

// keep looks for the facts of the vault from time to time, and when its status is asked for,
// until ctx ends.
func (c *Condition) keep(ctx context.Context) error {
	for {
		c.TimeLook(c.find)
		looked := time.Now()
		select {
		case <-c.asked: // one look a second, however often the status is asked for
			_ = due.Sleep(ctx, time.Until(looked.Add(time.Second)))
		case <-time.After(due.UntilBeat(looked, factsEvery)):
		case <-ctx.Done():
			return nil
		}
	}
}

// find reads the facts from the disk.
func (c *Condition) find() {
	look := c.BeginLook()
	c.SetFound(look, presence.ReadOwner(c.disk.Root), !swap.Reachable(c.disk.Root))
	c.compare()
	if !c.announced.Load() || c.IsAway() {
		return
	}
	if presence.IsBare(c.disk.Root) {
		c.writeFiles()
		c.beacon.Forget()
	}
	if c.doubts.Load() {
		return // the next engine must find the same, until what is open waits
	}
	changed, err := c.beacon.Renew(c.disk.Root, time.Now())
	if err != nil {
		c.opts.Log.Debug("look for other engines", "error", err)
	}
	if changed {
		c.engine.StatusChanged()
	}
}

// writeFiles writes what git, note apps and other machines read in the vault.
func (c *Condition) writeFiles() {
	if err := presence.HideFromGit(c.disk.Root); err != nil {
		c.opts.Log.Debug("keep the engine's files out of git", "error", err)
	}
	if err := listen.WriteServerFile(c.disk.Root, c.opts.Port); err != nil {
		c.opts.Log.Debug("write the port file", "error", err)
	}
	if err := presence.ClaimVault(c.disk.Root, c.opts.Config.Owner); err != nil {
		c.opts.Log.Debug("claim a vault", "error", err)
	}
}

// compare finds out whether the vault shares notes with another one now. Which folder
// it is may have changed: a drive was mounted over it, or a link leads elsewhere.
func (c *Condition) compare() {
	reason := ""
	if err := c.place.Compare(site.Inspect(c.opts.Vault.Path)); err != nil {
		reason = syserr.Plain(err)
	}
	c.SetRefusal(reason)
}

// WhyForeign returns one sentence that says why the vault is left to another machine, by the last
// reading, or "".
func (c *Condition) WhyForeign() string {
	return presence.WhyForeign(presence.ThisMachine(), c.opts.Config.Owner, c.OwnerStated())
}

// OtherEngines returns the machines that answer in this vault too, where no owner is named, and
// whether this machine has another engine that does.
func (c *Condition) OtherEngines() (machines []string, here bool) {
	machines, here = c.beacon.Others()
	if c.opts.Config.Owner != "" || c.OwnerStated() != "" {
		machines = nil
	}
	return machines, here
}

// IsAtomic reports whether the file system exchanges notes in one step.
func (c *Condition) IsAtomic() bool { return c.atomic.Load() }

// probeExchange finds out how notes can be exchanged here; on a slow share it takes a
// while, and nothing waits for it.
func (c *Condition) probeExchange() error {
	c.probing.Lock()
	defer c.probing.Unlock()
	c.atomic.Store(swap.Probe(c.disk.Root).Exchange)
	c.engine.StatusChanged()
	return nil
}
