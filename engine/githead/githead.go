// Package githead says when git has last put another state into a working tree: a clone,
// a checkout, a pull, a reset. [LastMove] reads a few small files of the repository and
// starts no program.
package githead

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// LastMove returns when the notes around a file were last changed by git, as far as the
// repository it is in tells: that of the nearest folder above it. The zero time is said of
// a file in no repository. A commit changes no file and is no move; while git is at work
// the time is that of its lock. It touches the disk.
func LastMove(file string) time.Time {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if repo, ok := findRepository(dir); ok {
			return lastMoveOf(repo)
		}
		if dir == filepath.Dir(dir) {
			return time.Time{}
		}
	}
}

// findRepository returns the folder of git's own files for a working tree. In a linked
// one .git is a file that names it (https://git-scm.com/docs/gitrepository-layout).
func findRepository(dir string) (string, bool) {
	path := filepath.Join(dir, ".git")
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return "", false
	case info.IsDir():
		return path, true
	case !info.Mode().IsRegular():
		return "", false
	}
	text, err := readEnd(path)
	named, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !ok {
		return "", false
	}
	if !filepath.IsAbs(named) {
		named = filepath.Join(dir, named)
	}
	return named, true
}

func lastMoveOf(repo string) time.Time {
	last := timeOf(filepath.Join(repo, "index.lock"))
	if log, err := readEnd(filepath.Join(repo, "logs", "HEAD")); err == nil {
		return slices.MaxFunc([]time.Time{last, lastInLog(log)}, time.Time.Compare)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return last
	}
	// No log is kept: what is there moves with each commit as well. Of a repository with
	// reftables the list of tables does (https://git-scm.com/docs/reftable).
	all := []time.Time{last, timeOf(filepath.Join(repo, "HEAD")), timeOf(filepath.Join(repo, "reftable", "tables.list"))}
	return slices.MaxFunc(all, time.Time.Compare)
}

// lastInLog returns the time of the last entry of a log of HEAD that is no commit: "OLD NEW
// NAME <EMAIL> SECONDS ZONE\tcheckout: moving from a to b"
// (https://git-scm.com/docs/git-reflog).
func lastInLog(log []byte) (last time.Time) {
	for line := range bytes.Lines(log) {
		who, what, ok := bytes.Cut(line, []byte("\t"))
		if !ok || bytes.HasPrefix(what, []byte("commit")) {
			continue
		}
		fields := strings.Fields(string(who[bytes.LastIndexByte(who, '>')+1:]))
		if len(fields) != 2 {
			continue
		}
		if seconds, err := strconv.ParseInt(fields[0], 10, 64); err == nil && time.Unix(seconds, 0).After(last) {
			last = time.Unix(seconds, 0)
		}
	}
	return last
}

// endOfLog is how much of a file is read: some dozen entries of a log.
const endOfLog = 16 << 10

// readEnd returns the end of a regular file.
func readEnd(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would block
		return nil, fs.ErrInvalid
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Seek(max(0, info.Size()-endOfLog), io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, endOfLog))
}

// timeOf returns when a file was changed, or the zero time without a file.
func timeOf(path string) time.Time {
	info, err := os.Lstat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
