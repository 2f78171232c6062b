package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// test names one test; of a package as a whole, name is empty.
type test struct{ pkg, name string }

func (t test) String() string {
	if t.name == "" {
		return t.pkg
	}
	return t.pkg + " " + t.name
}

// run is what `go test -json` told.
type run struct {
	passed, failed, skipped []test   // failed: those without a failed test inside, so that each names its cause
	broken                  []test   // packages that failed though none of their tests did
	unfinished              []test   // tests, and packages, that had begun and did not end
	complete                []string // the packages that came to an end
	output                  map[test]string
}

// event is one line of it: https://pkg.go.dev/cmd/test2json
type event struct {
	Action, Package, ImportPath, Test, Output, FailedBuild string
}

// race begins what the race detector says.
const race = "WARNING: DATA RACE"

func readRun(r *bufio.Reader) (run, error) {
	out := run{output: map[test]string{}}
	begun, failedIn := map[test]bool{}, map[string]int{}
	var failed []test
	for {
		line, err := r.ReadString('\n')
		if errors.Is(err, io.EOF) && line == "" {
			break
		}
		var e event
		if json.Unmarshal([]byte(line), &e) != nil {
			continue // go's own word, not an event
		}
		t := test{e.Package, e.Test}
		switch e.Action {
		case "build-output":
			out.output[test{strings.Fields(e.ImportPath + " ")[0], ""}] += e.Output
		case "output":
			if !strings.HasPrefix(e.Output, "=== ") {
				out.output[t] += e.Output
			}
		case "run", "start":
			begun[t] = true
		case "pass", "skip", "fail":
			delete(begun, t)
			if strings.Contains(out.output[t], race) { // of a program that it has started, whose end it does not ask for
				e.Action = "fail"
			}
			if t.name == "" {
				out.complete = append(out.complete, t.pkg)
			}
			switch {
			case e.Action == "fail" && t.name != "":
				failed, failedIn[t.pkg] = append(failed, t), failedIn[t.pkg]+1
			case e.Action == "fail":
				if e.FailedBuild != "" {
					out.output[t] += out.output[test{strings.Fields(e.FailedBuild)[0], ""}]
				}
				if failedIn[t.pkg] == 0 {
					out.broken = append(out.broken, t)
				}
			case t.name == "": // a package without tests is skipped, which says nothing
			case e.Action == "pass":
				out.passed = append(out.passed, t)
			default:
				out.skipped = append(out.skipped, t)
			}
		}
	}
	out.unfinished = slices.SortedFunc(maps.Keys(begun), func(a, b test) int { return strings.Compare(a.String(), b.String()) })
	for _, t := range failed {
		inside := func(o test) bool { return o.pkg == t.pkg && strings.HasPrefix(o.name, t.name+"/") }
		if !slices.ContainsFunc(failed, inside) {
			out.failed = append(out.failed, t)
		}
	}
	return out, nil
}

// failure is a test that fails the run, why, and what it printed.
type failure struct {
	test
	reason, output string
}

// verdict is what becomes of a run: it fails if failed is not empty.
type verdict struct{ failed, flaky []failure }

// judge sorts the failures of r into real ones and those of flaky tests. It calls again for a test that may be flaky,
// which reports whether that has passed now.
func judge(r run, strict []string, most int, again func(test) (string, bool)) verdict {
	var v verdict
	for _, t := range append(r.broken, r.unfinished...) {
		why := "was not built, or ended before its tests had"
		if t.name != "" {
			why = "had not ended when its package did"
		} else if !slices.Contains(r.complete, t.pkg) {
			why = "began and did not end"
		}
		v.failed = append(v.failed, failure{t, why, r.output[t]})
	}
	var maybe []test
	for _, t := range r.failed {
		if why := grave(r, t, strict); why != "" {
			v.failed = append(v.failed, failure{t, why, r.output[t]})
		} else {
			maybe = append(maybe, t)
		}
	}
	for i, t := range maybe {
		if i >= most {
			v.failed = append(v.failed, failure{t, fmt.Sprintf("failed; more than %d tests have, so none of the rest is asked again", most), r.output[t]})
			continue
		}
		if out, passed := again(t); passed {
			v.flaky = append(v.flaky, failure{t, "failed, then passed twice alone", r.output[t]})
		} else {
			v.failed = append(v.failed, failure{t, "failed, and again alone", r.output[t] + "--- alone:\n" + out})
		}
	}
	return v
}

// findMissing returns what speaks against r having taken place: packages that it was to test and that did not end, and
// an exit code of go without a failure to which it belongs.
func findMissing(r run, packages []string, ended int) (missing []failure) {
	for _, pkg := range packages {
		if t := (test{pkg: pkg}); !slices.Contains(r.complete, pkg) && !slices.Contains(r.unfinished, t) {
			missing = append(missing, failure{t, "was to be tested and was not", ""})
		}
	}
	if len(packages)+len(r.complete) == 0 {
		missing = append(missing, failure{test{pkg: "go test"}, "tested nothing", ""})
	}
	if len(r.complete) > 0 && len(r.passed)+len(r.failed)+len(r.broken)+len(r.unfinished) == 0 {
		missing = append(missing, failure{test{pkg: "go test"}, "ran no test", ""})
	}
	if ended != 0 && len(r.failed)+len(r.broken)+len(r.unfinished)+len(missing) == 0 {
		missing = append(missing, failure{test{pkg: "go test"}, fmt.Sprintf("ended with %d and named no test that failed", ended), ""})
	}
	return missing
}

// grave returns why a failure of t cannot be one of a flaky test, or "".
func grave(r run, t test, strict []string) string {
	if slices.Contains(strict, t.pkg) {
		return "failed, in a package whose rare failures count"
	}
	for _, part := range []string{race, "race detected during execution", "panic: ", "fatal error: ", "left behind"} {
		for o, text := range r.output {
			if o.pkg == t.pkg && strings.Contains(text, part) {
				return "failed, and its package printed: " + part
			}
		}
	}
	return ""
}

// print writes what has failed and what is flaky, with their output, and the names once more at the end.
func (v verdict) print(w io.Writer) {
	show := func(word string, list []failure) {
		for _, f := range list {
			fmt.Fprintf(w, "== %s: %s: %s\n%s", word, f.test, f.reason, lastLines(f.output, 300))
		}
	}
	show("FLAKY", v.flaky)
	show("FAILED", v.failed)
	for _, f := range v.flaky {
		fmt.Fprintf(w, "FLAKY: %s\n", f.test)
	}
	for _, f := range v.failed {
		fmt.Fprintf(w, "FAILED: %s: %s\n", f.test, f.reason)
	}
}

// lastLines returns the last n lines of text, each ended.
func lastLines(text string, n int) string {
	lines := slices.Collect(strings.Lines(text))
	out := strings.Join(lines[max(0, len(lines)-n):], "")
	if out != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	return out
}
