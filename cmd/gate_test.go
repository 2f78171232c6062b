package cmd_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The gate (.ci/run) and the beds (.ci/all) know the rooms by three lists, which are held against the tree here.

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

// bedNames returns the beds that .ci/all knows.
func bedNames(t *testing.T) []string {
	t.Helper()
	script, err := os.ReadFile(filepath.Join("..", ".ci", "all"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^beds="([^"]+)"$`).FindSubmatch(script)
	if found == nil {
		t.Fatal(".ci/all has no list of beds")
	}
	return strings.Fields(string(found[1]))
}

// TestBeds: a change in any room leads to a bed, each bed is led to by a room, each row leads to beds that
// are there, and begins with a path that is there.
func TestBeds(t *testing.T) {
	rows, beds := readRows(t, "beds"), bedNames(t)
	led := make(map[string]bool)
	for _, row := range rows {
		prefix := row[0]
		if found, _ := filepath.Glob(filepath.Join("..", prefix+"*")); !strings.HasPrefix(prefix, "*") && len(found) == 0 {
			t.Errorf("the row %s: there is no such path", prefix)
		}
		for _, bed := range row[1:] {
			if !slices.Contains(beds, bed) {
				t.Errorf("the row %s names the bed %s, which .ci/all does not know", prefix, bed)
			}
			led[bed] = led[bed] || !strings.HasPrefix(prefix, ".ci/")
		}
		if len(row) < 2 {
			t.Errorf("the row %s names no bed", prefix)
		}
	}
	for _, bed := range beds {
		if !led[bed] {
			t.Errorf("no room leads to the bed %s", bed)
		}
		if _, err := os.Stat(filepath.Join("..", ".ci", bed)); err != nil {
			t.Errorf("the bed %s: %v", bed, err)
		}
	}
	for room := range rooms {
		ofRoom := func(row []string) bool { return strings.HasPrefix(room+"/", row[0]) }
		if !slices.ContainsFunc(rows, ofRoom) {
			t.Errorf("no row of .ci/beds is for the room %s", room)
		}
	}
}

// byHand are the scripts of .ci that are no beds.
var byHand = []string{"all", "beds", "dead.allow", "dev", "need", "racing", "run", "size", "skips", "summaries"}

// TestBedsAreAll: a script of .ci is a bed, or is known to be none.
func TestBedsAreAll(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join("..", ".ci"))
	if err != nil {
		t.Fatal(err)
	}
	known := append(bedNames(t), byHand...)
	for _, e := range entries {
		if !e.IsDir() && !slices.Contains(known, e.Name()) {
			t.Errorf(".ci/%s is no bed of .ci/all: give it a place there, or in this test", e.Name())
		}
	}
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
