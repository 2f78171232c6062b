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
		"something left behind":  {lines: append([]string{strings.Replace(race, "WARNING: DATA RACE", "left behind", 1)}, append(failing("TestBad"), failed)...), again: passes, failed: 1},
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

func TestSkips(t *testing.T) {
	file := filepath.Join(t.TempDir(), "skips")
	if err := os.WriteFile(file, []byte("# why\nwatch TestLong.* short: waits\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := readSkips(file)
	if err != nil || !list.has(test{"m/watch", "TestLongWait"}) || list.has(test{"m/watch", "TestOther"}) || list.has(test{"m/other", "TestLongWait"}) {
		t.Errorf("%+v, %v", list, err)
	}
	if err := os.WriteFile(file, []byte("watch TestLong\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readSkips(file); err == nil {
		t.Error("a row without a reason is taken")
	}
	if r := told(t, `{"Action":"skip","Package":"m/a","Test":"TestAway"}`); len(r.skipped) != 1 || len(r.passed) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestAddUp(t *testing.T) {
	file := filepath.Join(t.TempDir(), "counts")
	for _, want := range []string{"3 passed, 1 failed, 2 flaky", "6 passed, 2 failed, 4 flaky"} {
		if got, err := addUp(file, counts{3, 1, 2}); err != nil || got.String() != want {
			t.Errorf("%v, %v, want %s", got, err, want)
		}
	}
	if data, _ := os.ReadFile(file); !regexp.MustCompile(`^6 passed, 2 failed, 4 flaky\n$`).Match(data) {
		t.Errorf("the file has %q", data)
	}
}
