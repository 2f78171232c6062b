package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/notes"
	"vaultdispatcher/engine/vault/copies"
)

// isUnindexed says which notes recall does not know. What is never looked at is
// among them, for an index may have been filled before it was excluded; so are second versions
// of notes. It does not touch the disk, for each search asks it.
func (v *Vault) isUnindexed(rel string) bool {
	return notes.WhyNot(rel, v.opts.Config.Exclude) != "" || v.opts.Config.IsUnindexed(rel) || v.doubles.Has(rel)
}

// readClaims returns the claims on a note; the caller holds mu.
func (v *Vault) readClaims(ctx context.Context, rel string) ([]journal.Claim, error) {
	if !v.tracked[rel] {
		return nil, nil
	}
	claims, err := v.opts.Journal.Claims(ctx, v.Root, rel)
	if err != nil {
		return nil, fmt.Errorf("read the claims on %s: %w", rel, err)
	}
	if len(claims) == 0 {
		v.trail.Unclaimed(rel)
		delete(v.tracked, rel)
		delete(v.missing, rel)
		delete(v.suspects, rel)
	}
	return claims, nil
}

// isNoNote reports whether a note that could not be read is none. The caller holds mu.
func (v *Vault) isNoNote(rel string, err error) bool {
	info, there := v.Stat(rel)
	return errors.Is(err, fs.ErrInvalid) || there == nil && info.Mode()&fs.ModeSymlink != 0 // one that leads out of the vault
}

// isTruncated reports whether a note with claims is empty only because an editor is
// between truncating and writing it. It is believed to be empty when it still is
// at the next look. The caller holds mu.
func (v *Vault) isTruncated(s Save, src []byte) bool {
	if len(src) > 0 {
		delete(v.emptied, s.Rel)
		return false
	}
	since, known := v.emptied[s.Rel]
	if !known {
		since = time.Now()
		v.emptied[s.Rel] = since
	}
	if time.Since(since) >= again {
		return false
	}
	v.wakeAt(s, since.Add(again))
	return true
}

// A note that has a private name too, a hard link, is private under each.

// findSecrets brings up to date which of some notes no embedder is told of for another name. It
// touches the disk, and is called before what they say is indexed.
func (v *Vault) findSecrets(notes ...string) {
	if v.opts.Private != nil && v.opts.Silent != nil {
		v.secrets.Update(copies.FindNames(v.Root, v.opts.Private), v.opts.Silent, notes)
	}
}

// isSilent reports whether no embedder is told of a note.
func (v *Vault) isSilent(rel string) bool {
	return v.secrets.Has(rel) || v.opts.Silent != nil && v.opts.Silent(rel)
}

// isGone reports whether there is no note at a path any more. Where case does not
// count, a note that was renamed to another case still answers to its old name.
// The caller holds mu.
func (v *Vault) isGone(rel string) bool {
	info, err := v.Stat(rel)
	if err != nil {
		return isNotExist(err)
	}
	for other := range v.settling.ListSpellings(rel) {
		if other != rel {
			same, err := v.Stat(other)
			return err == nil && os.SameFile(info, same)
		}
	}
	return false
}
