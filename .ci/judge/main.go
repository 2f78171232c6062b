// Command judge decides what a run of tests means for a change. It reads the JSON of `go test`, as gotestsum
// keeps it, and asks again about each test that failed: one that then passes twice in a row, alone, is flaky. It
// prints that test with its first output, and does not fail.
//
//	judge [-packages FILE] [-ended N] [-strict FILE] [-skips FILE] [-most N] [-count FILE] LOG [GO TEST FLAGS]
//
// Some failures are never asked about again: a data race, a panic, a build that failed, a test in a
// package of -strict (an import path on each line), and more than -most of all tests. A skip fails too where -skips does
// not list it, or where its reason does not hold. -count gets the numbers of passed, failed and flaky tests added up over
// several runs, and -most holds for their sum.
//
// A run that did not take place has not passed: it fails if a package of -packages did not end, if one began and did
// not end, or if go ended with the code -ended, not 0, and reported no failure.
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
	packagesFile := flag.String("packages", "", "`file` of packages that the run was to test")
	ended := flag.Int("ended", 0, "the exit `code` of go test")
	strictFile := flag.String("strict", "", "`file` of packages in which no failure is flaky")
	skipsFile := flag.String("skips", "", "`file` of the tests that may skip themselves")
	most := flag.Int("most", 3, "how many flaky tests are let through, in all runs of -count")
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

	packages, err := readLines(*packagesFile)
	exitOn(err)
	before, err := readCounts(*countFile)
	exitOn(err)

	flags := flag.Args()[1:]
	again := func(t test) (string, bool) { return runTwice(t, flags) }
	v := judge(run, strict, *most-before.flaky, again)
	holding := allowed.that(slices.Contains(flags, "-short"), os.Geteuid() == 0)
	for _, s := range run.skipped {
		if !holding.has(s) {
			v.failed = append(v.failed, failure{s, "skipped itself, and .ci/skips gives no reason that holds here", run.output[s]})
		}
	}
	v.failed = append(v.failed, findMissing(run, packages, *ended)...)
	v.print(os.Stdout)
	sum := counts{before.passed + len(run.passed) + len(v.flaky), before.failed + len(v.failed), before.flaky + len(v.flaky)}
	err = sum.keep(*countFile)
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
		args := append([]string{"test", "-count=1", "-v", "-run", t.pattern()}, flags...)
		out, err := exec.Command("go", append(args, t.pkg)...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: "+t.name+" ") { // a test that skips itself did not pass
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

// skip is a row of tests that may skip themselves: those of a package whose names match, for a reason.
type skip struct {
	pkg    string
	name   *regexp.Regexp
	reason string
}

type skips []skip

// reasons are those for which a test may skip itself: the run is to be short, or has no root.
var reasons = []string{"short:", "root:"}

// readSkips reads lines of a package, a pattern for names of its tests, a reason, and what more there is to say.
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
		if len(fields) < 4 || !slices.Contains(reasons, fields[2]) {
			return nil, fmt.Errorf("%s: want a package, a pattern, one of %v and why, got %q", file, reasons, line)
		}
		name, err := regexp.Compile("^(?:" + fields[1] + ")$")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, skip{fields[0], name, fields[2]})
	}
	return all, nil
}

// that returns the rows whose reason holds for a run that is short, or done by root.
func (s skips) that(short, root bool) skips {
	return slices.DeleteFunc(slices.Clone(s), func(one skip) bool { return one.reason == "short:" && !short || one.reason == "root:" && root })
}

func (s skips) has(t test) bool {
	return slices.ContainsFunc(s, func(one skip) bool { return strings.HasSuffix(t.pkg, "/"+one.pkg) && one.name.MatchString(t.name) })
}

// counts are the numbers of a run.
type counts struct{ passed, failed, flaky int }

func (c counts) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d flaky", c.passed, c.failed, c.flaky)
}

// readCounts returns what the file has; of the file "", and of one that is not there, nothing.
func readCounts(file string) (c counts, err error) {
	data, err := os.ReadFile(file)
	if file == "" || os.IsNotExist(err) {
		return counts{}, nil
	}
	if err == nil {
		_, err = fmt.Sscanf(string(data), "%d passed, %d failed, %d flaky", &c.passed, &c.failed, &c.flaky)
	}
	return c, err
}

// keep writes c into the file, unless that is "".
func (c counts) keep(file string) error {
	if file == "" {
		return nil
	}
	return os.WriteFile(file, []byte(c.String()+"\n"), 0o600)
}
