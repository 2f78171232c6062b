package runners

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A login is how a program shows that it knows its user, as far as its files and variables tell. The
// check starts no program and asks no server. A program without signs always counts as logged in.
type login struct {
	remedy    string // the next step of a person who is not logged in
	source    string // that says where it looks
	signs     []sign
	variables []string // a name that begins with a star is the end of names
}

// sign is a file that says that a program knows its user, if it holds one of the words; without words, if it holds anything.
type sign struct {
	folder string // the variable that names its folder, where it is set
	usual  string // that folder otherwise, below the home folder; "" = the home folder; absolute: one of the system's
	file   string
	words  []string
}

// logins by the name of the program. A person's own setup without a login (a key in a file, a provider
// or a server of their own) counts as a login: in doubt a program is ready.
var logins = map[string]login{
	"claude": {"run claude and log in", "https://code.claude.com/docs/en/authentication and /settings", []sign{
		{"CLAUDE_CONFIG_DIR", ".claude", ".credentials.json", []string{"claudeAiOauth"}},
		{"CLAUDE_CONFIG_DIR", "", ".claude.json", []string{`"oauthAccount"`, `"primaryApiKey"`}}, // macOS has the rest in its keychain
		{"CLAUDE_CONFIG_DIR", ".claude", "settings.json", []string{"apiKeyHelper", "_API_KEY", "_AUTH_TOKEN", "_USE_"}},
		{"", "/etc/claude-code", "managed-settings.json", nil},
		{"", "/Library/Application Support/ClaudeCode", "managed-settings.json", nil},
	}, []string{"ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"}},
	"codex": {"run codex login", "https://developers.openai.com/codex/auth", []sign{
		{"CODEX_HOME", ".codex", "auth.json", nil},
		{"CODEX_HOME", ".codex", "config.toml", []string{"cli_auth_credentials_store", "model_provider", "oss_provider"}},
	}, []string{"OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_ACCESS_TOKEN"}},
	"copilot": {"run copilot login", "https://docs.github.com/en/copilot/how-tos/copilot-cli/set-up-copilot-cli/authenticate-copilot-cli", []sign{
		{"COPILOT_HOME", ".copilot", "config.json", []string{"ogged", "tokens"}}, // the token itself may be in a keychain
		{"GH_CONFIG_DIR", ".config/gh", "hosts.yml", nil},
		{"XDG_CONFIG_HOME", ".config", "gh/hosts.yml", nil},
		{"APPDATA", "", "GitHub CLI/hosts.yml", nil},
	}, []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"}},
	"gemini": {"run gemini and log in", "https://geminicli.com/docs/get-started/authentication/", []sign{
		{"GEMINI_CLI_HOME", "", ".gemini/oauth_creds.json", nil},
		{"GEMINI_CLI_HOME", "", ".gemini/google_accounts.json", nil},
		{"GEMINI_CLI_HOME", "", ".gemini/settings.json", []string{"electedType", "electedAuthType"}},
		{"GEMINI_CLI_HOME", "", ".gemini/.env", []string{"API_KEY", "GOOGLE_"}},
		{"", "", ".env", []string{"GEMINI_API_KEY", "GOOGLE_"}},
		{"", "/etc/gemini-cli", "settings.json", nil},
	}, []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA", "GOOGLE_CLOUD_PROJECT"}},
	"pi": {"run pi and log in with /login", "https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/providers.md", []sign{
		{"PI_CODING_AGENT_DIR", ".pi/agent", "auth.json", nil},
		{"PI_CODING_AGENT_DIR", ".pi/agent", "models.json", nil},
	}, []string{"*_API_KEY", "*_OAUTH_TOKEN", "*_GITHUB_TOKEN", "AWS_PROFILE", "AWS_ACCESS_KEY_ID", "GOOGLE_CLOUD_PROJECT"}},
	"qwen": {"run qwen and log in", "https://qwenlm.github.io/qwen-code-docs/en/users/configuration/auth", []sign{
		{"QWEN_HOME", ".qwen", "oauth_creds.json", nil},
		{"QWEN_HOME", ".qwen", "settings.json", []string{"electedType", "electedAuthType", "modelProviders", "apiKey", "API_KEY"}},
		{"QWEN_HOME", ".qwen", ".env", []string{"API_KEY"}},
		{"", "", ".env", []string{"API_KEY"}},
		{"", "/etc/qwen-code", "settings.json", nil},
	}, []string{"*_API_KEY"}},
	// It answers without a login too, by its free models, so there is no sign of being logged out.
	"opencode": {remedy: "run opencode auth login", source: "https://github.com/sst/opencode/blob/dev/packages/opencode/src/provider/provider.ts"},
}

// folderOf returns the folder of a sign for a program that is started with a role's own variables
// beside those of the system. Variables of a shell are not passed on, so they do not count.
func (s sign) folderOf(own map[string]string) string {
	named := own[s.folder]
	if named == "" && (s.folder == "APPDATA" || strings.HasPrefix(s.folder, "XDG_")) {
		named = os.Getenv(s.folder)
	}
	home, _ := os.UserHomeDir() // a path that is not absolute does not exist
	switch usual := filepath.FromSlash(s.usual); {
	case named != "":
		return named
	case strings.HasPrefix(s.usual, "/"):
		return usual
	default:
		return filepath.Join(cmp.Or(own["HOME"], home), usual)
	}
}

// WhyLoggedOut says why a program cannot answer because it does not know its user, in a few words with
// the next step. It returns "" if the program is logged in, or if that is unknown. The program is a
// name or a path. A key in the environment of a shell is no sign, because the engine does not pass it
// on: only one among own, the variables of the role.
func WhyLoggedOut(program string, own map[string]string) string {
	l := logins[nameOf(program)]
	if len(l.signs) == 0 || l.hasVariable(own) || slices.ContainsFunc(l.signs, func(s sign) bool { return s.isThere(own) }) {
		return ""
	}
	return "not logged in: " + l.remedy
}

// HowToLogIn is the next step of a person whom a program, a name or a path, does not know; "" = the program is not known.
func HowToLogIn(program string) string { return logins[nameOf(program)].remedy }

func (l login) hasVariable(own map[string]string) bool {
	for name, value := range own {
		if value != "" && slices.ContainsFunc(l.variables, func(known string) bool {
			end, isEnd := strings.CutPrefix(known, "*")
			return name == known || isEnd && strings.HasSuffix(name, end)
		}) {
			return true
		}
	}
	return false
}

// isThere reports whether the file is there and holds what it should.
func (s sign) isThere(own map[string]string) bool {
	path := filepath.Join(s.folderOf(own), filepath.FromSlash(s.file))
	info, err := os.Stat(path)
	if err != nil || info.Size() <= int64(len("{}")) {
		return false
	}
	return len(s.words) == 0 || holdsWord(path, s.words, stamp{info.Size(), info.ModTime()})
}

// stamp tells a file from what it was before.
type stamp struct {
	size int64
	time time.Time
}

// read is what was found in files; a status asks often, and such a file may have megabytes.
var read = struct {
	mu    sync.Mutex // guards cache
	cache map[string]found
}{cache: make(map[string]found)}

type found struct {
	stamp
	holds bool
}

// holdsWord reports whether a file holds one of the words; one that cannot be read may.
func holdsWord(path string, words []string, now stamp) bool {
	read.mu.Lock()
	defer read.mu.Unlock()
	if last, ok := read.cache[path]; ok && last.size == now.size && last.time.Equal(now.time) {
		return last.holds
	}
	text, err := os.ReadFile(path)
	holds := err != nil || slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(text, []byte(word)) })
	read.cache[path] = found{now, holds}
	return holds
}
