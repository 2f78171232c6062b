//go:build !linux

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

func readFolder(abs string, want func(string, bool) Want) (Listing, error) {
	self, err := os.Lstat(abs)
	if err != nil {
		return Listing{}, err
	}
	l := Listing{ID: folderIdent(abs, self), Times: Stamp{MTime: self.ModTime().UnixNano()}}
	f, err := OpenFolder(abs)
	if err != nil {
		return Listing{}, err
	}
	defer f.Close()
	names, err := f.ReadDir(-1)
	if err != nil {
		return Listing{}, err
	}
	for _, d := range names {
		w := want(d.Name(), d.IsDir())
		if w == SkipName {
			continue
		}
		if w == KeepName && d.IsDir() {
			l.Entries = append(l.Entries, Entry{Name: d.Name(), Type: Folder, NameOnly: true})
			continue
		}
		info, err := d.Info()
		if IsAbsent(err) {
			continue
		}
		e := Entry{Type: Unclear}
		if err == nil {
			e = entryOf(filepath.Join(abs, d.Name()), info)
		}
		e.Name = d.Name()
		if e.Type != Other {
			l.Entries = append(l.Entries, e)
		}
	}
	return l, nil
}

// restatFiles leaves it to the listing, which brings the stamps along on Windows.
func restatFiles(place, Ident, uint64, int, func(int) string, func(int, Entry)) bool { return false }

const noFolder = -1

// openPlace does not exist here: every path says all by itself.
func openPlace(place) (fd int, err error) { return noFolder, errors.ErrUnsupported }

func closePlace(int) {}

func statEntry(at place) (Entry, error) {
	abs := at.path
	info, err := os.Lstat(abs)
	if err != nil {
		return Entry{Type: Unclear}, err
	}
	return entryOf(abs, info), nil
}

func entryOf(abs string, info fs.FileInfo) Entry {
	link := info.Mode()&fs.ModeSymlink != 0
	if link {
		target, err := os.Stat(abs)
		if err != nil {
			return Entry{Type: Other}
		}
		info = target
	}
	s, _ := stampOf(info)
	switch {
	case info.Mode().IsRegular():
		return Entry{Type: File, Stamp: s, Shared: link}
	case info.IsDir() && !link:
		return Entry{Type: Folder, ID: folderIdent(abs, info), Stamp: Stamp{MTime: s.MTime}}
	}
	return Entry{Type: Other}
}
