//go:build !linux

package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

func readFolder(abs string, want func(string, bool) wish) (listing, error) {
	self, err := os.Lstat(abs)
	if err != nil {
		return listing{}, err
	}
	l := listing{id: folderIdent(abs, self), times: stamp{mtime: self.ModTime().UnixNano()}}
	f, err := openFolder(abs)
	if err != nil {
		return listing{}, err
	}
	defer f.Close()
	names, err := f.ReadDir(-1)
	if err != nil {
		return listing{}, err
	}
	for _, d := range names {
		w := want(d.Name(), d.IsDir())
		if w == refused {
			continue
		}
		if w == unasked && d.IsDir() {
			l.entries = append(l.entries, entry{name: d.Name(), kind: kindFolder, unasked: true})
			continue
		}
		info, err := d.Info()
		if absent(err) {
			continue
		}
		e := entry{kind: kindUnclear}
		if err == nil {
			e = entryOf(filepath.Join(abs, d.Name()), info)
		}
		e.name = d.Name()
		if e.kind != kindOther {
			l.entries = append(l.entries, e)
		}
	}
	return l, nil
}

// statNotes leaves it to the listing, which brings the stamps along on Windows.
func statNotes(place, ident, *folder, func(int, entry)) bool { return false }

const noFolder = -1

// openPath does not exist here: every path says all by itself.
func openPath(place) (fd int, err error) { return noFolder, errors.ErrUnsupported }

func closePath(int) {}

func statEntry(at place) (entry, error) {
	abs := at.path
	info, err := os.Lstat(abs)
	if err != nil {
		return entry{kind: kindUnclear}, err
	}
	return entryOf(abs, info), nil
}

func entryOf(abs string, info fs.FileInfo) entry {
	link := info.Mode()&fs.ModeSymlink != 0
	if link {
		target, err := os.Stat(abs)
		if err != nil {
			return entry{kind: kindOther}
		}
		info = target
	}
	s, _ := stampOf(info)
	switch {
	case info.Mode().IsRegular():
		return entry{kind: kindFile, stamp: s, shared: link}
	case info.IsDir() && !link:
		return entry{kind: kindFolder, id: folderIdent(abs, info), stamp: stamp{mtime: s.mtime}}
	}
	return entry{kind: kindOther}
}
