package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

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
		Journal: e.journal, Record: e.recorder, EngineID: e.id, AnswerBytes: e.config.Limits.AnswerBytes, FollowFor: follow.For, Engine: e,
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
	v := e.vaultAt(root)
	for i := 0; v == nil && i < len(e.vaults); i++ { // what an earlier engine left waits when this one starts
		e.waitOpen(ctx, api.Root{Name: e.vaults[i].Name})
		v = e.vaultAt(root)
	}
	switch {
	case v == nil && len(e.openVaults()) < len(e.vaults):
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

// WhyBack says why answers that a note has lost are held, or nothing.
func (e *Engine) WhyBack(root, rel string) string {
	if v := e.vaultAt(root); v != nil {
		return v.AwaitDisk().WhyBack(rel)
	}
	return ""
}

// IsAwayOnDisk reports whether the disk of a vault is away.
func (e *Engine) IsAwayOnDisk(root string) bool {
	v := e.vaultAt(root)
	return v != nil && v.AwaitDisk().IsAway()
}

// IsSought reports whether the questions of a note that is gone are looked for in others.
func (e *Engine) IsSought(root, rel string) bool {
	v := e.vaultAt(root)
	return v != nil && v.AwaitDisk().IsSought(rel)
}

// MarkUnreachable has a vault announced anew when its folder is back.
func (e *Engine) MarkUnreachable(root string) {
	if v := e.vaultAt(root); v != nil {
		v.MarkUnreachable()
	}
}

// ReadForProgress returns a note with its progress comments and when it was changed; an
// error says that nothing is to be told in it.
func (e *Engine) ReadForProgress(root, rel string) ([]byte, time.Time, error) {
	v := e.vaultAt(root)
	if v == nil {
		return nil, time.Time{}, fmt.Errorf("%s is no note that can be told in", rel)
	}
	disk := v.AwaitDisk()
	if !disk.IsNote(rel) || disk.IsAway() {
		return nil, time.Time{}, fmt.Errorf("%s is no note that can be told in", rel)
	}
	src, err := disk.ReadRaw(rel)
	if err != nil {
		return nil, time.Time{}, err
	}
	info, err := disk.Stat(rel)
	if err != nil {
		return nil, time.Time{}, err
	}
	return src, info.ModTime(), nil
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
