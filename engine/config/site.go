package config

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vaultdispatcher/engine/config/yamltext"
)

// Site identifies a folder by its path and, where the folder exists, by its identity
// on the disk, which links and letter case do not change. The zero Site overlaps with
// none.
type Site struct {
	path  string
	here  os.FileInfo   // the folder; nil when it is missing
	above []os.FileInfo // the folder and its parents
}

// Survey looks at a folder on its disk. It waits as long as the disk takes.
func Survey(path string) Site {
	s := Site{path: path}
	s.here, _ = os.Stat(path) // a missing folder is known by its path only
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	for {
		if info, err := os.Stat(path); err == nil {
			s.above = append(s.above, info)
		}
		up := filepath.Dir(path)
		if up == path {
			return s
		}
		path = up
	}
}

// SurveyAll surveys folders in parallel until ctx ends. A folder whose disk has not
// answered by then is known by its path only.
func SurveyAll(ctx context.Context, paths []string) []Site {
	sites := make([]Site, len(paths))
	answers := make([]chan Site, len(paths))
	for i, path := range paths {
		sites[i], answers[i] = Site{path: path}, make(chan Site, 1)
		go func() { answers[i] <- Survey(path) }()
	}
	for i := range paths {
		select {
		case sites[i] = <-answers[i]:
		case <-ctx.Done():
		}
	}
	return sites
}

// Apart returns an error if two vaults share notes. A note in two vaults would be
// answered twice.
func (s Site) Apart(other Site) error {
	if s.path == "" || other.path == "" {
		return nil
	}
	inside, around := s.isWithin(other), other.isWithin(s)
	switch {
	case inside && around:
		return fmt.Errorf("%s and %s are the same folder; keep one of them", yamltext.QuotePath(s.path), yamltext.QuotePath(other.path))
	case inside:
		return fmt.Errorf("%s is inside %s, and a note may be in one vault only; leave one out", yamltext.QuotePath(s.path), yamltext.QuotePath(other.path))
	case around:
		return fmt.Errorf("%s contains %s, and a note may be in one vault only; leave one out", yamltext.QuotePath(s.path), yamltext.QuotePath(other.path))
	}
	return nil
}

// isSame reports whether two sites are one folder, which "" never is.
func (s Site) isSame(other Site) bool {
	return s.path != "" && s.path == other.path || s.here != nil && other.here != nil && os.SameFile(s.here, other.here)
}

// isWithin reports whether the site is the other or a folder in it.
func (s Site) isWithin(other Site) bool {
	return isNamedWithin(s.path, other.path) || other.here != nil &&
		slices.ContainsFunc(s.above, func(folder os.FileInfo) bool { return os.SameFile(folder, other.here) })
}

// isNamedWithin reports whether a path is the folder or inside it, by the names alone.
func isNamedWithin(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
