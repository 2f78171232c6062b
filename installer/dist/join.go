package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// isJoin reports whether -join is given, and refuses what has no meaning beside it.
func isJoin(flags *flag.FlagSet) (joins bool, err error) {
	flags.Visit(func(f *flag.Flag) { joins = joins || f.Name == "join" })
	if !joins {
		return false, nil
	}
	flags.Visit(func(f *flag.Flag) {
		if slices.Contains([]string{"only", "os", "arch", "sign", "latest-url"}, f.Name) {
			err = fmt.Errorf("-join puts together what was made: -%s has no meaning beside it", f.Name)
		}
	})
	return true, err
}

// joinParts copies what was made in parts, each with its SHA256SUMS, into one folder, and writes the manifests. A part
// that differs from its sums is refused, one of another version, and two that have different files of one name.
func (r *release) joinParts(parts []string, made string) error {
	r.joined = true
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
					return fmt.Errorf("%s is not the same in %s and in %s", name, other, part)
				}
			}
			if strings.HasSuffix(name, bomSuffix) {
				if err := r.checkBom(name, body); err != nil {
					return err
				}
			}
			from[name] = part
			if err := os.WriteFile(to, body, 0o644); err != nil {
				return err
			}
		}
	}
	return r.writeManifests(made)
}

// checkBom returns an error where the text of a file is no list of the parts of a program of this version.
func (r *release) checkBom(name string, text []byte) error {
	var list bom
	if err := json.Unmarshal(text, &list); err != nil || list.Metadata.Component.Version != r.version || len(list.Components) == 0 {
		return fmt.Errorf("%s is no list of the parts of version %s", name, r.version)
	}
	return nil
}

// checkSums returns the names of the files of a folder, which are those that its SHA256SUMS lists, with these sums.
func checkSums(part string) ([]string, error) {
	if part == "" {
		return nil, fmt.Errorf("-join names an empty folder")
	}
	part, err := filepath.EvalSymlinks(part)
	if err != nil {
		return nil, err
	}
	list, err := os.ReadFile(filepath.Join(part, "SHA256SUMS"))
	if err != nil {
		return nil, err
	}
	listed := make(map[string]string)
	for lines := bufio.NewScanner(bytes.NewReader(list)); lines.Scan(); {
		sum, name, _ := strings.Cut(lines.Text(), " ")
		name = strings.TrimPrefix(strings.TrimPrefix(name, " "), "*") // as text or as bytes
		if name == "" || name != filepath.Base(name) {
			return nil, fmt.Errorf("%s has %q in its SHA256SUMS, which is the name of no file beside it", part, name)
		}
		listed[name] = sum
	}
	sums, err := sumFiles(part)
	if err != nil {
		return nil, err
	}
	delete(sums, "SHA256SUMS")
	for name := range listed {
		if sums[name] != listed[name] {
			return nil, fmt.Errorf("%s in %s is missing or not what SHA256SUMS has", name, part)
		}
	}
	for name := range sums {
		if listed[name] == "" {
			return nil, fmt.Errorf("%s has the file %s, which its SHA256SUMS does not list", part, name)
		}
	}
	return slices.Sorted(maps.Keys(sums)), nil
}
