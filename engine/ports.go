package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/builtin"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/api/vaultmind"
	"vaultdispatcher/engine/broadcast"
	"vaultdispatcher/engine/broadcast/speech"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/dashboard"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/front"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/journal/recorder"
	"vaultdispatcher/engine/library"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/metrics"
	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/notices"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/tally"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/behind"
	"vaultdispatcher/engine/vault/follow"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/engine/vault/register"
	"vaultdispatcher/engine/webhook"
	"vaultdispatcher/engine/writer"
)

// This file joins the rooms: what writer, dispatcher and vaults may ask of the engine.

func (e *Engine) openWriter() {
	e.reports = &reports{config: e.config, vaults: &e.vaults, untaken: &e.untaken, notices: &e.notices, news: e.news}
	e.writer = writer.New(writer.Options{
		Journal: e.journal, Record: e.recorder, EngineID: e.id, AnswerBytes: e.config.Limits.AnswerBytes, FollowFor: follow.For,
		Engine: struct { // vaults answer by themselves
			*vault.Set
			*reports
		}{&e.vaults, e.reports},
		NewestFirst: e.config.NewestFirst,
		Progress:    writer.Progress{Enabled: e.config.Progress == "note", Host: presence.ThisMachine(), Rest: e.config.Debounce, Asks: e.config.Approve.InNote},
		Log:         e.log,
	})
	e.reports.writer = e.writer
}

func (e *Engine) openRoles(opts Options) (err error) {
	b := opts.Config.Broadcast
	e.sound = broadcast.NewDesk(broadcast.DeskOptions{
		Settings: speech.Settings{Engine: b.Engine, Command: b.Command, URL: b.URL, Model: b.Model, Key: modelhttp.FindKey(b.APIKeyEnv, nil), KeyFrom: b.APIKeyEnv, Voices: b.Voices},
		Folder:   b.Folder, State: filepath.Join(opts.State, "speech"), Engine: e.id, Log: opts.Log, IsPrivate: e.isPrivate, Changed: e.notices.StatusChanged,
		Look: e.lookForSound,
	})
	own := roles.Own{Miner: opts.miner, Parts: e.journal, Remote: roles.Remote{State: opts.State, Journal: e.journal, Log: opts.Log}, Broadcaster: broadcast.New(broadcast.Port{
		Index: e.indexOf, Engine: e.id, Folder: b.Folder, Sound: e.sound, Private: e.isPrivate, Journal: e.journal,
		History: opts.Config.HistoryOf, MayTell: func(x journal.Exchange) bool { return e.roles.Rules.MayLeave(x) }})}
	if own.Miner == nil {
		own.Miner = builtin.New(e.indexOf)
	}
	e.roles, err = roles.New(opts.Config, opts.Agents, own)
	e.reports.roles = e.roles
	return err
}

func (e *Engine) openDispatcher(opts Options, books *library.Library, desk *mcp.Desk) {
	e.starts = &starts{config: e.config, log: e.log, vaults: &e.vaults, journal: e.journal, recorder: e.recorder, roles: e.roles, metrics: e.metrics, notices: &e.notices}
	e.asker = &asker{starts: e.starts, port: e.port, library: books, desk: desk, fits: &e.fits, waiters: &e.asking, steps: &e.steps, tellProgress: e.tellProgress}
	e.dispatcher = dispatch.New(dispatch.Options{
		Journal: e.journal, Record: e.recorder,
		Concurrency: opts.Config.Dispatch.Concurrency, Mode: opts.Config.Dispatch.Mode, Grace: e.grace,
		Roles: e.roles, Engine: e.asker, Writer: e.writer, Meter: e.starts, Log: opts.Log,
	})
	e.starts.dispatcher = e.dispatcher
}

// openServer makes what answers other programs. It asks all the others.
func (e *Engine) openServer(opts Options, desk *mcp.Desk) {
	e.front = front.New(front.Options{
		Version: e.version, Port: e.port, Started: e.started, Config: e.config, Log: e.log,
		Vaults: &e.vaults, Journal: e.journal, Recorder: e.recorder, Roles: e.roles, Dispatcher: e.dispatcher, Writer: e.writer,
		Runs: e.schedule, Tally: tally.New(e.journal.Endings), Sound: e.sound, Starts: e.starts,
		Board: &e.notices, Untaken: &e.untaken, Fits: &e.fits, Waiters: &e.asking, Steps: &e.steps,
		Withheld: e.asker.library.Withheld, Elsewhere: func() []api.Notice { return e.webhook.Notices() }, Keep: e.reports.KeepUntaken, UndoFailed: e.reports.UndoFailed, Stop: e.end,
	})
	e.server = server.New(e.front, opts.Token, opts.Log)
	e.notices.Follow = e.server.Changed
	e.server.UseTools(opts.Tools)
	e.server.UseCalls(vaultmind.Routes(e.front, e.server))
	if opts.Web != nil {
		e.server.UsePages(dashboard.New(dashboard.Options{Server: e.server, Backend: e.front, Tools: opts.Tools, Files: opts.Web, Log: opts.Log, Sessions: opts.Sessions,
			Presentations: broadcast.NewShown(opts.Config, e.isPrivate)}))
	}
	e.server.UseCalls(e.metrics.Routes())
	e.server.UseDesk(desk)
}

// openWebhook makes what tells a server elsewhere.
func (e *Engine) openWebhook(opts Options) {
	var err error
	if e.webhook, err = webhook.New(webhook.Options{Config: opts.Config.Webhook, Rules: e.roles.Rules, Log: e.log, Changed: e.notices.StatusChanged,
		Replies: webhook.Replies{Secret: opts.Token, Dashboard: fmt.Sprintf("http://127.0.0.1:%d/proposed", e.port), Offers: e.journal, Decisions: e.front}}); err != nil {
		e.notices.AddNotice(api.NoticeWebhook, "error", err)
	}
}

// lookForSound makes a look of the desk's that reads aloud for all vaults.
func (e *Engine) lookForSound(ctx context.Context, root string, look func() error) error {
	v := e.vaults.At(root)
	for i := 0; v == nil && i < len(e.vaults); i++ { // looks of an earlier engine wait when this one starts
		e.vaults.Await(ctx, e.vaults[i].Name)
		v = e.vaults.At(root)
	}
	switch {
	case v == nil && len(e.vaults.Opened()) < len(e.vaults):
		return fmt.Errorf("%w: a vault is not open yet", speech.ErrSilent)
	case v == nil:
		return look() // its folder is no vault any more
	}
	_, err := vault.OnDisk(ctx, v, func(vault.Disk) (any, error) { return nil, look() })
	if behind.IsSilent(err) {
		return fmt.Errorf("%w: %w", speech.ErrSilent, err)
	}
	return err
}

// indexOf returns the index of the vault with that root.
func (e *Engine) indexOf(root string) (*recall.Index, error) {
	if v := e.vaults.At(root); v != nil {
		return v.AwaitDisk().Index(), nil
	}
	return nil, &agent.Failure{Kind: agent.Permanent, Reason: "the vault is not configured any more"}
}

// measureVaults is what the open vaults know of themselves.
func (e *Engine) measureVaults() (all []metrics.Vault) {
	for _, v := range e.vaults.Opened() {
		seen, index := v.Watcher.Stats(), v.Catalog.State()
		all = append(all, metrics.Vault{Name: v.Name, Settling: v.CountSettling(), Hints: seen.Hints, Misses: seen.Misses, Notes: index.Notes, Bytes: index.Bytes})
	}
	return all
}

func (e *Engine) openJournal(ctx context.Context, opts Options) (err error) {
	waits := opts.Waits
	if waits == nil {
		waits = func(err error) { e.log.Warn("the start waits", "error", err) }
	}
	if e.journal, err = journal.On(database.OpenFree(ctx, filepath.Join(opts.State, journalFile), waits)); err != nil {
		return fmt.Errorf("open the journal: %w", err)
	}
	e.journal.OnWrite(e.notices.StatusChanged)
	e.journal.OnStep(e.tellStep)
	for _, d := range e.journal.Damage() {
		e.notices.AddNotice(api.NoticeDamage, "problem", d.Problem, "path", d.Path, "saved", d.Salvaged, "lost", d.Missing)
	}
	e.recorder = recorder.New(e.log, journal.IsRefused)
	return nil
}

// addVaults makes the vaults of the configuration, which Run opens.
func (e *Engine) addVaults(ctx context.Context, opts Options) error {
	folders, port := new(register.Register), vault.Port{Dispatcher: e.dispatcher, Writer: e.writer, Engine: struct {
		*starts
		*reports
		*notices.Board
		*front.Front
	}{e.starts, e.reports, &e.notices, e.front}}
	for _, cfg := range opts.Config.Vaults {
		cache, err := opts.Cache(cfg.Path)
		if err != nil {
			return fmt.Errorf("find the cache of %s: %w", cfg.Name, err)
		}
		v := vault.New(vault.Options{
			Config: opts.Config, Vault: cfg, Cache: cache, Engine: e.id, State: stateOf(opts.Token), Version: e.version, Port: e.port, Started: e.started, Adoption: e.findGiven(ctx, cfg),
			Journal: e.journal, Meaning: e.meaning, Private: e.roles.Rules.Private(), Silent: e.roles.Rules.IsNotEmbedded, Register: folders, OldMarkers: opts.OldMarkers, Log: opts.Log,
		}, port)
		if s, ok := vault.SwitchFor(opts.Switches, v.Alias); ok {
			v.Watching.Set(s.Active, s.Duration)
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

// findGiven returns when a vault was first given to an engine, which may be now. An engine that is
// killed before it has met the vault leaves that time to the next one. If it cannot be recorded, on a
// full disk, the time is now.
func (e *Engine) findGiven(ctx context.Context, cfg config.Vault) time.Time {
	now := time.Now()
	given, err := e.journal.RecordGiven(ctx, cfg.Path, now)
	if err != nil {
		e.log.Warn("record that a vault is given", "vault", cfg.Name, "error", err)
		return now
	}
	return given
}
