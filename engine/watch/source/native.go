//go:build !windows

package source

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/fsnotify/fsnotify"

	"vaultdispatcher/engine/watch/disk"
)

// native is the source that passes on what the operating system says. Its watch
// methods belong to the goroutine of the reconciler.
//
// fsnotify keeps a watch by the path it was given, and the kernel keeps it by the
// folder. When a folder is moved the two disagree: events come under a path that no
// longer exists (https://github.com/fsnotify/fsnotify/issues/172 and 694), adding the
// new path returns the old watch, and the message that the folder moved, read a moment
// later, removes it (https://github.com/fsnotify/fsnotify/pull/518; measured here:
// TestWatchesFollowAFolderThatReturns). So native remembers which folder each watch is
// on, and ends the old watch before it adds the new one; the late message then finds
// nothing to remove.
type native struct {
	root    string
	w       *fsnotify.Watcher
	hints   *Hints
	log     *slog.Logger
	add     func(abs string) error // watches one folder: w.Add, but for the test of its limit
	drained chan struct{}          // closed when drain has returned

	folders map[string]disk.Ident // watched folders by path in the vault
	paths   map[disk.Ident]string // the same, by identity
	refused map[string]error      // folders for which there was no watch left
}

// openNative starts to listen for the folders that arm will name. It starts one
// goroutine, which close ends.
func openNative(root string, h *Hints, log *slog.Logger) (*native, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("asking the system for change notifications: %w", err)
	}
	n := &native{
		root:    root,
		w:       w,
		hints:   h,
		log:     log,
		add:     w.Add,
		drained: make(chan struct{}),
		folders: make(map[string]disk.Ident),
		paths:   make(map[disk.Ident]string),
		refused: make(map[string]error),
	}
	go n.drainEvents()
	return n, nil
}

func (n *native) Name() string { return "fsnotify" }

func (n *native) Close() {
	if err := n.w.Close(); err != nil {
		n.log.Warn("closing change notifications", "root", n.root, "err", err)
	}
	<-n.drained
}

// drainEvents turns messages into hints until fsnotify closes its channels. Every
// message means no more than "look here".
func (n *native) drainEvents() {
	defer close(n.drained)
	events, errs := n.w.Events, n.w.Errors
	for events != nil || errs != nil {
		select {
		case e, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			what := Here
			if e.Op.Has(fsnotify.Rename) || e.Op.Has(fsnotify.Remove) {
				what = Subtree
			}
			n.hints.Add(n.relPath(e.Name), what)
		case err, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			n.handleError(err)
		}
	}
}

// handleError widens the search: whatever went wrong, messages may be missing. An
// overflow can come many times in a second, so the comparison that it causes
// writes it to the log. An invalid argument comes of fsnotify ending a watch that the
// kernel has ended already (EINVAL of inotify_rm_watch).
func (n *native) handleError(err error) {
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		n.hints.AddOverflow()
		return
	}
	if !errors.Is(err, syscall.EINVAL) {
		n.log.Warn("reading change notifications", "root", n.root, "err", err)
	}
	n.hints.AddAll()
}

func (n *native) relPath(abs string) string {
	rel := strings.TrimPrefix(abs, n.root)
	return filepath.ToSlash(strings.TrimLeft(rel, string(filepath.Separator)))
}

func (n *native) absPath(rel string) string {
	return filepath.Join(n.root, filepath.FromSlash(rel))
}

// Arm implements [FolderSource].
//
// A watch that exists is still good: whatever ends one, a removal or a move, is
// a message about its folder, and that message comes back here as anew.
func (n *native) Arm(rel string, id disk.Ident, anew bool) error {
	had, ok := n.folders[rel]
	if ok && had == id && !anew {
		return nil
	}
	n.Disarm(rel)
	if other, ok := n.paths[id]; ok && id != (disk.Ident{}) {
		n.Disarm(other)
	}
	err := n.add(n.absPath(rel))
	switch {
	case err == nil:
		n.folders[rel] = id
		n.paths[id] = rel
	case IsLimit(err):
		n.refused[rel] = err
	default:
		return fmt.Errorf("watching %s: %w", n.absPath(rel), err)
	}
	return nil
}

// Disarm ends the watch of a folder. An absent watch is usual: the kernel ends the watches of folders that are
// deleted.
func (n *native) Disarm(rel string) {
	delete(n.refused, rel)
	id, ok := n.folders[rel]
	if !ok {
		return
	}
	delete(n.folders, rel)
	if n.paths[id] == rel {
		delete(n.paths, id)
	}
	err := n.w.Remove(n.absPath(rel))
	if err != nil && !errors.Is(err, fsnotify.ErrNonExistentWatch) && !errors.Is(err, syscall.EINVAL) {
		n.log.Warn("ending the watch of a folder", "root", n.root, "folder", rel, "err", err)
	}
}

// Ended implements [FolderSource]. When a file system is unmounted the kernel ends the
// watches on it (https://man7.org/linux/man-pages/man7/inotify.7.html, IN_UNMOUNT), and
// fsnotify removes them without an event (backend_inotify.go of v1.10.1, IN_UNMOUNT).
func (n *native) Ended() (gone []string) {
	list, kept := n.w.WatchList(), 0
	for _, abs := range list {
		if _, armed := n.folders[n.relPath(abs)]; armed {
			kept++
		}
	}
	if kept == len(n.folders) {
		return nil // as nearly always
	}
	alive := make(map[string]bool, len(list))
	for _, abs := range list {
		alive[n.relPath(abs)] = true
	}
	for rel := range n.folders {
		if !alive[rel] {
			gone = append(gone, rel)
		}
	}
	return gone
}

func (n *native) Watches() (armed, refused int) { return len(n.folders), len(n.refused) }

func (n *native) LimitReached() string {
	for _, err := range n.refused {
		return fmt.Sprintf("no watch left for %d of %d folders; raise %s",
			len(n.refused), len(n.refused)+len(n.folders), NameLimit(err))
	}
	return ""
}
