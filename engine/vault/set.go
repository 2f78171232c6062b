package vault

import (
	"context"
	"fmt"
	"slices"
	"time"

	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/vault/toggle"
)

// A Set has the vaults of an engine, in the order of the configuration. It is filled before the first of them runs. The writer
// knows a vault by its root and asks the Set; so do all rooms that find one by a record of the journal.
type Set []*Vault

// Opened returns the vaults that are open.
func (s *Set) Opened() []*Vault {
	return slices.DeleteFunc(slices.Clone(*s), func(v *Vault) bool { return !v.IsOpen() })
}

// At returns the open vault with that root, or nil.
func (s *Set) At(root string) *Vault {
	for _, v := range *s {
		if v.IsOpen() && v.Root == root {
			return v
		}
	}
	return nil
}

// Await returns the vault of a name when it is open, or nil when it is not in time.
func (s *Set) Await(ctx context.Context, name string) *Vault {
	i := slices.IndexFunc(*s, func(v *Vault) bool { return v.Name == name })
	if i < 0 {
		return nil
	}
	select {
	case <-(*s)[i].Opened:
		return (*s)[i]
	case <-time.After(patience.Of(patience.DiskTime)):
	case <-ctx.Done():
	}
	return nil
}

// NameOf is the configured name of a vault, or its path when it is not open or not configured any more.
func (s *Set) NameOf(root string) string {
	if v := s.At(root); v != nil {
		return v.Name
	}
	return root
}

// WhyNone says in one sentence why there is no open vault with a root.
func (s *Set) WhyNone(root string) string {
	if len(s.Opened()) < len(*s) {
		return "Its vault is not open now: " + root + "."
	}
	return "Its vault is not configured now: " + root + "."
}

// WhyBack says why answers that a note has lost are held, or nothing. It waits for a look, and so for the disk.
func (s *Set) WhyBack(root, rel string) (why string) {
	s.whileLocked(root, func(v *Vault) { why = v.bulk.WhyBack(rel) })
	return why
}

// IsSought reports whether the questions of a note that is gone are looked for in others. It waits for a look, and so for the disk.
func (s *Set) IsSought(root, rel string) (is bool) {
	s.whileLocked(root, func(v *Vault) { is = v.follower.IsSought(rel) })
	return is
}

// whileLocked calls a function with the open vault that has a root, if there is one; no look runs beside it.
func (s *Set) whileLocked(root string, do func(v *Vault)) {
	if v := s.At(root); v != nil {
		v.mu.Lock()
		defer v.mu.Unlock()
		do(v)
	}
}

// IsAwayOnDisk reports whether the disk of a vault is away. It may wait for the disk.
func (s *Set) IsAwayOnDisk(root string) bool {
	v := s.At(root)
	return v != nil && v.isAway()
}

// MarkUnreachable has a vault announced anew when its folder is back.
func (s *Set) MarkUnreachable(root string) {
	if v := s.At(root); v != nil {
		v.Condition.announced.Store(false)
	}
}

// ReadForProgress returns a note with its progress comments and when it was changed; an error says that nothing is to be told
// in it. It may wait for the disk.
func (s *Set) ReadForProgress(root, rel string) (src []byte, modified time.Time, err error) {
	v := s.At(root)
	if v == nil || !v.disk.IsNote(rel) || v.isAway() {
		return nil, time.Time{}, fmt.Errorf("%s is no note that can be told in", rel)
	}
	if src, err = v.disk.ReadRaw(rel); err != nil {
		return nil, time.Time{}, err
	}
	info, err := v.disk.Stat(rel)
	if err != nil {
		return nil, time.Time{}, err
	}
	return src, info.ModTime(), nil
}

// Switch is how a person has set the watching of a vault, against or with the configuration.
type Switch = toggle.Switch

// Switches returns the switches that were set by hand, by the vault's configured path. If no vault is watched any more, the
// entry of the empty path is for vaults that are added later. An engine leaves only this to the next one of the same
// process; the rest is in the journal.
func (s *Set) Switches() map[string]Switch {
	set, off := make(map[string]Switch), 0
	for _, v := range *s {
		s, ok := v.Watching.ByHand(time.Now())
		if ok {
			set[v.Alias] = s
		}
		if ok && !s.Active {
			off, set[""] = off+1, s
		}
	}
	if off < len(*s) {
		delete(set, "")
	}
	return set
}

// SwitchFor returns how a vault's watching was set before, if it was.
func SwitchFor(switches map[string]Switch, path string) (Switch, bool) {
	s, ok := switches[path]
	if !ok {
		s, ok = switches[""]
	}
	return s, ok
}
