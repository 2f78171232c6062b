package engine

import (
	"time"
	"vaultdispatcher/engine/vault"
)

// This file is what an engine leaves to the one that takes its place in the same
// process, when the configuration has changed. Everything else is in the journal.

// Switch is how a person has set the watching of a vault, against or with the
// configuration.
type Switch = vault.Switch

// Switches returns what was set by hand, by the vault's configured path. Where no
// vault is watched any more, the empty path says so for those that come.
func (e *Engine) Switches() map[string]Switch {
	set, off := make(map[string]Switch), 0
	for _, v := range e.vaults {
		s, ok := v.WatchingByHand(time.Now())
		if ok {
			set[v.Alias] = s
		}
		if ok && !s.On {
			off, set[""] = off+1, s
		}
	}
	if off < len(e.vaults) {
		delete(set, "")
	}
	return set
}

// switchFor returns how a vault's watching was set before, if it was.
func switchFor(switches map[string]Switch, path string) (Switch, bool) {
	s, ok := switches[path]
	if !ok {
		s, ok = switches[""]
	}
	return s, ok
}

// Working reports whether an agent is at work or its answer is being written.
func (e *Engine) Working() bool { return e.dispatcher.Running()+e.writer.Writing() > 0 }
