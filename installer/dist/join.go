package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// joinParts copies what was made in parts, each with its SHA256SUMS, into one folder. A part that differs from its
// sums is refused, one of another version, and two that have different files of one name.
func (r *release) joinParts(parts []string, made string) error {
	from := make(map[string]string) // the part of each file
	for _, part := range parts {
		names, err := checkSums(part)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, "_"+r.version+"_") }) {
			return fmt.Errorf("%s has nothing of version %s", part, r.version)
		}
		for _, name := range names {
			body, err := os.ReadFile(filepath.Join(part, name))
			if err != nil {
				return err
			}
			to := filepath.Join(made, name)
			if other, ok := from[name]; ok {
				if same, err := os.ReadFile(to); err != nil || !bytes.Equal(same, body) {
					return errors.Join(fmt.Errorf("%s is not the same in %s and %s", name, other, part), err)
				}
			}
			from[name] = part
			if err := os.WriteFile(to, body, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkSums returns the names of the files of a folder, which are those that its SHA256SUMS lists, with these sums.
func checkSums(part string) ([]string, error) {
	list, err := os.ReadFile(filepath.Join(part, "SHA256SUMS"))
	if err != nil {
		return nil, err
	}
	listed := make(map[string]string)
	for lines := bufio.NewScanner(bytes.NewReader(list)); lines.Scan(); {
		sum, name, _ := strings.Cut(lines.Text(), "  ")
		listed[name] = sum
	}
	sums, err := sumFiles(part)
	if err != nil {
		return nil, err
	}
	if delete(sums, "SHA256SUMS"); maps.Equal(sums, listed) {
		return slices.Sorted(maps.Keys(sums)), nil
	}
	for name, sum := range listed {
		if sums[name] != sum {
			return nil, fmt.Errorf("%s in %s is missing or not what SHA256SUMS has", name, part)
		}
	}
	return nil, fmt.Errorf("%s has files that its SHA256SUMS does not list", part)
}
