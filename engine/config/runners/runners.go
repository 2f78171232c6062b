// Package runners is what is known of the runners that a role may name, before anything is started: one row each.
package runners

import "slices"

// Runner is what is known of a runner: a row of [All].
type Runner struct {
	Name    string
	Program string // the agent program it starts; "" = none
	Setup   bool   // setup offers it where its program is installed
	IsNamed bool   // it starts the program that the role's command names

	// Takes are the settings of a role that have an effect on it, of those that others ignore.
	Takes []string

	// The files below the home folder and the variables by which the program knows its user.
	// Without any nobody can tell. On macOS some keep that in the keychain, which is not asked.
	LogInFiles, LogInVariables []string
}

// All are the runners that a role may name, in the order in which they are offered. Two programs have no
// sign of a login, because no file tells: copilot has a keychain everywhere, or asks gh
// (https://docs.github.com/en/copilot/how-tos/copilot-cli/set-up-copilot-cli/authenticate-copilot-cli),
// and qwen takes a key of any provider (https://qwenlm.github.io/qwen-code-docs/en/users/configuration/auth).
var All = []Runner{
	{Name: "builtin"},
	{Name: "broadcast", Takes: []string{"agent"}},
	{Name: "command", IsNamed: true},
	{Name: "claude", Program: "claude", Setup: true, Takes: programTakes, LogInFiles: []string{".claude/.credentials.json"},
		LogInVariables: []string{"ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN"}},
	{Name: "codex", Program: "codex", Setup: true, Takes: programTakes, LogInFiles: []string{".codex/auth.json"},
		LogInVariables: []string{"OPENAI_API_KEY", "CODEX_API_KEY"}},
	{Name: "copilot", Program: "copilot", Setup: true, Takes: programTakes},
	{Name: "gemini", Program: "gemini", Setup: true, Takes: programTakes, LogInFiles: []string{".gemini/oauth_creds.json", ".gemini/google_accounts.json"},
		LogInVariables: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}},
	{Name: "opencode", Program: "opencode", Setup: true, Takes: programTakes, LogInFiles: []string{".local/share/opencode/auth.json"},
		LogInVariables: []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY"}},
	{Name: "pi", Program: "pi", Setup: true, Takes: programTakes, LogInFiles: []string{".pi/agent/auth.json"},
		LogInVariables: []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"}},
	{Name: "qwen", Program: "qwen", Setup: true, Takes: programTakes},
	{Name: "pi-subagents", Program: "pi", Takes: []string{"model", "tools", "trust"}},
	{Name: "openai", Takes: []string{"model", "tools", "contextTokens"}},
	{Name: "acp", IsNamed: true, Takes: []string{"model", "tools", "trust"}},
	{Name: "worker"},
}

var programTakes = []string{"model", "tools", "session", "trust"}

// Find returns the row of a runner; false where there is none of that name.
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
