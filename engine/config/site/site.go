// Package site says whether folders are the same one or are inside one another: [Inspect] looks at
// one, [InspectAll] at several whose disks may hang, [Site.IsSame] and [Site.IsWithin] compare two.
package site

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Site identifies a folder by its path and, where the folder exists, by its identity
// on the disk, which links and letter case do not change. The zero Site overlaps with
// none.
type Site struct {
	Path      string
	info      os.FileInfo   // the folder; nil when it is missing
	ancestors []os.FileInfo // the folder and its parents
}

// Inspect looks at a folder on its disk. It waits as long as the disk takes.
func Inspect(path string) Site {
	s := Site{Path: path}
	s.info, _ = identify(path) // a missing folder is known by its path only
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	for {
		if info, err := identify(path); err == nil {
			s.ancestors = append(s.ancestors, info)
		}
		up := filepath.Dir(path)
		if up == path {
			return s
		}
		path = up
	}
}

// identify is os.Stat, and has what it finds identified now: Windows opens a file for that when it is compared first
// (https://go.dev/src/os/types_windows.go), and then no bound of a look holds any more.
func identify(path string) (os.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil {
		_ = os.SameFile(info, info)
	}
	return info, err
}

// Await makes a look at the disk of a folder and waits for it until ctx ends; ok reports whether it
// came back. A look that hangs is left behind.
type Await func(ctx context.Context, folder string, look func() Site) (found Site, ok bool)

// InspectAll inspects folders in parallel until ctx ends, each by await. A folder whose disk has not
// answered by then is known by its path only.
func InspectAll(ctx context.Context, paths []string, await Await) []Site {
	sites := make([]Site, len(paths))
	var all sync.WaitGroup
	for i, path := range paths {
		all.Go(func() {
			found, ok := await(ctx, path, func() Site { return Inspect(path) })
			if !ok {
				found = Site{Path: path}
			}
			sites[i] = found
		})
	}
	all.Wait()
	return sites
}

// IsSame reports whether two sites are one folder, which "" never is.
func (s Site) IsSame(other Site) bool {
	return s.Path != "" && s.Path == other.Path || s.info != nil && other.info != nil && os.SameFile(s.info, other.info)
}

// IsWithin reports whether the site is the other or a folder in it.
func (s Site) IsWithin(other Site) bool {
	return IsNamedWithin(s.Path, other.Path) || other.info != nil &&
		slices.ContainsFunc(s.ancestors, func(folder os.FileInfo) bool { return os.SameFile(folder, other.info) })
}

// IsNamedWithin reports whether a path is the folder or inside it, by the names alone.
func IsNamedWithin(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
