package vault

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config/site"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/vault/bulk"
	"vaultdispatcher/engine/vault/copies"
	"vaultdispatcher/engine/vault/folder"
	"vaultdispatcher/engine/vault/follow"
	"vaultdispatcher/engine/vault/indexing"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/engine/vault/rules"
	"vaultdispatcher/engine/vault/templates"
	"vaultdispatcher/engine/watch"
)

// This file opens a vault. All of it happens in a goroutine of the vault, since its
// disk may not respond; the server and the other vaults do not wait for it.

// openFolder opens the vault, and tries again while that fails. It returns false when ctx
// ended first.
func (v *Vault) openFolder(ctx context.Context) bool {
	for {
		err := v.tryOpen(ctx)
		if err == nil {
			close(v.Opened)
			v.engine.StatusChanged()
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		v.log.Warn("open the vault", "error", err)
		v.Condition.SetRefusal(syserr.Plain(err))
		if due.Sleep(ctx, indexing.Again) != nil {
			return false
		}
	}
}

// tryOpen finds out which folder the vault is and opens it. Waiting for the other vaults
// is no silence of this one's disk.
func (v *Vault) tryOpen(ctx context.Context) (err error) {
	var here site.Site
	root := v.Alias
	v.Condition.TimeLook(func() {
		here = site.Inspect(v.Alias)
		if real, err := filepath.EvalSymlinks(v.Alias); err == nil {
			root = real
		}
	})
	if err := v.Condition.place.Admit(ctx, here); err != nil {
		return err
	}
	v.Condition.TimeLook(func() { err = v.openRoot(ctx, root) })
	return err
}

// openRoot opens the watcher of a folder and its index, and makes a missing index. The folder may be
// away. No goroutine may write into the vault before the writes that a crash has cut short are mended.
func (v *Vault) openRoot(ctx context.Context, root string) error {
	if err := v.writer.AwaitRecovery(ctx, root); err != nil {
		return err
	}
	v.makeParts(root)
	target := root
	if root == v.Alias {
		target = "" // it is no link, or away and not known to be one
	}
	var err error
	v.Watcher, err = watch.New(watch.Options{
		Root: v.Alias, Target: target, Ignore: v.disk.IsIgnored, Log: v.log,
		Mode: v.opts.Config.WatchMode(v.opts.Vault), PollInterval: v.opts.Config.Watch.PollInterval, Probe: ".vault-mind",
		Changed: v.engine.StatusChanged,
	})
	if err != nil {
		return err
	}
	if v.judged, err = v.opts.Journal.IsMet(ctx, root); err != nil {
		return err
	}
	claims, err := v.opts.Journal.Claims(ctx, root, "")
	if err != nil {
		return fmt.Errorf("read the claims of %s: %w", v.Name, err)
	}
	for _, c := range claims {
		v.follower.Track(c.File)
	}
	if err := v.Catalog.open(ctx); err != nil {
		return fmt.Errorf("open the index of %s: %w", v.Name, err)
	}
	v.Condition.find() // the dispatcher asks for the vault's owner as soon as it is open
	return nil
}

// makeParts makes what a vault needs to know where it is.
func (v *Vault) makeParts(root string) {
	unpacking := 4 * v.settling.Wait // how long the program that brought a note may still be writing it: 10 s
	v.Root, v.disk = root, folder.Folder{Root: root, Exclude: v.opts.Config.Exclude}
	v.debounce = watch.NewDebounce(v.opts.Config.Debounce, max(maxWait, v.opts.Config.Debounce)).Verify(root)
	v.templates = templates.New(root)
	v.copied = &copies.Memory{Journal: v.opts.Journal, Root: root, Read: v.disk.Read, Stat: v.disk.Stat, Birth: v.arrivals.Birth}
	v.follower = follow.New(follow.Options{Journal: v.opts.Journal, Root: root, Disk: &v.disk, Settling: v.settling,
		Arrivals: v.arrivals, Copied: v.copied, Parse: past.ParseAsAsked, Log: v.log}, followed{v})
	v.copied.Became = v.follower.Became
	v.bulk = &bulk.Bulk{Settling: v.settling, Arrivals: v.arrivals, Root: root, Limit: v.opts.Config.Limits.Burst, Unpacking: unpacking,
		Reason: rules.Burst.Cause.Say(strconv.Itoa(v.opts.Config.Limits.Burst)), Hold: v.dispatcher.Hold, Log: v.log}
	v.memory = past.New(past.Options{Journal: v.opts.Journal, Root: root, Untrusted: v.opts.Config.Untrusted, Unpacking: unpacking,
		IsGone: v.follower.IsGone, Return: follow.AtMost})
}

// announceEngine leaves the files by which a note app finds us, and removes those that earlier engines
// left in the vault, except those that the journal still knows. A vault that cannot be written is no
// error. A vault that is away, or is an empty folder to which another file system may yet be mounted,
// is left alone: it is announced when it is back and its notes were found, or when a note of it
// changes.
func (v *Vault) announceEngine(ctx context.Context) error {
	if !swap.Reachable(v.Root) {
		return nil
	}
	sweeps := v.opts.Started
	if v.compared.Load() {
		sweeps = time.Now().Add(-time.Hour) // its disk was away, and its clock may be another: a recent file may be of this engine
	}
	if err := v.compareJournal(ctx); err != nil {
		return err
	}
	v.Condition.announced.Store(true)
	open, err := v.opts.Journal.Swaps(ctx)
	if err != nil {
		return fmt.Errorf("read open exchanges: %w", err)
	}
	known := make([]string, len(open))
	for i, s := range open {
		known[i] = s.Temp
	}
	v.Condition.writeFiles()
	if _, err := presence.Sweep(v.Root, sweeps); err != nil {
		v.log.Debug("sweep up after earlier engines", "error", err)
	}
	if len(v.opts.Journal.Damage()) > 0 {
		return nil // a temporary file the journal forgot may hold a person's words
	}
	kept, err := swap.CleanTemps(v.Root, v.opts.Engine, known, time.Hour)
	if err != nil {
		v.log.Debug("remove stray files", "error", err)
	}
	for _, file := range kept {
		v.engine.AddNotice(api.NoticeInterrupted, "file", file)
	}
	return nil
}

// compareJournal has everything wait for a person that is open in the vault, where this engine was there on a later day than
// its journal knows, or with another journal: what looks open may have been answered, taken back or cancelled. The vault is met
// once more. They are compared when the vault is announced for the first time; later days are those of this engine.
func (v *Vault) compareJournal(ctx context.Context) (err error) {
	said := presence.ReadSaid(v.Root, v.opts.Engine, v.opts.State)
	if v.compared.Swap(true) || !v.opts.Journal.IsBehind(v.Alias, said.LastDay, said.Journal) {
		return nil
	}
	defer func() { v.compared.Store(err == nil) }()
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.opts.Journal.HoldOpen(ctx, v.Root, "the journal was damaged or is of an earlier day, so it may have been answered since"); err != nil {
		return err
	}
	v.judged = false
	v.Condition.doubts.Store(true)
	v.engine.AddNotice(api.NoticeBehind, "vault", v.Name, "day", said.LastDay.Format(time.DateOnly))
	return nil
}

// isAway reports whether the vault's folder cannot be what it was: it is missing or
// empty, or was emptied at one blow. It touches the disk.
func (v *Vault) isAway() bool {
	return v.Watcher.Stats().State == watch.Offline || !swap.Reachable(v.Root)
}

// announceReturned does for a vault that was away what is done for the others at start.
func (v *Vault) announceReturned(ctx context.Context) {
	if v.Condition.announced.Load() {
		return
	}
	v.Condition.find() // another machine may answer what has come back
	if err := v.announceEngine(ctx); err != nil && ctx.Err() == nil {
		v.log.Warn("announce the vault", "error", err)
	}
	if err := v.Condition.probeExchange(); err != nil {
		v.log.Warn("find out about the file system", "error", err)
	}
}
