// Package source tells where in a vault something may have happened, as the
// notification service of the operating system says it.
//
// [Open] starts the best source of the system and hands what it says to [Hints], from
// which the reader takes it. Linux and BSD have fsnotify with a watch for each folder,
// macOS likewise for small vaults, Windows one ReadDirectoryChangesW for all.
package source

import (
	"log/slog"

	"vaultdispatcher/engine/watch/disk"
)

// Source is where hints come from: the notification service of one operating system. A source knows nothing of notes.
// It says into its hints where something may have happened, as early and as often as it likes, and it may be wrong;
// the reconciler compares that place with its snapshot. A source must not block (the kernel's queue has to be
// emptied), hide that messages were lost, or stat or open any file.
//
// Its hints:
//
//	hints.add(rel, here)     something happened to this name, or in this folder
//	hints.add(rel, subtree)  the name went, came by a rename, or was exchanged:
//	                         all below is to be looked at, watches there are void
//	hints.everything()       something happened, no telling where
//	hints.overflow()         the same, because messages were lost
//
// Paths are relative to the root, with slashes, spelled as the system tells them;
// "" is the root, and add("", subtree) says that the root itself went, which ends
// the session. Hints may be given from any goroutine.
//
// [Open] starts the best source there is. A source that hears of a whole subtree by itself is complete with these two
// methods; one that hears of a folder only while it watches it is a
// [FolderSource].
type Source interface {
	// Name is what status shows: "fsnotify" or "rdcw".
	Name() string

	// Close ends the source and returns when nothing of it runs any more. It is
	// called once.
	Close()
}

// FolderSource is a source with one watch per folder. Its methods are called by
// the goroutine of the reconciler only.
type FolderSource interface {
	Source

	// Arm watches the folder rel, which is id, unless it does so already. With
	// anew an existing watch is replaced, because it may have stayed with a
	// folder that was moved away. The error says that there is no such folder to
	// be watched; when the system has no watch left that is a refusal, no error.
	Arm(rel string, id disk.Ident, anew bool) error

	// Disarm ends the watch of a folder, if there is one.
	Disarm(rel string)

	// Ended returns the folders whose watch has come to an end by itself.
	Ended() []string

	// Watches returns how many folders are watched, and for how many the system
	// had no watch left.
	Watches() (armed, refused int)

	// LimitReached names in words the limit that was reached; empty without one.
	LimitReached() string
}

// Opener starts a source for the vault at root.
type Opener func(root string, h *Hints, log *slog.Logger) (Source, error)
