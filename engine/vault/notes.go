package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/notes"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/vault/copies"
)

// maxNote is the largest note that is read, in bytes; larger files are no notes.
const maxNote = 10 << 20

// errLarge says that a file is too large for a note.
var errLarge = fmt.Errorf("it is larger than %d MiB: %w", maxNote>>20, fs.ErrInvalid)

// isIgnored says which files of the vault are never looked at.
func (v *Vault) isIgnored(rel string, dir bool) bool {
	if dir {
		return notes.HoldsNone(v.Root, rel)
	}
	return !v.IsNote(rel)
}

// IsNote reports whether a file of the vault is looked at.
func (v *Vault) IsNote(rel string) bool { return v.WhyNoNote(rel) == "" }

// WhyNoNote says in one sentence why a file of the vault is never looked at, or
// nothing. It may touch the disk.
func (v *Vault) WhyNoNote(rel string) string {
	return notes.WhyNotIn(v.Root, rel, v.opts.Config.Exclude)
}

// WhyNotAsked says in one sentence why nothing is asked in a file that a person names, or nothing. It may touch the disk.
func (v *Vault) WhyNotAsked(rel string) string {
	return notes.WhyNotAsked(v.Root, rel, v.opts.Config.Exclude)
}

// isUnindexed says which notes recall does not know. What is never looked at is
// among them, for an index may have been filled before it was excluded; so are second versions
// of notes. It does not touch the disk, for each search asks it.
func (v *Vault) isUnindexed(rel string) bool {
	return notes.WhyNot(rel, v.opts.Config.Exclude) != "" || v.opts.Config.IsUnindexed(rel) || v.doubles.Has(rel)
}

// openNote opens a regular file of the vault. The path cannot leave the vault, whatever
// links it goes through, and anything but a regular file is refused: opening a pipe would block.
func (v *Vault) openNote(rel string) (*os.File, error) {
	root, err := os.OpenRoot(v.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := filepath.FromSlash(rel)
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file: %w", rel, fs.ErrInvalid)
	}
	return root.Open(name)
}

// Read returns a note's bytes without progress comments. It touches the disk.
func (v *Vault) Read(rel string) ([]byte, error) {
	src, err := v.ReadRaw(rel)
	return progress.Bare(src).Text, err
}

// ReadRaw returns a note's bytes. It touches the disk.
func (v *Vault) ReadRaw(rel string) ([]byte, error) {
	f, err := v.openNote(rel)
	if err != nil {
		return nil, fmt.Errorf("open a note: %w", err)
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxNote+1))
	if err != nil {
		return nil, fmt.Errorf("read a note: %w", err)
	}
	if len(src) > maxNote {
		return nil, fmt.Errorf("%s: %w", rel, errLarge)
	}
	return src, nil
}

// WhyReadOnly says in one sentence why no answer can be written into a note, or
// nothing. A note that becomes writable is seen as changed. The note is not opened:
// closing a file that was open for writing wakes every watcher of it (IN_CLOSE_WRITE,
// https://man7.org/linux/man-pages/man7/inotify.7.html). It touches the disk.
func (v *Vault) WhyReadOnly(rel string) string {
	path := filepath.Join(v.Root, filepath.FromSlash(rel))
	info, err := os.Lstat(path)
	if err != nil {
		return "" // it has just gone; that is found out elsewhere
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return "The note is a link; write into the note it leads to, where the question is answered."
	}
	if !info.Mode().IsRegular() {
		return "" // a pipe would keep us waiting; it is no note
	}
	if info.Mode().Perm()&0o222 == 0 {
		return readOnly
	}
	if !swap.IsWritable(path) {
		return readOnly
	}
	return ""
}

const readOnly = "The note is read-only; make it writable and it is answered."

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

// Stat says of a path in the vault what the system knows. It touches the disk and follows no link.
func (v *Vault) Stat(rel string) (os.FileInfo, error) {
	return os.Lstat(filepath.Join(v.Root, filepath.FromSlash(rel)))
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
