package main

import (
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/rogpeppe/go-internal/testscript"
)

// evil is a name that writes to the clipboard (OSC 52), turns the direction, colours and
// begins a line of its own.
const evil = "a\x1b]52;c;aGk=\x07\u202e\nqueue   999 done\u009b31m\u2066"

// hostile VARIABLE PATH TEXT saves a note whose name is hostile, and keeps its path.
func hostile(ts *testscript.TestScript, _ bool, args []string) {
	name := ts.MkAbs(strings.ReplaceAll(args[1], "EVIL", evil))
	ts.Setenv(args[0], name)
	if len(args) == 2 {
		ts.Check(os.MkdirAll(name, 0o755))
		return
	}
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
	ts.Check(os.WriteFile(name, unquoted(ts, args[2]), 0o644))
}

// tame wants the output of the last program to hold the hostile name, or with ! anything, and
// no character that a terminal obeys.
func tame(ts *testscript.TestScript, neg bool, _ []string) {
	out := ts.ReadFile("stdout") + ts.ReadFile("stderr")
	for line := range strings.Lines(out) {
		if i := strings.IndexFunc(strings.TrimSuffix(line, "\n"), func(r rune) bool {
			return r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
		}); i >= 0 || strings.HasPrefix(line, "queue   999") {
			ts.Fatalf("a terminal would obey %q", line)
		}
	}
	if !neg && !strings.Contains(out, "queue   999") {
		ts.Fatalf("the name is not told:\n%s", out)
	}
}
