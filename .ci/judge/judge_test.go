package main

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// told is what `go test -json` prints of a package m/a: a test that passes, and the lines given.
func told(t *testing.T, lines ...string) run {
	t.Helper()
	lines = append([]string{`go: downloading something`, `{"Action":"run","Package":"m/a","Test":"TestGood"}`, `{"Action":"pass","Package":"m/a","Test":"TestGood"}`}, lines...)
	r, err := readRun(bufio.NewReader(strings.NewReader(strings.Join(lines, "\n"))))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func failing(name string) []string {
	return []string{
		`{"Action":"run","Package":"m/a","Test":"` + name + `"}`,
		`{"Action":"output","Package":"m/a","Test":"` + name + `","Output":"its first words\n"}`,
		`{"Action":"fail","Package":"m/a","Test":"` + name + `"}`,
	}
}

const failed = `{"Action":"fail","Package":"m/a"}`

func TestJudge(t *testing.T) {
	passes := func(test) (string, bool) { return "", true }
	fails := func(test) (string, bool) { return "its second words", false }
	race := `{"Action":"output","Package":"m/a","Test":"TestBad","Output":"WARNING: DATA RACE\n"}`
	for name, c := range map[string]struct {
		lines         []string
		strict        []string
		again         func(test) (string, bool)
		flaky, failed int
		says          string
	}{
		"all pass":               {lines: []string{`{"Action":"pass","Package":"m/a"}`}, again: fails},
		"passes twice alone":     {lines: append(failing("TestBad"), failed), again: passes, flaky: 1, says: "its first words"},
		"fails alone as well":    {lines: append(failing("TestBad"), failed), again: fails, failed: 1, says: "its second words"},
		"a subtest is the cause": {lines: append(append(failing("TestBad/one"), failing("TestBad")...), failed), again: passes, flaky: 1, says: "FLAKY: m/a TestBad/one"},
		"a strict package":       {lines: append(failing("TestBad"), failed), strict: []string{"m/a"}, again: passes, failed: 1, says: "rare failures count"},
		"a data race":            {lines: append([]string{race}, append(failing("TestBad"), failed)...), again: passes, failed: 1, says: "DATA RACE"},
		"a race in a program that a passing test starts": {
			lines: []string{strings.ReplaceAll(race, "TestBad", "TestFine"), `{"Action":"pass","Package":"m/a","Test":"TestFine"}`, `{"Action":"pass","Package":"m/a"}`},
			again: passes, failed: 1, says: "FAILED: m/a TestFine: failed, and its package printed: WARNING: DATA RACE",
		},
		"a race that no test tells of": {
			lines: []string{strings.ReplaceAll(race, `"Test":"TestBad",`, ""), `{"Action":"pass","Package":"m/a"}`}, again: passes, failed: 1, says: "WARNING: DATA RACE",
		},
		"something left behind": {lines: append([]string{strings.Replace(race, "WARNING: DATA RACE", "left behind", 1)}, append(failing("TestBad"), failed)...), again: passes, failed: 1},
		"more than is let through": {
			lines: slices.Concat(failing("TestA"), failing("TestB"), failing("TestC"), failing("TestD"), []string{failed}), again: passes, flaky: 3, failed: 1,
		},
		"it was not built": {
			lines: []string{`{"ImportPath":"m/a [m/a.test]","Action":"build-output","Output":"a.go:1:1: no such thing\n"}`,
				`{"Action":"fail","Package":"m/a","FailedBuild":"m/a [m/a.test]"}`}, again: passes, failed: 1, says: "no such thing",
		},
		"a panic ends a test": {
			lines: []string{`{"Action":"run","Package":"m/a","Test":"TestBad"}`, `{"Action":"output","Package":"m/a","Test":"TestBad","Output":"panic: oh\n"}`,
				`{"Action":"fail","Package":"m/a"}`}, again: passes, failed: 2, says: "had not ended",
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := judge(told(t, c.lines...), c.strict, 3, c.again)
			var printed strings.Builder
			v.print(&printed)
			if len(v.flaky) != c.flaky || len(v.failed) != c.failed || !strings.Contains(printed.String(), c.says) {
				t.Errorf("%d flaky, %d failed, want %d and %d with %q:\n%s", len(v.flaky), len(v.failed), c.flaky, c.failed, c.says, printed.String())
			}
		})
	}
}

func TestPattern(t *testing.T) {
	if got := (test{"m/a", "TestScripts/a+b"}).pattern(); got != `^TestScripts$/^a\+b$` {
		t.Errorf("got %s", got)
	}
}

// TestRunThatNeverWas: what did not take place has not passed.
func TestRunThatNeverWas(t *testing.T) {
	whole := told(t, `{"Action":"pass","Package":"m/a"}`)
	for name, c := range map[string]struct {
		run      run
		packages []string
		ended    int
		says     string
	}{
		"all is there":                 {whole, []string{"m/a"}, 0, ""},
		"a package was not tested":     {whole, []string{"m/a", "m/b"}, 0, "m/b: was to be tested and was not"},
		"go failed without a word":     {whole, []string{"m/a"}, 2, "ended with 2"},
		"go failed by a test":          {told(t, append(failing("TestBad"), failed)...), []string{"m/a"}, 1, ""},
		"no test was run":              {run{complete: []string{"m/a"}}, []string{"m/a"}, 0, "ran no test"},
		"an empty log":                 {run{}, nil, 0, "tested nothing"},
		"an empty log of packages":     {run{}, []string{"m/a"}, 0, "m/a: was to be tested"},
		"a package that did not begin": {told(t), []string{"m/a"}, 1, "m/a: was to be tested"},
	} {
		var printed strings.Builder
		missing := findMissing(c.run, c.packages, c.ended)
		verdict{failed: missing}.print(&printed)
		if (len(missing) > 0) != (c.says != "") || !strings.Contains(printed.String(), c.says) {
			t.Errorf("%s: want %q, got:\n%s", name, c.says, printed.String())
		}
	}
	began := told(t, `{"Action":"start","Package":"m/b"}`)
	if v := judge(began, nil, 3, nil); len(v.failed) != 1 || v.failed[0].reason != "began and did not end" {
		t.Errorf("a package that began and did not end: %+v", v)
	}
}

func TestSkips(t *testing.T) {
	file := filepath.Join(t.TempDir(), "skips")
	rows := "# why\nwatch TestLong.* short: waits\nswap TestOwner root: becomes another user\n"
	if err := os.WriteFile(file, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := readSkips(file)
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	long, owner := test{"m/watch", "TestLongWait"}, test{"m/swap", "TestOwner"}
	for _, c := range []struct {
		short, root bool
		t           test
		may         bool
	}{
		{true, true, long, true}, {false, true, long, false}, {false, false, owner, true}, {true, true, owner, false},
		{true, false, test{"m/watch", "TestOther"}, false}, {true, false, test{"m/other", "TestLongWait"}, false},
	} {
		if may := list.that(c.short, c.root).has(c.t); may != c.may {
			t.Errorf("short %v, root %v: %s may skip itself: %v", c.short, c.root, c.t, may)
		}
	}
	for _, row := range []string{"watch TestLong\n", "watch TestLong short:\n", "watch TestLong slow: waits\n"} {
		if err := os.WriteFile(file, []byte(row), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readSkips(file); err == nil {
			t.Errorf("the row %q is taken", row)
		}
	}
	if r := told(t, `{"Action":"skip","Package":"m/a","Test":"TestAway"}`); len(r.skipped) != 1 || len(r.passed) != 1 {
		t.Errorf("%+v", r)
	}
}

// TestAlone: a test that is asked again has to pass; one that skips itself then has not.
func TestAlone(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module m\n",
		"a_test.go": "package m\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) { t.Run(\"one\", func(*testing.T) {}) }\nfunc TestAway(t *testing.T) { t.Skip() }\nfunc TestBad(t *testing.T) { t.Fail() }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for name, want := range map[string]bool{"TestGood": true, "TestGood/one": true, "TestAway": false, "TestBad": false, "TestNone": false} {
		if out, passed := runTwice(test{"m", name}, []string{"-vet=off"}); passed != want {
			t.Errorf("%s passed: %v:\n%s", name, passed, out)
		}
	}
}

func TestCounts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "counts")
	if c, err := readCounts(file); c != (counts{}) || err != nil {
		t.Errorf("no file yet: %v, %v", c, err)
	}
	want := counts{6, 2, 4}
	if err := want.keep(file); err != nil {
		t.Fatal(err)
	}
	if c, err := readCounts(file); c != want || err != nil {
		t.Errorf("%v, %v, want %v", c, err, want)
	}
	if data, _ := os.ReadFile(file); !regexp.MustCompile(`^6 passed, 2 failed, 4 flaky\n$`).Match(data) {
		t.Errorf("the file has %q", data)
	}
}
