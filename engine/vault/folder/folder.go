// Package folder reads the files of one vault from its disk: which of them are notes, and what
// they say.
//
//	f := folder.Folder{Root: root, Exclude: cfg.Exclude}
//	src, err := f.Read("Daily/2026-01-01.md")
//
// A path is one in the vault, with slashes, and no note is read through a link that leads out of
// it. A disk may hang, and a method with it: a caller that must not wait uses vault.OnDisk.
package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/notes"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/wording"
)

// Folder is the folder of a vault. Its methods are safe for concurrent use while its fields stay.
type Folder struct {
	Root    string   // as the disk has it: absolute, without links
	Exclude []string // patterns of what is no note
}

// MaxNote is the largest note that is read, in bytes; larger files are no notes.
const MaxNote = 10 << 20

// ErrLarge says that a file is too large for a note.
var ErrLarge = fmt.Errorf("it is larger than %d MiB: %w", MaxNote>>20, fs.ErrInvalid)

// IsIgnored says which files of the vault are never looked at.
func (f *Folder) IsIgnored(rel string, dir bool) bool {
	if dir {
		return notes.HoldsNone(f.Root, rel)
	}
	return !f.IsNote(rel)
}

// IsNote reports whether a file of the vault is looked at.
func (f *Folder) IsNote(rel string) bool { return f.WhyNoNote(rel) == "" }

// WhyNoNote says without capital and full stop why a file of the vault is never looked at, or
// nothing. It may touch the disk.
func (f *Folder) WhyNoNote(rel string) string {
	return notes.WhyNotIn(f.Root, rel, f.Exclude)
}

// WhyNotAsked says as WhyNoNote why nothing is asked in a file that a person names, or nothing.
// It may touch the disk.
func (f *Folder) WhyNotAsked(rel string) string {
	return notes.WhyNotAsked(f.Root, rel, f.Exclude)
}

// openNote opens a regular file of the vault. The path cannot leave the vault, whatever links it
// follows. Anything but a regular file is refused: opening a pipe would block.
func (f *Folder) openNote(rel string) (*os.File, error) {
	root, err := os.OpenRoot(f.Root)
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
func (f *Folder) Read(rel string) ([]byte, error) {
	src, err := f.ReadRaw(rel)
	return progress.Bare(src).Text, err
}

// ReadRaw returns a note's bytes. It touches the disk.
func (f *Folder) ReadRaw(rel string) ([]byte, error) {
	file, err := f.openNote(rel)
	if err != nil {
		return nil, fmt.Errorf("open a note: %w", err)
	}
	defer file.Close()
	src, isWhole, err := files.ReadLimited(file, MaxNote)
	if err != nil {
		return nil, fmt.Errorf("read a note: %w", err)
	}
	if !isWhole {
		return nil, fmt.Errorf("%s: %w", rel, ErrLarge)
	}
	return src, nil
}

// IsNoNote reports whether a path that could not be read, as err says, is not a note at all. It
// touches the disk.
func (f *Folder) IsNoNote(rel string, err error) bool {
	if errors.Is(err, fs.ErrInvalid) {
		return true
	}
	info, there := f.Stat(rel)
	return there == nil && info.Mode()&fs.ModeSymlink != 0 // one that leads out of the vault
}

// WhyReadOnly says without capital and full stop why no answer can be written into a note, or
// nothing. A note that becomes writable is seen as changed. The note is not opened:
// closing a file that was open for writing wakes every watcher of it (IN_CLOSE_WRITE,
// https://man7.org/linux/man-pages/man7/inotify.7.html). It touches the disk.
func (f *Folder) WhyReadOnly(rel string) string {
	path := filepath.Join(f.Root, filepath.FromSlash(rel))
	info, err := os.Lstat(path)
	if err != nil {
		return "" // it has just gone; that is found out elsewhere
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return wording.IsLink.Say()
	}
	if !info.Mode().IsRegular() {
		return "" // a pipe would keep us waiting; it is no note
	}
	if info.Mode().Perm()&0o222 == 0 || !swap.IsWritable(path) {
		return wording.ReadOnly.Say()
	}
	return ""
}

// Stat says of a path in the vault what the system knows. It touches the disk and follows no
// link.
func (f *Folder) Stat(rel string) (os.FileInfo, error) {
	return os.Lstat(filepath.Join(f.Root, filepath.FromSlash(rel)))
}
