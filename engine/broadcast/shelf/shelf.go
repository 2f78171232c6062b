// Package shelf keeps what was made: notes in one folder of a vault, and files beside them.
//
//	put, err := shelf.Put(ctx, root, "Agent/Presentations", shelf.Work{...})
//
// # Promises
//
// Nothing is read or written outside the folder: a name is made of letters and digits, and no link in the vault leads
// out of it. A file that a person has changed is never replaced: a work replaces only one whose hash is still that of
// its front matter, and otherwise gets the next free name ("NAME 2.md"). Schedules of the plugin Spaced Repetition
// remain with their cards; if one would lose its card, the old work is not replaced. A crash leaves the old file or
// the new one. The text went through engine/note/sanitize, and its front matter says wiki: off, so that nothing in it
// is a marker.
package shelf

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/note/sanitize"
	"vaultdispatcher/engine/rewrite/swap"
)

// Work is what is put on the shelf.
type Work struct {
	Kind, Title   string
	Subject       string   // its first source: the path of a note, or the subject that the order named
	Date          string   // the day
	Asked         string   // the note it was asked for in; "" = in none
	Author        string   // the agent that wrote it; "" = no model
	Head          []string // lines for the front matter, ours
	Body          string   // markdown that still has to be made safe
	Files         []File
	Pending       []string // endings of files that [Attach] puts beside it when they are made
	Used, Omitted []string // sources, and those left out with their reasons
	Engine        string   // whose temporary files these are, see [swap.Change]

	disk swap.Files // nil = the operating system's
}

// File is a file beside a work, with the work's name.
type File struct {
	Ext  string
	Text []byte
}

// Placed is where a work is.
type Placed struct {
	Note  string   // its path in the vault
	Files []string // those beside it
}

const (
	mostBytes    = 2 << 20  // of a body
	mostOld      = 10 << 20 // of a work that is read again
	mostVersions = 99
	longestName  = 80 // bytes
)

// Unfit reports a file or a link in the place of the folder.
type Unfit struct{ Path, Kind string }

func (u *Unfit) Error() string { return u.Path + " is " + u.Kind + ", so nothing can be put there" }

// whyUnfit returns an [*Unfit] if a link or a file is in the place of the folder, else err.
func whyUnfit(dir *os.Root, folder string, err error) error {
	at := ""
	for part := range strings.SplitSeq(folder, "/") {
		at = path.Join(at, part)
		info, failed := dir.Lstat(filepath.FromSlash(at))
		switch {
		case failed != nil:
			return err
		case info.Mode()&fs.ModeSymlink != 0:
			return &Unfit{at, "a link"}
		case !info.IsDir():
			return &Unfit{at, "a file"}
		}
	}
	return err
}

// errTaken says that a name is not ours to write.
var errTaken = errors.New("the name is taken")

// Put puts a work on the shelf.
func Put(ctx context.Context, root, folder string, w Work) (Placed, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return Placed{}, fmt.Errorf("open the vault: %w", err)
	}
	defer dir.Close()
	w.Body = sanitize.Answer(w.Body, mostBytes)
	base := path.Join(folder, slug(w.Title, w.Kind))
	for n := 1; n <= mostVersions; n++ {
		if err := ctx.Err(); err != nil {
			return Placed{}, err
		}
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s %d", base, n)
		}
		placed, err := w.putAt(ctx, dir, root, name)
		switch {
		case err == nil:
			return placed, nil
		case !errors.Is(err, errTaken):
			return Placed{}, whyUnfit(dir, folder, err)
		}
	}
	return Placed{}, fmt.Errorf("%s has %d versions already", path.Base(base), mostVersions)
}

// putAt puts a work under a name, or says that it is taken.
func (w Work) putAt(ctx context.Context, dir *os.Root, root, name string) (Placed, error) {
	placed := Placed{Note: name + ".md"}
	for _, f := range w.Files {
		placed.Files = append(placed.Files, name+f.Ext)
	}
	old, there, err := readOld(dir, placed.Note)
	if err != nil {
		return Placed{}, err
	}
	text := w.Body
	if there {
		if !isOurs(old, w.Kind, w.Subject) {
			return Placed{}, errTaken
		}
		if text, err = keepSchedules(old, text); err != nil {
			return Placed{}, err
		}
	}
	for i, f := range placed.Files {
		if err := writeBeside(dir, root, f, w.Files[i].Text, fileSum(old, path.Base(f))); err != nil {
			return Placed{}, err
		}
	}
	next := w.write(text, name, old)
	if !there {
		return placed, files.WriteInside(root, placed.Note, next, 0o644)
	}
	return placed, replace(ctx, w.disk, swap.Change{Root: root, Path: placed.Note, Engine: w.Engine, Base: old, New: next})
}

// readOld reads the file of this name. It returns errTaken for a name that is not a regular file of readable size.
func readOld(dir *os.Root, name string) (text []byte, there bool, err error) {
	info, err := dir.Lstat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("look for %s: %w", name, err)
	}
	if !info.Mode().IsRegular() || info.Size() > mostOld {
		return nil, true, errTaken
	}
	if text, err = dir.ReadFile(filepath.FromSlash(name)); err != nil {
		return nil, true, fmt.Errorf("read %s: %w", name, err)
	}
	return text, true, nil
}

// writeBeside writes a file beside a work. It returns errTaken if the file there no longer has the hash sum.
func writeBeside(dir *os.Root, root, name string, text []byte, sum string) error {
	old, there, err := readOld(dir, name)
	switch {
	case err != nil:
		return err
	case there && hashOf(old) == hashOf(text):
		return nil
	case there && hashOf(old) != sum:
		return errTaken
	}
	return files.WriteInside(root, name, text, 0o644)
}

// replace makes a change, whose Path is one in the vault, if the file there still has the text Base.
func replace(ctx context.Context, disk swap.Files, c swap.Change) error {
	swapper, begun, root, name := swap.On(disk), swap.Intention{}, c.Root, c.Path
	c.Path, c.Atomic = filepath.Join(root, filepath.FromSlash(name)), true
	c.Log = func(in swap.Intention) error { begun = in; return nil }
	out, err := swapper.File(ctx, c)
	switch {
	case errors.Is(err, swap.ErrInPlace): // no exchange here: a rename is the next best
		return files.WriteInside(root, name, c.New, 0o644)
	case errors.Is(err, swap.ErrChanged), errors.Is(err, swap.ErrBusy):
		return errTaken // another program is changing the file
	case err != nil:
		return fmt.Errorf("replace %s: %w", name, err)
	}
	if out.Displaced != "" {
		_, err = swap.Recover(begun) // no program had it open for writing; delete the version before
	}
	return err
}

// slug is a name of letters and digits alone, whatever a title holds.
func slug(title, kind string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case b.Len() > longestName:
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimPrefix(strings.Trim(b.String(), "-")+"-"+kind, "-")
}
