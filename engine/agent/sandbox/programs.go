package sandbox

import (
	"path/filepath"
	"slices"
	"strings"
)

// program is what was measured of one program.
type program struct {
	folders []folder
	helpers []string // programs that its tools for reading start, as they are looked up

	// ownHold is whether the kernel holds its tools for reading already, by the program's own doing, with mounts that
	// Landlock would refuse (https://docs.kernel.org/userspace-api/landlock.html#filesystem-topology-modification).
	ownHold bool
}

// folder is one in which a program keeps settings and logins. It is given a private copy for the run.
type folder struct {
	places    []string // such as "CODEX_HOME", "HOME/.codex": the first whose variable is set counts; the first variable names the copy
	logins    []string // the files that it renews
	companion string   // a file beside the folder, unless a variable names the folder
	shows     []string // the folders in it that it reads as they are; "*" = all
	tied      string   // a word in tiedIn by which the login belongs to the path of the folder, which is then not copied
	tiedIn    string
	ours      bool // it holds nothing of the person's, and is written as it is
}

// programs is the table; what is not in it starts without the sandbox. Those of one name beside a - are the same with another face.
// Measured as .ci/agents-real does: claude 2.1, codex 0.169, gemini 0.61, opencode 1.18,
// pi 0.87, qwen 0.24, claude-agent-acp 0.101, codex-acp 2.6.
var programs = map[string]program{
	"claude":           claude,
	"claude-agent-acp": claude,
	"codex":            codex,
	"codex-acp":        codex,
	"gemini": {folders: []folder{{places: []string{"GEMINI_CLI_HOME/.gemini", "HOME/.gemini"},
		logins: []string{"oauth_creds.json"}}}}, // https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/config/storage.ts
	"opencode": {helpers: []string{"rg"}, folders: []folder{ // https://github.com/sst/opencode/blob/dev/packages/opencode/src/global/index.ts
		{places: []string{"XDG_CONFIG_HOME/opencode", "HOME/.config/opencode"}, shows: []string{"*"}},
		{places: []string{"XDG_DATA_HOME/opencode", "HOME/.local/share/opencode"}, logins: []string{"auth.json"}, shows: []string{"bin"}},
		{places: []string{"XDG_STATE_HOME/opencode", "HOME/.local/state/opencode"}},
		{places: []string{"XDG_CACHE_HOME/opencode", "HOME/.cache/opencode"}, shows: []string{"*"}}}},
	"pi": {helpers: []string{"rg", "fd", "fdfind"}, folders: []folder{
		{places: []string{"PI_CODING_AGENT_DIR", "HOME/.pi/agent"}, logins: []string{"auth.json"}, shows: []string{"agents", "bin", "extensions", "npm"}},
		{places: []string{"XDG_CACHE_HOME/vault-dispatcher/pi", "HOME/.cache/vault-dispatcher/pi"}, ours: true}}}, // compiled by its loader for pi-subagents
	"qwen": {folders: []folder{{places: []string{"QWEN_HOME", "HOME/.qwen"}, // https://qwenlm.github.io/qwen-code-docs/en/users/configuration/settings/
		logins: []string{"oauth_creds.json"}}}},
}

var (
	// https://code.claude.com/docs/en/env-vars
	claude = program{folders: []folder{{places: []string{"CLAUDE_CONFIG_DIR", "HOME/.claude"}, logins: []string{".credentials.json"}, companion: ".claude.json"}}}
	// A login in the keyring has the path of the folder in its name: https://github.com/openai/codex/blob/main/codex-rs/login/src/auth/storage.rs
	codex = program{folders: []folder{{places: []string{"CODEX_HOME", "HOME/.codex"}, logins: []string{"auth.json"},
		tied: "cli_auth_credentials_store", tiedIn: "config.toml"}}, ownHold: true}
)

// Knows reports whether the table says what a program needs.
func Knows(name string) bool {
	_, known := programs[name]
	return known
}

// KnowsReading reports whether a program of the table is held by the sandbox also where it reads.
func KnowsReading(name string) bool { return Knows(name) && !programs[name].ownHold }

// NameOf is what the table calls the program of a command; "" where it is not in it.
func NameOf(command []string) string {
	if len(command) == 0 {
		return ""
	}
	if name := filepath.Base(command[0]); Knows(name) {
		return name
	}
	return ""
}

// starters are the programs that fetch another one and start it, with the words that have them do so.
var starters = map[string][]string{"npx": nil, "bunx": nil, "pnpx": nil, "pnpm": {"dlx", "exec"}, "yarn": {"dlx", "exec"}, "npm": {"exec", "x"}, "bun": {"x"}}

// StartedBy returns the program of the table that another one fetches and starts in a command, such as npx, with the package
// that the command names; nothing for other commands. Such a program starts without the sandbox: what npx and the others
// write and run, a shell among it, would be the agent's too.
func StartedBy(command []string) (name, pack string) {
	if len(command) == 0 {
		return "", ""
	}
	words, known := starters[strings.TrimSuffix(filepath.Base(command[0]), ".cmd")]
	if !known {
		return "", ""
	}
	for _, arg := range command[1:] {
		_, value, _ := strings.Cut(arg, "=")
		if strings.HasPrefix(arg, "-") {
			arg = value // of --package=NAME
		}
		if slices.Contains(words, arg) {
			continue
		}
		pack = arg
		if at := strings.LastIndex(pack, "@"); at > 0 {
			pack = pack[:at]
		}
		if name = pack[strings.LastIndex(pack, "/")+1:]; Knows(name) {
			return name, pack
		}
	}
	return "", ""
}
