package disk

import (
	"path/filepath"
	"strings"
)

// Root is a folder in which everything is named by its path with slashes. It belongs
// to one goroutine. [NewRoot] makes one.
type Root struct {
	Path       string // of the folder, without links
	prefix     string // Path with a separator at its end
	descriptor int    // the descriptor of the folder while it is held; else noFolder
}

// place is where something is: a path, or where the system can do that a path in an
// open folder, which is shorter to follow.
type place struct {
	descriptor int // the descriptor of the open folder, or noFolder
	path       string
}

// NewRoot returns the Root at a path; it touches no disk.
func NewRoot(path string) *Root {
	separator := string(filepath.Separator)
	return &Root{Path: path, prefix: strings.TrimSuffix(path, separator) + separator, descriptor: noFolder}
}

// Abs returns the path of a name in the folder; "" is the folder itself.
func (r *Root) Abs(rel string) string {
	if rel == "" {
		return r.Path
	}
	return r.prefix + filepath.FromSlash(rel)
}

func (r *Root) place(rel string) place {
	switch {
	case r.descriptor == noFolder:
		return place{noFolder, r.Abs(rel)}
	case rel == "":
		return place{r.descriptor, "."}
	}
	return place{r.descriptor, rel}
}

// Hold keeps the folder open until the function is called that it returns, which
// makes [Root.Inspect] and [Root.Restat] cheaper. A drive cannot be unmounted
// meanwhile, so it is held no longer than one slice of work or one comparison takes.
func (r *Root) Hold() (release func()) {
	fd, err := openPlace(r.place(""))
	if err != nil {
		return func() {}
	}
	r.descriptor = fd
	return func() {
		r.descriptor = noFolder
		closePlace(fd)
	}
}

// Inspect stats one path in the folder, and leaves out its name.
func (r *Root) Inspect(rel string) (Entry, error) { return statEntry(r.place(rel)) }

// Restat stats n files of the folder rel, which was listed before, and does not list it
// again: while the times of the folder have the digest they had, it holds the same
// names. It calls found with the index of each file, and returns false, perhaps after
// some calls, when the folder has to be listed: it is not id, its times differ, a
// file does not answer, or the system has no cheaper way to ask.
func (r *Root) Restat(rel string, id Ident, times uint64, n int, name func(i int) string, found func(i int, e Entry)) bool {
	return restatFiles(r.place(rel), id, times, n, name, found)
}
