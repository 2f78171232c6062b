// Package runners is what is known of the runners that a role may name, before anything is started: one row each.
package runners

import (
	"path/filepath"
	"slices"
	"strings"
)

// Runner is what is known of a runner: a row of [All].
type Runner struct {
	Name    string
	Program string // the agent program it starts; "" = none
	Setup   bool   // setup offers it where its program is installed
	IsNamed bool   // it starts the program that the role's command names

	TellsDollars bool // each run says what it has cost

	// Takes are the settings of a role that affect this runner and that other runners ignore.
	Takes []string
}

// All are the runners that a role may name, in the order in which they are offered.
var All = []Runner{
	{Name: "builtin", TellsDollars: true},
	{Name: "broadcast", TellsDollars: true, Takes: []string{"agent"}},
	{Name: "command", IsNamed: true, Takes: []string{"command"}},
	{Name: "claude", Program: "claude", Setup: true, TellsDollars: true, Takes: programTakes},
	{Name: "codex", Program: "codex", Setup: true, Takes: programTakes},
	{Name: "copilot", Program: "copilot", Setup: true, Takes: programTakes},
	{Name: "gemini", Program: "gemini", Setup: true, Takes: programTakes},
	{Name: "opencode", Program: "opencode", Setup: true, TellsDollars: true, Takes: programTakes},
	{Name: "pi", Program: "pi", Setup: true, TellsDollars: true, Takes: programTakes},
	{Name: "qwen", Program: "qwen", Setup: true, Takes: programTakes},
	{Name: "pi-subagents", Program: "pi", TellsDollars: true, Takes: []string{"command", "model", "tools", "trust"}},
	{Name: "openai", Takes: []string{"model", "tools", "contextTokens"}},
	{Name: "acp", IsNamed: true, Takes: []string{"command", "model", "tools", "trust"}},
	{Name: "worker", Takes: []string{"contextTokens"}},
}

var programTakes = []string{"command", "model", "tools", "session", "trust"}

// Find returns the row of a runner; false if the name is unknown.
func Find(name string) (Runner, bool) {
	i := slices.IndexFunc(All, func(r Runner) bool { return r.Name == name })
	if i < 0 {
		return Runner{}, false
	}
	return All[i], true
}

// Ignores reports whether a setting of a role has no effect on the runner.
func (r Runner) Ignores(setting string) bool { return !slices.Contains(r.Takes, setting) }

// Names lists their names.
func Names() []string {
	names := make([]string, len(All))
	for i, r := range All {
		names[i] = r.Name
	}
	return names
}

// BetterThan is the runner that reads a program's answers better than that one, which takes its plain output for them; "" = none.
func BetterThan(runner, program string) string {
	i := slices.IndexFunc(All, func(r Runner) bool { return r.Setup && r.Program == nameOf(program) })
	if runner != "command" || i < 0 {
		return ""
	}
	return All[i].Name
}

// nameOf is the name of a program that is started from a path, or by its name. npm puts a batch file before it on Windows.
func nameOf(program string) string {
	name := filepath.Base(program)
	for _, ending := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}
