package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/watch"
)

// This file opens a vault. All of it happens in a goroutine of the vault, since its
// disk may not respond; the server and the other vaults do not wait for it.

// enter opens the vault, and tries again while that fails. It returns false when ctx
// ended first.
func (v *vault) enter(ctx context.Context) bool {
	for {
		var err error
		v.facts.look(func() { err = v.prepare(ctx) })
		if err == nil {
			close(v.opened)
			v.engine.changed()
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		v.log.Warn("open the vault", "error", err)
		v.facts.refuse(err.Error())
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return false
		}
	}
}

// prepare finds out which folder the vault is and opens its index, which is made when
// there is none. The folder may be away. Nothing may write into the vault before what
// a crash has cut short there is mended.
func (v *vault) prepare(ctx context.Context) error {
	site, root := config.Survey(v.alias), v.alias
	if real, err := filepath.EvalSymlinks(v.alias); err == nil {
		root = real
	}
	if err := v.engine.admit(ctx, v, site); err != nil {
		return err
	}
	if err := v.engine.writer.AwaitRecovery(ctx, root); err != nil {
		return err
	}
	v.root = root
	v.debounce = watch.NewDebounce(v.engine.config.Debounce, max(maxWait, v.engine.config.Debounce)).Verify(root)
	target := root
	if root == v.alias {
		target = "" // it is no link, or away and not known to be one
	}
	var err error
	v.watcher, err = watch.New(watch.Options{
		Root: v.alias, Target: target, Ignore: v.ignored, Log: v.log,
		Mode: v.engine.config.WatchMode(v.config), PollInterval: v.engine.config.Watch.PollInterval, Probe: ".vault-mind",
		Changed: v.engine.changed,
	})
	if err != nil {
		return err
	}
	if v.met, err = v.engine.journal.Met(ctx, root); err != nil {
		return err
	}
	claims, err := v.engine.journal.Claims(ctx, root, "")
	if err != nil {
		return fmt.Errorf("read the claims of %s: %w", v.name, err)
	}
	for _, c := range claims {
		v.tracked[c.File] = true
	}
	if err := v.openIndex(ctx, v.cache); err != nil {
		return fmt.Errorf("open the index of %s: %w", v.name, err)
	}
	v.findFacts() // the dispatcher asks whose the vault is as soon as it is open
	return nil
}

// isOpen reports whether the vault's folder and index can be used.
func (v *vault) isOpen() bool {
	select {
	case <-v.opened:
		return true
	default:
		return false
	}
}

// hasEnded reports whether nothing of the vault runs any more.
func (v *vault) hasEnded() bool {
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

// admit refuses a vault that shares notes with one that was admitted before, which is
// the one earlier in the configuration unless its disk does not respond. Names that
// overlap are refused with the configuration; these overlap through links or the case
// of letters. A note in two vaults would be answered twice.
func (e *Engine) admit(ctx context.Context, v *vault, site config.Site) error {
	defer v.survey()
	turn, cancel := context.WithTimeout(ctx, turnTime)
	defer cancel()
	for _, earlier := range e.vaults {
		if earlier == v {
			break
		}
		select {
		case <-earlier.surveyed:
		case <-turn.Done():
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for other, taken := range e.sites {
		if other == v {
			continue
		}
		if err := site.Apart(taken); err != nil {
			delete(e.sites, v)
			return err
		}
	}
	e.sites[v] = site
	return nil
}
