package cmd_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

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

// isCatchAll reports whether a path of .ci/beds stands for whatever comes, and not for a part of the tree that somebody
// has thought of.
func isCatchAll(row string) bool { return strings.HasPrefix(row, "*") || strings.HasSuffix(row, "/") }

// fits reports whether a path of .ci/beds stands for a file, as .ci/all does.
func fits(row, file string) bool {
	if end, ok := strings.CutPrefix(row, "*"); ok {
		return strings.HasSuffix(file, end)
	}
	if folder, ok := strings.CutSuffix(row, "/*"); ok {
		return path.Dir(file) == folder
	}
	return strings.HasPrefix(file, row)
}

// leads reports whether a change of the file leads to the bed.
func leads(rows [][]string, file, bed string) bool {
	return slices.ContainsFunc(rows, func(row []string) bool { return fits(row[0], file) && slices.Contains(row[1:], bed) })
}

// TestBeds: a change in any room leads to beds that somebody chose for it, each bed is led to by a room, each row leads
// to beds that are there, and begins with a path that is there.
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
		ofRoom := func(row []string) bool {
			return row[0] == room || row[0] == room+"/*" || !isCatchAll(row[0]) && strings.HasPrefix(room, row[0]+"/")
		}
		if !slices.ContainsFunc(rows, ofRoom) {
			t.Errorf("no row of .ci/beds is for the room %s: name it, or a room around it, with the beds that check it", room)
		}
	}
}

// named finds what a script says of the tree: a path of at least two parts.
var named = regexp.MustCompile(`(?:cmd|tray|service|engine|installer|assets|\.ci)(?:/[\w.-]+)+`)

// programs are the rooms that nearly every bed builds and starts. What they are made of leads to the beds by its own rows.
var programs = []string{"cmd/wiki", "cmd/wiki-tray"}

// TestBedsOfWhatTheyName: a change in what a bed's script names leads to that bed.
func TestBedsOfWhatTheyName(t *testing.T) {
	rows, found := readRows(t, "beds"), 0
	for _, bed := range bedNames(t) {
		script, err := os.ReadFile(filepath.Join("..", ".ci", bed))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(script)) {
			if strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			for _, name := range named.FindAllString(line, -1) {
				info, err := os.Stat(filepath.Join("..", name))
				if err != nil || slices.Contains(programs, name) {
					continue
				}
				if info.IsDir() {
					name += "/any"
				}
				if found++; !leads(rows, name, bed) {
					t.Errorf("the bed %s names %s, and no row of .ci/beds leads from it to the bed", bed, name)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("the beds name %d parts of the tree; does the test still find them?", found)
	}
}

// needs are the signs of a test that only a bed runs, or runs at length, and that bed.
var needs = []struct {
	sign *regexp.Regexp
	bed  string
}{
	{regexp.MustCompile(`(?m)^func Fuzz`), "fuzz"},
	{regexp.MustCompile(`(?m)/vault/testdata/growth"$`), "bench"},
	{regexp.MustCompile(`(?m)^//go:build .*\bsafety\b`), "safety"},
	{regexp.MustCompile(`(?m)^//go:build .*\bfilesystems\b`), "filesystems"},
	{regexp.MustCompile(`(?m)^//go:build .*\brealagents\b`), "agents-real"},
	{regexp.MustCompile(`(?m)^//go:build .*\brecalleval\b`), "recall"},
	{regexp.MustCompile(`(?m)^//go:build .*\brealspeech\b`), "broadcast"},
	{regexp.MustCompile(`(?m)^//go:build .*\bdesktop\b`), "desktop"},
	{regexp.MustCompile(`(?m)^//go:build .*\bworkers\b`), "workers"},
}

// TestBedsOfTests: a change beside a test that a bed alone runs leads to that bed.
func TestBedsOfTests(t *testing.T) {
	rows, found := readRows(t, "beds"), make(map[string]bool)
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		file := filepath.ToSlash(strings.TrimPrefix(name, ".."+string(filepath.Separator)))
		for _, need := range needs {
			if !need.sign.Match(text) {
				continue
			}
			if found[need.bed] = true; !leads(rows, file, need.bed) {
				t.Errorf("%s has what the bed %s runs, and no row of .ci/beds leads to it", file, need.bed)
			}
		}
		return err
	})
	if err != nil || len(found) < len(needs) {
		t.Errorf("%d of %d kinds of tests were found: %v", len(found), len(needs), err)
	}
}

// compiles and installs are what the script of a bed does that needs the modules, or the packages of others.
var compiles, installs = regexp.MustCompile(`(?m)^[^#\n]*\bgo (test|build|run|vet)\b`), regexp.MustCompile(`(?m)^[^#\n]*\. \S*\bneed\b`)

// TestBedsOfAKind: what a bed needs or checks wherever it lies leads to it, such as each file that is compiled.
func TestBedsOfAKind(t *testing.T) {
	rows, found := readRows(t, "beds"), make(map[string]int)
	need := func(file, bed, what string) {
		t.Helper()
		if found[what]++; !leads(rows, file, bed) {
			t.Errorf("%s %s the bed %s, and no row of .ci/beds leads from it to the bed", file, what, bed)
		}
	}
	for file := range productFiles(t) {
		need(file, "platforms", "is compiled by")
		need(file, "dead", "is compiled by")
		if room := path.Dir(file); hasTests(t, room) {
			need(room+"/any", "race", "has tests for")
		}
	}
	for _, bed := range bedNames(t) {
		need(".ci/"+bed, bed, "is the script of")
		script, err := os.ReadFile(filepath.Join("..", ".ci", bed))
		if err != nil {
			t.Fatal(err)
		}
		if compiles.Match(script) {
			need("go.mod", bed, "names modules of")
			need("go.sum", bed, "names modules of")
		}
		if installs.Match(script) {
			need(".ci/need", bed, "installs packages for")
		}
	}
	if len(found) != 5 {
		t.Errorf("nothing is found of some kind: %v", found)
	}
}

// byHand are the scripts of .ci that are no beds.
var byHand = []string{"all", "beds", "changed", "dead.allow", "dev", "made", "need", "racing", "run", "size", "skips", "summaries"}

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
