// Command judge decides what a run of tests means for a change. It reads the JSON of `go test`, as gotestsum
// keeps it, and asks again about each test that failed: one that then passes twice in a row, alone, is flaky. It
// prints that test with its first output, and does not fail.
//
//	judge [-strict FILE] [-skips FILE] [-most N] [-count FILE] LOG [GO TEST FLAGS]
//
// Some failures are never asked about again: a data race, a panic, a build that failed, a test in a
// package of -strict (an import path on each line), and more than -most of all tests. A skip that -skips does not
// list, with its reason, fails too. -count gets the numbers of passed, failed and flaky tests added up over several runs.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

func main() {
	strictFile := flag.String("strict", "", "`file` of packages in which no failure is flaky")
	skipsFile := flag.String("skips", "", "`file` of the tests that may skip themselves")
	most := flag.Int("most", 3, "how many flaky tests are let through")
	countFile := flag.String("count", "", "`file` that keeps the numbers of several runs")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	log, err := os.Open(flag.Arg(0))
	exitOn(err)
	run, err := readRun(bufio.NewReader(log))
	exitOn(err)
	log.Close()
	strict, err := readLines(*strictFile)
	exitOn(err)
	allowed, err := readSkips(*skipsFile)
	exitOn(err)

	again := func(t test) (string, bool) { return runTwice(t, flag.Args()[1:]) }
	v := judge(run, strict, *most, again)
	for _, s := range run.skipped {
		if !allowed.has(s) {
			v.failed = append(v.failed, failure{s, "skipped itself, and .ci/skips does not say why it may", run.output[s]})
		}
	}
	v.print(os.Stdout)
	sum, err := addUp(*countFile, counts{len(run.passed) + len(v.flaky), len(v.failed), len(v.flaky)})
	exitOn(err)
	fmt.Println(sum)
	if len(v.failed) > 0 {
		os.Exit(1)
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(2)
	}
}

// runTwice runs a test two times, alone and anew, and reports whether it passed both times, with what was printed if not.
func runTwice(t test, flags []string) (string, bool) {
	for range 2 {
		args := append([]string{"test", "-count=1", "-run", t.pattern()}, flags...)
		out, err := exec.Command("go", append(args, t.pkg)...).CombinedOutput()
		if err != nil || strings.Contains(string(out), "[no tests to run]") {
			return string(out), false
		}
	}
	return "", true
}

// pattern is the value of -run that names t alone.
func (t test) pattern() string {
	parts := strings.Split(t.name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// readLines returns the lines of a file; of the file "" none.
func readLines(file string) ([]string, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	return strings.Fields(string(data)), err
}

// skip is a row of tests that may skip themselves: those of a package whose names match.
type skip struct {
	pkg  string
	name *regexp.Regexp
}

type skips []skip

// readSkips reads lines of a package, a pattern for names of its tests, and a reason.
func readSkips(file string) (skips, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all skips
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if len(fields) < 3 {
			return nil, fmt.Errorf("%s: want a package, a pattern and a reason, got %q", file, line)
		}
		name, err := regexp.Compile("^(?:" + fields[1] + ")$")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, skip{fields[0], name})
	}
	return all, nil
}

func (s skips) has(t test) bool {
	return slices.ContainsFunc(s, func(one skip) bool { return strings.HasSuffix(t.pkg, "/"+one.pkg) && one.name.MatchString(t.name) })
}

// counts are the numbers of a run.
type counts struct{ passed, failed, flaky int }

func (c counts) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d flaky", c.passed, c.failed, c.flaky)
}

// addUp adds c to what the file has, keeps the sum there and returns it.
func addUp(file string, c counts) (counts, error) {
	if file == "" {
		return c, nil
	}
	var before counts
	data, err := os.ReadFile(file)
	if err == nil {
		_, err = fmt.Sscanf(string(data), "%d passed, %d failed, %d flaky", &before.passed, &before.failed, &before.flaky)
	}
	if err != nil && !os.IsNotExist(err) {
		return c, err
	}
	c = counts{before.passed + c.passed, before.failed + c.failed, before.flaky + c.flaky}
	return c, os.WriteFile(file, []byte(c.String()+"\n"), 0o600)
}
