package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// part is a library that is compiled into the programs, or Go itself.
type part struct{ path, version, dir string }

// licenceFile are the names under which modules keep their terms.
var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[sc]e|copying|notice|patents)`)

// writeLicences collects the terms of everything the programs are made of: most of
// them ask to come along with a copy.
func (r *release) writeLicences(dir string) error {
	parts, err := r.findParts()
	if err != nil {
		return err
	}
	var all bytes.Buffer
	fmt.Fprintf(&all, "The programs of Vault Dispatcher %s hold the following parts.\n", r.version)
	for _, p := range parts {
		terms, err := p.readTerms()
		if err != nil {
			return err
		}
		fmt.Fprintf(&all, "\n%s\n%s %s\n\n%s\n", strings.Repeat("=", 72), p.path, p.version, terms)
	}
	return os.WriteFile(filepath.Join(dir, "THIRD-PARTY-LICENSES.txt"), all.Bytes(), 0o644)
}

// findParts lists the libraries in all programs on all platforms, and Go. They do not
// depend on what was built for this run, so that a package always holds the same.
func (r *release) findParts() ([]part, error) {
	root, err := runTool(exec.Command("go", "env", "GOROOT"))
	if err != nil {
		return nil, err
	}
	found := map[string]part{"Go": {"Go", strings.TrimPrefix(runtime.Version(), "go"), strings.TrimSpace(root)}}
	for _, goos := range platforms {
		list := exec.Command("go", "list", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{.Path}}|{{.Version}}|{{.Dir}}{{end}}{{end}}`, "./cmd/...")
		list.Dir = r.top
		list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
		out, err := runTool(list)
		if err != nil {
			return nil, fmt.Errorf("what the programs are made of: %w", err)
		}
		for line := range strings.Lines(out) {
			if f := strings.Split(strings.TrimSpace(line), "|"); len(f) == 3 {
				found[f[0]] = part{f[0], f[1], f[2]}
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b part) int { return strings.Compare(a.path, b.path) }), nil
}

// readTerms returns the texts of a part's licence. A part without one may not be
// distributed.
func (p part) readTerms() (string, error) {
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		return "", fmt.Errorf("the licence of %s: %w", p.path, err)
	}
	var texts []string
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(p.dir, e.Name()))
		if err != nil {
			return "", err
		}
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	if len(texts) == 0 {
		return "", fmt.Errorf("%s %s has no licence in %s", p.path, p.version, p.dir)
	}
	return strings.Join(texts, "\n\n"), nil
}
