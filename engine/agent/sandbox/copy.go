package sandbox

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// This file makes the private copy of what a program keeps for itself: its settings, and its logins (login.go).

// How much of a folder is copied.
const (
	maxFiles  = 200
	maxFile   = 1 << 20
	maxBeside = 16 << 20 // claude's counts what was done in each project
)

// unwanted are the files at the top of a folder that are of other sessions, and grow: no settings.
var unwanted = []string{"history*", "*.jsonl", "*.sqlite*", "*.db", "*.db-*", "*.log"}

// ownFolder is the part of the scratch folder in which the copies are.
const ownFolder = "own"

// Held is a program that the kernel holds, with the copies of its logins. nil holds nothing.
type Held struct {
	logins []*login
	roots  []*os.Root
	lock   *os.File // locked while the run lasts
	stop   chan struct{}
	tasks  sync.WaitGroup
}

// copyFolders copies the folders of a program and has its variables name the copies. What is not there or cannot be read
// is no failure: the program says what it misses.
func (h *Held) copyFolders(ctx context.Context, row program, cmd *exec.Cmd, scratch string, r *rules, waited func()) error {
	sweepOnce.Do(func() { sweep(os.TempDir()) })
	own := filepath.Join(scratch, ownFolder)
	err := os.Mkdir(own, 0o700)
	if err == nil {
		h.lock, err = takeLock(filepath.Join(scratch, lockName))
	}
	if err != nil {
		return err
	}
	env := slices.Clone(cmd.Env) // of the person
	value := func(name string) string { return lookUp(env, name) }
	for i, f := range row.folders {
		dir := choosePlace(f.places, value)
		if f.ours || f.isTied(dir) {
			_ = os.MkdirAll(dir, 0o700) // as the program would; where it cannot, it says so
			r.Write = append(r.Write, dir)
			continue
		}
		variable, rest, _ := strings.Cut(f.places[0], "/")
		base := filepath.Join(own, strconv.Itoa(i))
		to := filepath.Join(base, filepath.FromSlash(rest))
		if err := os.MkdirAll(to, 0o700); err != nil {
			return err
		}
		cmd.Env = append(cmd.Env, variable+"="+base)
		if dir == "" {
			continue
		}
		root, err := os.OpenRoot(to)
		if err != nil {
			return err
		}
		h.roots = append(h.roots, root)
		for _, name := range f.logins {
			if l := openLogin(ctx, filepath.Join(dir, name), root, name, waited); l != nil {
				h.logins = append(h.logins, l)
			}
		}
		if f.companion != "" && value(variable) == "" {
			_ = copyFile(filepath.Join(filepath.Dir(dir), f.companion), filepath.Join(to, f.companion), maxBeside)
		}
		f.copyTop(dir, to, r)
	}
	return nil
}

// isTied reports whether the login belongs to the path of the folder.
func (f folder) isTied(dir string) bool {
	if f.tied == "" || dir == "" {
		return false
	}
	text, err := os.ReadFile(filepath.Join(dir, f.tiedIn))
	return err == nil && bytes.Contains(text, []byte(f.tied))
}

// copyTop copies the small files at the top of a folder, and shows the folders in it that the program reads as they are.
func (f folder) copyTop(dir, to string, r *rules) {
	entries, _ := os.ReadDir(dir) // an unreadable folder has no copies
	copied := 0
	for _, e := range entries {
		name := e.Name()
		from := filepath.Join(dir, name)
		info, err := os.Stat(from) // of what a link leads to: settings are often kept elsewhere
		switch {
		case err != nil || slices.Contains(f.logins, name) || copied == maxFiles:
		case info.Mode().IsRegular() && !isUnwanted(name):
			if copyFile(from, filepath.Join(to, name), maxFile) == nil {
				copied++
			}
		case info.IsDir() && (slices.Contains(f.shows, name) || slices.Contains(f.shows, "*")):
			if os.Symlink(from, filepath.Join(to, name)) == nil {
				r.Run = append(r.Run, from)
			}
		}
	}
}

func isUnwanted(name string) bool {
	return slices.ContainsFunc(unwanted, func(pattern string) bool {
		fits, _ := filepath.Match(pattern, name) // the pattern is a good one
		return fits
	})
}

// copyFile copies a file that is no longer than most, for this user alone.
func copyFile(from, to string, most int64) error {
	text, err := readFile(os.OpenFile, from, most)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}

var errNoFile = errors.New("no file, or a long one")

// readFile reads a regular file that is no longer than most. It waits for no pipe.
func readFile(open func(string, int, fs.FileMode) (*os.File, error), name string, most int64) ([]byte, error) {
	f, err := open(name, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, errNoFile
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = errNoFile
	}
	return text, err
}

// lockName is a file of a scratch folder that is locked while its run lasts.
const lockName = "running"

var sweepOnce sync.Once

// sweep removes the scratch folders of runs whose engine was killed: there are logins in them. Others' are left alone, for
// their locks cannot be opened.
func sweep(dir string) {
	found, _ := filepath.Glob(filepath.Join(dir, "vault-dispatcher-*", lockName)) // the pattern is a good one
	for _, file := range found {
		scratch := filepath.Dir(file)
		if info, err := os.Lstat(filepath.Join(scratch, ownFolder)); err != nil || !info.IsDir() || !isMine(info) {
			continue
		}
		if lock, err := takeLock(file); err == nil {
			_ = os.RemoveAll(scratch) // a failed removal is tried again at the next start
			giveBack(lock)
		}
	}
}
