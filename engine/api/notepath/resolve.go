package notepath

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/patience"
)

// maxLinks is how many symlinks one path may go through.
const maxLinks = 40

// oneSpelling says that a look-up which succeeds has found the name as it was
// asked for. Elsewhere the file system may have taken another case or normal
// form, and the true name must be read from the folder.
const oneSpelling = runtime.GOOS == "linux"

// resolver finds the notes that places name. It looks only through an os.Root of a vault, link by link, so that it
// never touches anything outside the vaults.
type resolver struct {
	roots       []api.Root
	links       int
	oneSpelling bool
	anyCase     bool // a name that differs in case only counts if no other one exists
}

// resolveNote is [Resolve], but waits as long as the disk takes.
func resolveNote(p Place, roots []api.Root) ([]Place, error) {
	if !noteName(p.Rel) {
		return nil, ErrNotNote()
	}
	r := &resolver{roots: roots, oneSpelling: oneSpelling && !p.anyCase, anyCase: p.anyCase}
	return r.findNotes(p)
}

// Resolve looks at a place and returns the notes that it names: several where names differ in their spelling alone. A look at
// a disk that does not respond is left behind: a system call that hangs cannot be ended.
func Resolve(p Place, roots []api.Root) ([]Place, error) {
	if p.Root.Silent != "" {
		return nil, errHung(p.Root.Silent)
	}
	type answer struct {
		notes []Place
		err   error
	}
	found, responds := patience.Await(func() answer {
		notes, err := resolveNote(p, roots)
		return answer{notes, err}
	})
	if !responds {
		return nil, errHung("its disk does not respond")
	}
	return found.notes, found.err
}

// findNotes resolves a place, and refuses a result that does not have the form of a note.
func (r *resolver) findNotes(p Place) ([]Place, error) {
	found, err := r.walkFolders(p.Root, "", splitPath(p.Rel))
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		if !noteName(f.Rel) {
			return nil, ErrNotNote()
		}
	}
	return found, nil
}

// noteName reports whether a path has the form of a note's: .md or .markdown, and no name
// that starts with a dot.
func noteName(rel string) bool {
	return api.HasNoteExtension(rel) && !strings.HasPrefix(rel, ".") && !strings.Contains(rel, "/.")
}

// walkFolders walks from the folder done of a vault down the rest of the names.
func (r *resolver) walkFolders(vault api.Root, done string, rest []string) ([]Place, error) {
	dir, err := os.OpenRoot(filepath.FromSlash(vault.Path))
	if err != nil {
		return nil, api.ErrOffline
	}
	defer dir.Close()
	for i, name := range rest {
		names, err := r.trueNames(dir, done, name)
		if err != nil {
			return nil, err
		}
		if len(names) > 1 {
			return r.tryNames(vault, done, names, rest[i+1:])
		}
		next := path.Join(done, names[0])
		info, err := dir.Lstat(filepath.FromSlash(next))
		if err != nil {
			return nil, lookError(err)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return r.followLink(dir, vault, next, rest[i+1:])
		}
		if last := i == len(rest)-1; last && (!info.Mode().IsRegular() || info.Size() > maxNote) {
			return nil, ErrNotNote()
		}
		done = next
	}
	if done == "" {
		return nil, ErrNotNote()
	}
	return []Place{{Root: vault, Rel: done}}, nil
}

// tryNames tries every spelling of one name; the spellings with nothing below them
// drop out.
func (r *resolver) tryNames(vault api.Root, done string, names, rest []string) ([]Place, error) {
	var (
		all  []Place
		last error
	)
	for _, name := range names {
		if r.links++; r.links > maxLinks {
			return nil, errNoFile()
		}
		found, err := r.walkFolders(vault, done, append([]string{name}, rest...))
		if err != nil {
			last = err
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, last
	}
	return all, nil
}

// followLink continues behind a symlink, by its text: it must lead into a vault.
func (r *resolver) followLink(dir *os.Root, vault api.Root, link string, rest []string) ([]Place, error) {
	if r.links++; r.links > maxLinks {
		return nil, errNoFile()
	}
	target, err := dir.Readlink(filepath.FromSlash(link))
	if err != nil {
		return nil, lookError(err)
	}
	target = filepath.ToSlash(target)
	if !filepath.IsAbs(target) {
		target = path.Join(filepath.ToSlash(vault.Path), path.Dir(link), target)
	}
	places, err := Locate(target, r.roots, OnWindows)
	if err != nil {
		return nil, errOutside()
	}
	return r.walkFolders(places[0].Root, "", append(splitPath(places[0].Rel), rest...))
}

// trueNames returns the names of the entries of a folder that a name may mean:
// the one with exactly this name, else those that differ in normal form only.
func (r *resolver) trueNames(dir *os.Root, parent, name string) ([]string, error) {
	exact, err := dir.Lstat(filepath.FromSlash(path.Join(parent, name)))
	if err == nil && r.oneSpelling {
		return []string{name}, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, lookError(err)
	}
	entries, err := readNames(dir, parent)
	if err != nil {
		return nil, lookError(err)
	}
	var same []string
	for _, entry := range entries {
		switch {
		case entry == name:
			return []string{name}, nil
		case foldName(entry) == foldName(name):
			same = append(same, entry)
		case (exact != nil || r.anyCase) && strings.EqualFold(foldName(entry), foldName(name)):
			same = append(same, entry)
		}
	}
	if exact != nil && len(same) > 1 {
		same = sameFile(dir, parent, same, exact)
	}
	if len(same) == 0 {
		return nil, errNoFile()
	}
	return same, nil
}

// sameFile keeps the names of the one file a look-up has found.
func sameFile(dir *os.Root, parent string, names []string, exact fs.FileInfo) []string {
	for _, name := range names {
		info, err := dir.Lstat(filepath.FromSlash(path.Join(parent, name)))
		if err == nil && os.SameFile(info, exact) {
			return []string{name}
		}
	}
	return names
}

func readNames(dir *os.Root, parent string) ([]string, error) {
	if parent == "" {
		parent = "."
	}
	f, err := dir.Open(filepath.FromSlash(parent))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// lookError says what a failed look means for the request. A name below a file
// is as missing as any other; so is one that may not be looked at.
func lookError(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) && strings.Contains(pathErr.Err.Error(), "escapes") {
		return errOutside()
	}
	return errNoFile()
}
