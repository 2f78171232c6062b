// Package shown reads what the Broadcaster has made, for a page that shows it.
//
//	room := shown.New("Agent/Presentations", hide)
//	shelves := room.List(roots)
//	work, err := room.Open(roots, id, "")
//
// # Promises
//
// Nothing outside the folder is read: a request names a work by an id, which is looked for among the names in the
// folder, and only a regular file there is read, behind no link. Only a file that [engine/broadcast/shelf] has put
// there counts as a work. A work is not shown if it or one of its notes is excluded, or if one of them is private and
// the folder is not. A request waits at most a second for a disk that does not respond, and few looks wait for it.
package shown

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Limits of what is read.
const (
	mostWorks  = 500
	mostHead   = 64 << 10
	mostBegins = 2 << 10
	mostText   = 4 << 20
	mostFile   = 512 << 20
	mostLooks  = 16 // at one vault that have no end yet
)

// Reasons why there is nothing to show.
var (
	ErrNone   = errors.New("there is no such work")
	ErrSilent = errors.New("the disk does not respond")
)

// Endings are those of the files beside a work that can be asked for.
var Endings = []string{".wav", ".mp3", ".ogg", ".vtt", ".html", ".canvas", ".csv", ".tsv", ".apkg"}

// Root is a vault.
type Root struct {
	Name, Path string
	Silent     bool // its disk is known not to respond
}

// Room reads the folder of every vault.
type Room struct {
	Patience time.Duration // how long a disk is waited for

	folder string
	hide   func(rel string) bool // notes that must not be read now

	mu      sync.Mutex     // guards the field below
	waiting map[string]int // looks at each vault that have no end yet
}

// New returns a room for a folder of the vaults. hide may be nil.
func New(folder string, hide func(rel string) bool) *Room {
	if hide == nil {
		hide = func(string) bool { return false }
	}
	return &Room{Patience: time.Second, folder: path.Clean(folder), hide: hide, waiting: make(map[string]int)}
}

// Shelf is the works of one vault.
type Shelf struct {
	Vault  string
	Works  []Work // the newest first
	Hidden int    // not shown, because a note of theirs may not be read now
	Cut    bool   // there are more
	Silent bool   // its disk does not respond
}

// List returns the shelves of the vaults that have something, or that cannot be read.
func (r *Room) List(roots []Root) (list []Shelf) {
	for i, found := range lookAtAll(r, roots, r.readShelf) {
		s := Shelf{Silent: true}
		if found != nil {
			s = *found
		}
		if s.Vault = roots[i].Name; s.Silent || s.Hidden > 0 || len(s.Works) > 0 {
			list = append(list, s)
		}
	}
	return list
}

// lookAtAll looks at vaults side by side; nil is what a disk has not told in time.
func lookAtAll[T any](r *Room, roots []Root, look func(Root) T) []*T {
	looks, found := make([]<-chan T, len(roots)), make([]*T, len(roots))
	for i, root := range roots {
		looks[i] = begin(r, root, func() T { return look(root) })
	}
	late, stop := context.WithTimeout(context.Background(), r.Patience)
	defer stop()
	for i := range roots {
		if looks[i] == nil {
			continue
		}
		select {
		case one := <-looks[i]:
			found[i] = &one
		case <-late.Done():
			select {
			case one := <-looks[i]: // it is not the one that is late
				found[i] = &one
			default:
			}
		}
	}
	return found
}

// begin looks at a vault, unless its disk is known to be silent or too many looks wait for it.
func begin[T any](r *Room, root Root, look func() T) <-chan T {
	r.mu.Lock()
	defer r.mu.Unlock()
	if root.Silent || r.waiting[root.Path] == mostLooks {
		return nil
	}
	r.waiting[root.Path]++
	done := make(chan T, 1)
	go func() {
		defer r.finish(root.Path)
		done <- look()
	}()
	return done
}

func (r *Room) finish(root string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waiting[root]--; r.waiting[root] == 0 {
		delete(r.waiting, root)
	}
}

// readShelf reads the works of one vault.
func (r *Room) readShelf(root Root) (s Shelf) {
	dir, names, err := r.openFolder(root)
	if err != nil {
		return s
	}
	defer dir.Close()
	for i, name := range newestFirst(dir, names) {
		if i == 4*mostWorks || len(s.Works) == mostWorks {
			s.Cut = true
			break
		}
		switch w, _, isWork := r.readNote(root, dir, name, names, mostHead, true); {
		case !isWork:
		case r.isHidden(w):
			s.Hidden++
		default:
			s.Works = append(s.Works, w)
		}
	}
	return s
}

// newestFirst are those of the names that can be works, by when their files were last written.
func newestFirst(dir *os.Root, names []string) (notes []string) {
	written := make(map[string]time.Time)
	for _, name := range names {
		if info, err := dir.Lstat(name); err == nil && path.Ext(name) == ".md" {
			written[name] = info.ModTime()
			notes = append(notes, name)
		}
	}
	slices.SortFunc(notes, func(a, b string) int { return cmp.Or(written[b].Compare(written[a]), cmp.Compare(a, b)) })
	return notes
}

// isHidden reports whether a work must not be read now, because of itself or of a note that it was made of.
func (r *Room) isHidden(w Work) bool {
	return r.hide(w.Note) || slices.ContainsFunc(w.Sources, r.hide)
}

// openFolder opens the folder of a vault, and returns the names of what is in it.
func (r *Room) openFolder(root Root) (*os.Root, []string, error) {
	if r.folder == "." || !filepath.IsLocal(filepath.FromSlash(r.folder)) {
		return nil, nil, ErrNone // nothing is written either
	}
	dir, err := os.OpenRoot(root.Path)
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close()
	at := ""
	for part := range strings.SplitSeq(r.folder, "/") {
		at = path.Join(at, part)
		if info, err := dir.Lstat(filepath.FromSlash(at)); err != nil || !info.IsDir() {
			return nil, nil, ErrNone
		}
	}
	below, err := dir.OpenRoot(filepath.FromSlash(r.folder))
	if err != nil {
		return nil, nil, err
	}
	entries, err := fs.ReadDir(below.FS(), ".")
	if err != nil {
		below.Close()
		return nil, nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return below, names, nil
}

// openFile opens a regular file of a folder, and nothing that took its place meanwhile.
func openFile(dir *os.Root, name string) (*os.File, fs.FileInfo, error) {
	before, err := dir.Lstat(name)
	if err != nil || !before.Mode().IsRegular() {
		return nil, nil, ErrNone
	}
	return openSame(dir, name, before)
}

// openSame opens a file if it is the one that was seen. A pipe that took its place is not waited for.
func openSame(dir *os.Root, name string, before fs.FileInfo) (*os.File, fs.FileInfo, error) {
	f, err := dir.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil || !os.SameFile(before, info) {
		f.Close()
		return nil, nil, ErrNone
	}
	return f, info, nil
}

// readFile reads a file of a folder; with cut as much as the limit allows, else nothing of a longer one.
func readFile(dir *os.Root, name string, most int64, cut bool) ([]byte, error) {
	f, info, err := openFile(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > most && !cut {
		return nil, ErrNone
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// idOf is what a work is asked for by. It tells no path and leads to none.
func idOf(vault, rel string) string {
	sum := sha256.Sum256([]byte(vault + "\x00" + rel))
	return hex.EncodeToString(sum[:10])
}
