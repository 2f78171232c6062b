package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/journal/recorder"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/engine/vault/register"
)

// This file opens what the rooms of an engine stand on: the journal, and its vaults.

func (e *Engine) openJournal(ctx context.Context, opts Options) (err error) {
	waits := opts.Waits
	if waits == nil {
		waits = func(err error) { e.log.Warn("the start waits", "error", err) }
	}
	if e.journal, err = journal.On(database.OpenFree(ctx, filepath.Join(opts.State, "journal.db"), waits)); err != nil {
		return fmt.Errorf("open the journal: %w", err)
	}
	e.journal.OnWrite(e.StatusChanged)
	e.journal.OnStep(e.tellStep)
	for _, d := range e.journal.Damage() {
		e.AddNotice(api.NoticeDamage, "problem", d.Problem, "path", d.Path, "saved", d.Salvaged, "lost", d.Lost)
	}
	e.recorder = recorder.New(e.log, journal.IsRefused)
	return nil
}

// addVaults makes the vaults of the configuration, which Run opens.
func (e *Engine) addVaults(ctx context.Context, opts Options) error {
	folders := new(register.Register)
	for _, cfg := range opts.Config.Vaults {
		cache, err := opts.Cache(cfg.Path)
		if err != nil {
			return fmt.Errorf("find the cache of %s: %w", cfg.Name, err)
		}
		v := vault.New(vault.Options{
			Config: opts.Config, Vault: cfg, Cache: cache, Engine: e.id, State: stateOf(opts.Token), Version: e.version, Port: e.port, Started: e.started, Given: e.findGiven(ctx, cfg),
			Journal: e.journal, Meaning: e.meaning, Private: e.roles.Rules.Private(), Silent: e.roles.Rules.IsNotEmbedded, Register: folders, Log: opts.Log,
		}, e.vaultPort())
		if s, ok := switchFor(opts.Switches, v.Alias); ok {
			v.SetWatching(s.On, s.For)
		}
		e.vaults = append(e.vaults, v)
	}
	return nil
}

// stateOf is the mark of the state folder in the vaults. An engine without a token has no folder that lasts.
func stateOf(token string) string {
	if token == "" {
		return ""
	}
	return presence.StateOf(token)
}

// findGiven is when a vault was first given to an engine, which may be now. An engine that is killed before it has met
// the vault leaves that hour to the next one. Where it cannot be recorded, on a full disk, it is now.
func (e *Engine) findGiven(ctx context.Context, cfg config.Vault) time.Time {
	now := time.Now()
	given, err := e.journal.RecordGiven(ctx, cfg.Path, now)
	if err != nil {
		e.log.Warn("record that a vault is given", "vault", cfg.Name, "error", err)
		return now
	}
	return given
}
