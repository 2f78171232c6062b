package runners

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A program that has not been logged in says so with the next step, and what shows a login ends that: files as the program
// writes them, and variables of the role.
func TestWhyLoggedOut(t *testing.T) {
	for _, test := range []struct {
		program, file, text string
		own                 map[string]string
		in                  bool
	}{
		{"claude", ".claude/.credentials.json", `{"claudeAiOauth":{"accessToken":"x"}}`, nil, true},
		{"claude", ".claude/.credentials.json", `{"mcpOAuth":{"x":{}}}`, nil, false},
		{"claude", ".claude.json", `{"numStartups":3,"oauthAccount":{"emailAddress":"x"}}`, nil, true},
		{"claude", ".claude.json", `{"numStartups":3}`, nil, false},
		{"claude", ".claude/settings.json", `{"apiKeyHelper":"/bin/key"}`, nil, true},
		{"claude", ".claude/settings.json", `{"theme":"dark"}`, nil, false},
		{"claude", "", "", map[string]string{"ANTHROPIC_API_KEY": "x"}, true},
		{"claude", "", "", map[string]string{"ANTHROPIC_API_KEY": ""}, false},
		{"claude", "", "", map[string]string{"OPENAI_API_KEY": "x"}, false},
		{"codex", ".codex/auth.json", `{"tokens":{}}`, nil, true},
		{"codex", ".codex/auth.json", `{}`, nil, false},
		{"codex", ".codex/config.toml", "cli_auth_credentials_store = \"keyring\"\n", nil, true},
		{"codex", ".codex/config.toml", "model = \"x\"\n", nil, false},
		{"copilot", ".copilot/config.json", `{"loggedInUsers":[{"login":"x"}]}`, nil, true},
		{"copilot", ".copilot/config.json", `{"banner":"never"}`, nil, false},
		{"copilot", ".config/gh/hosts.yml", "github.com:\n    user: x\n", nil, true},
		{"copilot", "", "", map[string]string{"GH_TOKEN": "x"}, true},
		{"gemini", ".gemini/oauth_creds.json", `{"access_token":"x"}`, nil, true},
		{"gemini", ".gemini/settings.json", `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`, nil, true},
		{"gemini", ".gemini/settings.json", `{"ui":{"theme":"x"}}`, nil, false},
		{"gemini", ".gemini/.env", "GEMINI_API_KEY=x\n", nil, true},
		{"pi", ".pi/agent/auth.json", `{"anthropic":{}}`, nil, true},
		{"pi", "", "", map[string]string{"OPENROUTER_API_KEY": "x"}, true},
		{"qwen", ".qwen/oauth_creds.json", `{"access_token":"x"}`, nil, true},
		{"qwen", ".qwen/settings.json", `{"security":{"auth":{"selectedType":"openai"}}}`, nil, true},
		{"qwen", ".qwen/settings.json", `{"ui":{}}`, nil, false},
		{"opencode", "", "", nil, true},
		{"my-own", "", "", nil, true},
	} {
		home := t.TempDir()
		for _, name := range []string{"HOME", "USERPROFILE", "APPDATA"} {
			t.Setenv(name, home)
		}
		t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
		if test.file != "" {
			path := filepath.Join(home, filepath.FromSlash(test.file))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, program := range []string{test.program, filepath.Join(home, "bin", test.program), test.program + ".cmd"} {
			why := WhyLoggedOut(program, test.own)
			if (why == "") != test.in || why != "" && !strings.HasPrefix(why, "not logged in: run "+test.program) {
				t.Errorf("%s with %s %s and %q: %q", program, test.file, test.text, test.own, why)
			}
		}
	}
}

// A login that is made, or ended, while the engine runs is seen.
func TestLoginIsLookedAtAgain(t *testing.T) {
	home := t.TempDir()
	own := map[string]string{"HOME": home, "CLAUDE_CONFIG_DIR": filepath.Join(home, "apart")}
	file := filepath.Join(home, "apart", ".claude.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"a":1}`, `{"oauthAccount":{}}`, `{"numStartups":2}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if why := WhyLoggedOut("claude", own); (why == "") != strings.Contains(text, "oauth") {
			t.Errorf("%s: %q", text, why)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(home, "apart")) // of a shell: the program is not told
	if why := WhyLoggedOut("claude", map[string]string{"HOME": home}); why == "" {
		t.Error("a variable that is not passed on counts")
	}
}

// Each program that setup offers has a row, or is said to answer without a login.
func TestEachProgramHasItsSigns(t *testing.T) {
	for _, r := range All {
		if l := logins[r.Program]; r.Program != "" && (l.remedy == "" || l.source == "" || len(l.signs) == 0 && r.Program != "opencode") {
			t.Errorf("nobody knows by what %s shows its login", r.Program)
		}
	}
}
