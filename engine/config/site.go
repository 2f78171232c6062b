package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// site is where a vault's folder lies: by name and, as far as the folders are
// there, by what they really are behind links and letter case.
type site struct {
	path  string        // "" for a vault whose path was refused
	here  os.FileInfo   // the folder; nil when it is not there
	above []os.FileInfo // the folder and those that hold it
}

func survey(path string) site {
	s := site{path: path}
	s.here, _ = os.Stat(path) // a vault may be missing; then its name must do
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

// apart says in what way two vaults share notes, if they do. A note in two
// vaults would be answered twice.
func (s site) apart(other site) error {
	if s.path == "" || other.path == "" {
		return nil
	}
	inside, around := s.within(other), other.within(s)
	switch {
	case inside && around:
		return fmt.Errorf("%s and %s are the same folder; keep one of them", quotePath(s.path), quotePath(other.path))
	case inside:
		return fmt.Errorf("%s lies inside %s, and a note may be in one vault only; leave one out", quotePath(s.path), quotePath(other.path))
	case around:
		return fmt.Errorf("%s holds %s, and a note may be in one vault only; leave one out", quotePath(s.path), quotePath(other.path))
	}
	return nil
}

// within reports whether the site is the other or lies inside it.
func (s site) within(other site) bool {
	rel, err := filepath.Rel(other.path, s.path)
	if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
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
