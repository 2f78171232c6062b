package config

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"vaultdispatcher/engine/config/yamltext"
)

// Site is where a folder is: by its name and, as far as the folders are there,
// by what they really are behind links and letter case. The zero Site overlaps
// with none.
type Site struct {
	path  string
	here  os.FileInfo   // the folder; nil when it is not there
	above []os.FileInfo // the folder and its parents
}

// Survey looks at a folder on its disk and waits as long as the disk takes.
func Survey(path string) Site {
	s := Site{path: path}
	s.here, _ = os.Stat(path) // a folder that is missing is known by its name only
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

// SurveyAll surveys folders side by side until ctx ends. A folder whose disk has
// not answered by then is known by its name only.
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

// Apart says in what way two vaults share notes, if they do. A note in two
// vaults would be answered twice.
func (s Site) Apart(other Site) error {
	if s.path == "" || other.path == "" {
		return nil
	}
	inside, around := s.isWithin(other), other.isWithin(s)
	switch {
	case inside && around:
		return fmt.Errorf("%s and %s are the same folder; keep one of them", yamltext.QuotePath(s.path), yamltext.QuotePath(other.path))
	case inside:
		return fmt.Errorf("%s lies inside %s, and a note may be in one vault only; leave one out", yamltext.QuotePath(s.path), yamltext.QuotePath(other.path))
	case around:
		return fmt.Errorf("%s holds %s, and a note may be in one vault only; leave one out", yamltext.QuotePath(s.path), yamltext.QuotePath(other.path))
	}
	return nil
}

// isWithin reports whether the site is the other or a folder in it.
func (s Site) isWithin(other Site) bool {
	if isNamedWithin(s.path, other.path) {
		return true
	}
	if other.here == nil {
		return false
	}
	for _, folder := range s.above {
		if os.SameFile(folder, other.here) {
			return true
		}
	}
	return false
}

// isNamedWithin reports whether a path is another or inside it, by the names alone.
func isNamedWithin(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
