package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/config/yamltext"
)

// alone gives a test its own home and an environment without our variables.
func alone(t testing.TB) (home string) {
	t.Helper()
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "WIKI_") || strings.HasPrefix(name, "XDG_") {
			t.Setenv(name, "")
		}
	}
	home = t.TempDir()
	for _, name := range []string{"HOME", "USERPROFILE"} {
		t.Setenv(name, home)
	}
	t.Setenv("AppData", filepath.Join(home, "AppData"))
	t.Setenv("LocalAppData", filepath.Join(home, "LocalAppData"))
	return home
}

func mustParse(t *testing.T, text string) Config {
	t.Helper()
	c, err := parseConfig("config.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\nin:\n%s", err, text)
	}
	if err := c.Validate(); err != nil {
		t.Fatalf("loaded but not valid: %v\nin:\n%s", err, text)
	}
	return c
}

// documented is the file of the manual, every key at its default. The roles
// that are no defaults stand in it as the manual's examples.
const documented = `
wiki:
  vaults: [~/Notes]            # strings, {path, name, watch, paused} objects, or name -> {path}
  exclude: ["Templates/**"]
  httpPort: 11435
  debounce: 1s
  settle: 2.5s
  context: {before: 30, after: 10, bytes: 65536, comments: false}
  dispatch: {mode: tasks, concurrency: 3, timeout: 10m}
  watch: {mode: auto, pollInterval: 0}       # auto | fsnotify | poll, also per vault; 0 = by itself
  limits: {perNote: 50, perHour: 60, perDay: 300, burst: 10, answerBytes: 262144, dollarsPerDay: 0, tokensPerDay: 0}     # 0 = none
  untrusted: ["**/Clippings/**"]
  agents:
    Miner: {runner: builtin}
    Broadcaster: {runner: broadcast}
    Editor: {runner: command, command: [my-agent, --json], answer: stdout, timeout: 2m, env: {K: V}}
    "*": {runner: claude, model: "", tools: none, enrich: true, costs: true, local: false, private: false, contextTokens: 0}
  private: []
  history: {scope: vault, bytes: 8192}
  enrich: {passages: 5}
  embedding: {provider: none, model: "", url: "", apiKeyEnv: "", dim: 0, queryPrefix: "", docPrefix: "", batch: 32, timeout: 60s, weight: 1}
  graph: {enabled: true}
  index: {exclude: []}
  broadcast: {folder: Agent/Presentations, speech: {engine: auto, command: [], url: "", model: "", apiKeyEnv: "", voices: []}}
  progress: none
  approve: {by: roles, inNote: false}
  notify: true
  owner: ""
  metrics: token
  schedule: []
  webhook: {url: "", format: ntfy, text: title, tokenEnv: "", replyTopic: ""}
  hub: {listen: ""}
  queue: {url: "", credentials: "", name: ""}
`

func TestDocumentedIsDefault(t *testing.T) {
	home := alone(t)
	got := mustParse(t, documented)
	if len(got.Warnings) > 0 {
		t.Errorf("warnings: %q", got.Warnings)
	}
	want := Default()
	want.Vaults = []Vault{{Name: "Notes", Path: filepath.Join(home, "Notes")}}
	want.Agents["Editor"] = Agent{Runner: "command", Command: []string{"my-agent", "--json"}, Answer: "stdout",
		Timeout: 2 * time.Minute, Env: map[string]string{"K": "V"}}
	want.Agents["*"] = Agent{Runner: "claude", Tools: "none"}
	if !got.HasSameSettings(want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if err := Default().Validate(); err != nil {
		t.Errorf("the defaults are refused: %v", err)
	}
}

// Every setting must be in the documented file: a key nobody can read about is
// no key.
func TestEverySettingIsDocumented(t *testing.T) {
	alone(t)
	root, problem := yamltext.Parse([]byte(documented), "")
	if problem != nil {
		t.Fatal(problem)
	}
	l := newLoader("")
	l.collectValues("", root)
	for _, key := range knownKeys {
		if _, ok := l.origins[key]; !ok {
			t.Errorf("%s is not in the documented file", key)
		}
	}
}

func TestMissingAndEmptyFiles(t *testing.T) {
	home := alone(t)
	got, err := Load("")
	if err != nil || !got.HasSameSettings(Default()) {
		t.Errorf("no file at all: %+v, %v", got, err)
	}
	if path, _ := place.ConfigFile(); got.File != path || !strings.HasPrefix(path, home) {
		t.Errorf("File = %q, ConfigFile() = %q", got.File, path)
	}
	_, err = Load(filepath.Join(home, "mine.yaml"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "mine.yaml") {
		t.Errorf("a named file that is missing: %v", err)
	}
	if _, err := Load(home); err == nil {
		t.Error("a folder was read as a configuration")
	}
	for _, text := range []string{"", "\n# nothing\n", "---\n", "wiki:\n", "\ufeffwiki: {}\n", "{}", "~"} {
		if c := mustParse(t, text); !c.HasSameSettings(Default()) || len(c.Warnings) > 0 {
			t.Errorf("%q: %+v", text, c)
		}
	}
	large := filepath.Join(home, "large.yaml")
	if err := os.WriteFile(large, []byte(strings.Repeat("# note\n", maxFile)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(large); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("a file of megabytes: %v", err)
	}
}

func TestReload(t *testing.T) {
	home := alone(t)
	path, _ := place.ConfigFile()
	write := func(text string) Config {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load("")
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := write("wiki: {vaults: [~/Notes], agents: {Editor: {runner: claude}}}")
	again := write("wiki:\n  nonsense: 1\n  agents: {Editor: {runner: claude}}\n  vaults: [" + filepath.ToSlash(home) + "/Notes]\n")
	if !first.HasSameSettings(again) {
		t.Errorf("the same said in other words is different:\n%+v\n%+v", first, again)
	}
	if other := write("wiki: {vaults: [~/Notes], agents: {Editor: {runner: codex}}}"); first.HasSameSettings(other) {
		t.Error("another runner is no difference")
	}
}

func TestOldConfiguration(t *testing.T) {
	alone(t)
	for _, text := range []string{"vaultMind: {port: 1}", "qmd:\n  x: 1\n", "VAULTMIND: 1"} {
		_, err := parseConfig("config.yaml", []byte(text))
		if !errors.Is(err, ErrOld) || err.Error() != "config.yaml: "+ErrOld.Error() {
			t.Errorf("%q: %v", text, err)
		}
	}
	c := mustParse(t, "qmd: 1\nwiki: {httpPort: 7000}")
	if c.HTTPPort != 7000 || !slices.Equal(c.Warnings, []string{"qmd: unknown and ignored"}) {
		t.Errorf("old and new together: %d, %q", c.HTTPPort, c.Warnings)
	}
}

func TestAnchorsAndMerges(t *testing.T) {
	alone(t)
	c := mustParse(t, `
shared: &shared {runner: claude, model: small, timeout: 3m}
wiki:
  agents:
    Writer: *shared
    Editor: {<<: *shared, model: large}
    Critic: {<<: [{tools: read}, *shared]}
`)
	want := map[string]Agent{
		"Miner": {Runner: "builtin"}, "Broadcaster": {Runner: "broadcast"},
		"Writer": {Runner: "claude", Model: "small", Timeout: 3 * time.Minute},
		"Editor": {Runner: "claude", Model: "large", Timeout: 3 * time.Minute},
		"Critic": {Runner: "claude", Model: "small", Timeout: 3 * time.Minute, Tools: "read"},
	}
	if !reflect.DeepEqual(c.Agents, want) {
		t.Errorf("got %+v", c.Agents)
	}
}

func TestAgentLookup(t *testing.T) {
	alone(t)
	c := mustParse(t, `
wiki:
  dispatch: {timeout: 4m}
  agents:
    miner: {runner: claude, model: 4.10}
    Heavy-Lifter: {runner: codex, tools: read, timeout: 1h}
    My_Own2: {runner: command, command: [a], answer: ".items[0].text", env: {Path_X: 8080, on: yes}}
`)
	if got := c.Roles(); !slices.Equal(got, []string{"Broadcaster", "Heavy-Lifter", "My_Own2", "miner"}) {
		t.Errorf("roles %q", got)
	}
	want := Agent{Runner: "claude", Model: "4.10", Tools: "none", Answer: "stdout", Timeout: 4 * time.Minute}
	if a, ok := c.Agent("MINER"); !ok || !reflect.DeepEqual(a, want) {
		t.Errorf("MINER: %+v, %v", a, ok)
	}
	if a, ok := c.Agent("heavy-lifter"); !ok || a.Timeout != time.Hour || a.Tools != "read" {
		t.Errorf("heavy-lifter: %+v, %v", a, ok)
	}
	if a, _ := c.Agent("my_own2"); !reflect.DeepEqual(a.Env, map[string]string{"Path_X": "8080", "on": "yes"}) {
		t.Errorf("my_own2: %+v", a)
	}
	if a, ok := c.Agent("Stranger"); ok {
		t.Errorf("a stranger is answered by %+v", a)
	}
	c = mustParse(t, `wiki: {agents: {"*": {runner: gemini}}}`)
	if a, ok := c.Agent("Stranger"); !ok || a.Runner != "gemini" {
		t.Errorf("any role: %+v, %v", a, ok)
	}
	if a, _ := c.Agent("Miner"); a.Runner != "builtin" {
		t.Errorf("* took the Miner: %+v", a)
	}
}
