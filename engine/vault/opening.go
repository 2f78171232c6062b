package vault

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/watch"
)

// This file opens a vault. All of it happens in a goroutine of the vault, since its
// disk may not respond; the server and the other vaults do not wait for it.

// openFolder opens the vault, and tries again while that fails. It returns false when ctx
// ended first.
func (v *Vault) openFolder(ctx context.Context) bool {
	for {
		var err error
		v.facts.timeLook(func() { err = v.tryOpen(ctx) })
		if err == nil {
			close(v.Opened)
			v.port.Changed()
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		v.log.Warn("open the vault", "error", err)
		v.facts.setRefusal(err.Error())
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return false
		}
	}
}

// tryOpen finds out which folder the vault is and opens its index, which is made when
// there is none. The folder may be away. Nothing may write into the vault before what
// a crash has cut short there is mended.
func (v *Vault) tryOpen(ctx context.Context) error {
	site, root := config.Survey(v.Alias), v.Alias
	if real, err := filepath.EvalSymlinks(v.Alias); err == nil {
		root = real
	}
	if err := v.opts.Register.admitVault(ctx, v, site); err != nil {
		return err
	}
	if err := v.port.AwaitRecovery(ctx, root); err != nil {
		return err
	}
	v.Root = root
	v.debounce = watch.NewDebounce(v.opts.Config.Debounce, max(maxWait, v.opts.Config.Debounce)).Verify(root)
	target := root
	if root == v.Alias {
		target = "" // it is no link, or away and not known to be one
	}
	var err error
	v.watcher, err = watch.New(watch.Options{
		Root: v.Alias, Target: target, Ignore: v.isIgnored, Log: v.log,
		Mode: v.opts.Config.WatchMode(v.opts.Vault), PollInterval: v.opts.Config.Watch.PollInterval, Probe: ".vault-mind",
		Changed: v.port.Changed,
	})
	if err != nil {
		return err
	}
	if v.met, err = v.opts.Journal.Met(ctx, root); err != nil {
		return err
	}
	claims, err := v.opts.Journal.Claims(ctx, root, "")
	if err != nil {
		return fmt.Errorf("read the claims of %s: %w", v.Name, err)
	}
	for _, c := range claims {
		v.tracked[c.File] = true
	}
	if err := v.openIndex(ctx, v.opts.Cache); err != nil {
		return fmt.Errorf("open the index of %s: %w", v.Name, err)
	}
	v.findFacts() // the dispatcher asks whose the vault is as soon as it is open
	return nil
}

// IsOpen reports whether the vault's folder and index can be used.
func (v *Vault) IsOpen() bool {
	select {
	case <-v.Opened:
		return true
	default:
		return false
	}
}

// HasEnded reports whether nothing of the vault runs any more.
func (v *Vault) HasEnded() bool {
	select {
	case <-v.ended:
		return true
	default:
		return false
	}
}

// turnTime is how long a vault waits for those before it in the configuration to say
// which folders they are.
const turnTime = 2 * time.Second

// Register knows which folders are watched, so that no note is in two vaults. The
// vaults of one engine share it.
type Register struct {
	vaults []*Vault // in the order of the configuration; set before any of them runs

	mu    sync.Mutex // guards the field below
	sites map[*Vault]config.Site
}

// NewRegister returns a register without vaults.
func NewRegister() *Register { return &Register{sites: make(map[*Vault]config.Site)} }

// admitVault refuses a vault that shares notes with one that was admitted before, which is
// the one earlier in the configuration unless its disk does not respond. Names that
// overlap are refused with the configuration; these overlap through links or the case
// of letters. A note in two vaults would be answered twice.
func (r *Register) admitVault(ctx context.Context, v *Vault, site config.Site) error {
	defer v.survey()
	turn, cancel := context.WithTimeout(ctx, turnTime)
	defer cancel()
	for _, earlier := range r.vaults {
		if earlier == v {
			break
		}
		select {
		case <-earlier.surveyed:
		case <-turn.Done():
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for other, taken := range r.sites {
		if other == v {
			continue
		}
		if err := site.Apart(taken); err != nil {
			delete(r.sites, v)
			return err
		}
	}
	r.sites[v] = site
	return nil
}

// announceEngine leaves what a note app needs to find us, and removes what earlier
// engines left in the vault, except what the journal still knows. A vault that
// cannot be written is no error. One that is away, or is an empty folder to which
// another file system may yet be mounted, is left alone: it is announced when it is
// back and its notes were found, or when a note of it changes.
func (v *Vault) announceEngine(ctx context.Context) error {
	if !swap.Reachable(v.Root) {
		return nil
	}
	v.announced.Store(true)
	open, err := v.opts.Journal.Swaps(ctx)
	if err != nil {
		return fmt.Errorf("read open exchanges: %w", err)
	}
	known := make([]string, len(open))
	for i, s := range open {
		known[i] = s.Temp
	}
	if err := listen.WriteServerFile(v.Root, v.opts.Port); err != nil {
		v.log.Debug("write the port file", "error", err)
	}
	if err := v.claimVault(); err != nil {
		v.log.Debug("claim a vault", "error", err)
	}
	if len(v.opts.Journal.Damage()) > 0 {
		return nil // a temporary file the journal forgot may hold a person's words
	}
	kept, err := swap.CleanTemps(v.Root, known, time.Hour)
	if err != nil {
		v.log.Debug("remove stray files", "error", err)
	}
	for _, file := range kept {
		v.port.Tell(api.NoticeInterrupted, "file", file)
	}
	return nil
}
