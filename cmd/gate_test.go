package cmd_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The gate (.ci/run) and the beds (.ci/all) know the rooms by lists, which are held against the tree here.

// readRows returns the rows of a list in .ci as words, without comments.
func readRows(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", ".ci", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if words := strings.Fields(line); len(words) > 0 && !strings.HasPrefix(line, "#") {
			rows = append(rows, words)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return rows
}

// shared is a sign that code of a package runs beside other code of it: a go statement, a mutex, or a group of
// goroutines.
var shared = regexp.MustCompile(`(?m)^\s*go (func\b|[\w.]+\()|\bsync\.(RW)?Mutex\b|\.Go\(func`)

// TestRacing: the race detector of the gate sees each package that has goroutines or a mutex.
func TestRacing(t *testing.T) {
	wanted := make(map[string]bool)
	for file := range productFiles(t) {
		data, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		if shared.Match(data) && hasTests(t, path.Dir(file)) {
			wanted[path.Dir(file)] = true
		}
	}
	if len(wanted) < 20 {
		t.Errorf("only %d packages have goroutines or a mutex; is the test still at its place in the tree?", len(wanted))
	}
	listed := make(map[string]bool)
	for _, row := range readRows(t, "racing") {
		listed[row[0]] = true
		if !wanted[row[0]] {
			t.Errorf("%s is in .ci/racing and has no goroutine, no mutex or no test", row[0])
		}
	}
	for pkg := range wanted {
		if !listed[pkg] {
			t.Errorf("%s has goroutines or a mutex: add it to .ci/racing", pkg)
		}
	}
}

func hasTests(t *testing.T, pkg string) bool {
	t.Helper()
	found, err := filepath.Glob(filepath.Join("..", pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found) > 0
}
