package engine

import (
	"context"
	"fmt"
	"path/filepath"

	"vaultdispatcher/engine/agent/builtin"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/broadcast"
	"vaultdispatcher/engine/broadcast/speech"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/behind"
	"vaultdispatcher/engine/vault/follow"
	"vaultdispatcher/engine/vault/presence"
	"vaultdispatcher/engine/writer"
)

// This file joins the rooms: what writer, dispatcher and vaults may ask of the engine.

func (e *Engine) openWriter() {
	e.writer = writer.New(writer.Options{
		Journal: e.journal, Record: e.recorder, EngineID: e.id, AnswerBytes: e.config.Limits.AnswerBytes, FollowFor: follow.For,
		Engine: struct { // vaults answer by themselves
			*vault.Set
			*Engine
		}{&e.vaults, e},
		Progress: writer.Progress{On: e.config.Progress == "note", Host: presence.ThisMachine(), Rest: e.config.Debounce},
		Log:      e.log,
	})
}

func (e *Engine) openDispatcher(opts Options) (err error) {
	b := opts.Config.Broadcast
	e.sound = broadcast.NewDesk(broadcast.DeskOptions{
		Settings: speech.Settings{Engine: b.Engine, Command: b.Command, URL: b.URL, Model: b.Model, Key: modelhttp.FindKey(b.APIKeyEnv, nil), KeyFrom: b.APIKeyEnv, Voices: b.Voices},
		Folder:   b.Folder, State: filepath.Join(opts.State, "speech"), Engine: e.id, Log: opts.Log, IsPrivate: e.isPrivate, Changed: e.StatusChanged,
		Look: e.lookForSound,
	})
	own := roles.Own{Miner: opts.miner, Parts: e.journal, Remote: roles.Remote{State: opts.State, Journal: e.journal, Log: opts.Log}, Broadcaster: broadcast.New(broadcast.Port{
		Index: e.indexOf, Engine: e.id, Folder: b.Folder, Sound: e.sound, Private: e.isPrivate, Journal: e.journal,
		History: opts.Config.HistoryOf, MayTell: func(x journal.Exchange) bool { return e.roles.Rules.MayLeave(x) }})}
	if own.Miner == nil {
		own.Miner = builtin.New(e.indexOf)
	}
	if e.roles, err = roles.New(opts.Config, opts.Agents, own); err != nil {
		return err
	}
	e.dispatcher = dispatch.New(dispatch.Options{
		Journal: e.journal, Record: e.recorder,
		Concurrency: opts.Config.Dispatch.Concurrency, Mode: opts.Config.Dispatch.Mode, Grace: e.grace,
		Roles: e.roles, Engine: e, Writer: e.writer, Meter: e,
		Log: opts.Log,
	})
	return nil
}

// lookForSound makes a look of the desk's that reads aloud for all vaults.
func (e *Engine) lookForSound(ctx context.Context, root string, look func() error) error {
	v := e.vaults.At(root)
	for i := 0; v == nil && i < len(e.vaults); i++ { // what an earlier engine left waits when this one starts
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

// vaultPort is what the vaults may ask of this engine.
func (e *Engine) vaultPort() vault.Port {
	return vault.Port{Engine: e, Dispatcher: e.dispatcher, Writer: e.writer}
}

// BothKept tells a person where the other version of a note is.
func (e *Engine) BothKept(file, copy string) {
	e.AddNotice(api.NoticeBothKept, "file", file, "copy", copy)
}

// OldMarkersHeld tells whoever runs the engine how many markers a vault had before.
func (e *Engine) OldMarkersHeld(vault string, markers int) {
	if e.oldMarkers != nil {
		e.oldMarkers(vault, markers)
	}
}
