package reference

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
)

var update = flag.Bool("update", false, "write the page anew")

// alone keeps the person's own environment out of a test.
func alone(t *testing.T) {
	t.Helper()
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "WIKI_") {
			t.Setenv(name, "")
		}
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
}

// needs is what a file says beside a key that cannot stand alone.
var needs = map[string]string{
	"wiki.embedding.provider":  "wiki:\n  # mine\n  embedding: {model: embeddinggemma}\n",
	"wiki.agents":              "# mine\n",
	"wiki.agents.ROLE.command": "# mine\nwiki:\n  agents:\n    Editor: {runner: command, command: [other]}\n",
	"wiki.agents.ROLE":         "# mine\n",
	"wiki.approve.inNote":      "# mine\nwiki:\n  progress: note\n",
	"wiki.webhook.replyTopic":  "# mine\nwiki:\n  webhook: {url: \"https://ntfy.sh/your-topic\", tokenEnv: NTFY_TOKEN}\n",
}

// TestEveryExample: the documented example of every key is set, is accepted without a warning, and
// is what is read back; what else the file says stays.
func TestEveryExample(t *testing.T) {
	alone(t)
	for _, k := range Keys() {
		base := "# mine\nwiki:\n  debounce: 900ms # slow\n\n  progress: none\n"
		if strings.HasPrefix(k.Key, "wiki.agents.ROLE.") {
			base += "  agents:\n    Editor: {runner: codex}\n"
		}
		if own := needs[k.Key]; own != "" {
			base = own
		}
		key, err := config.SpellKey(strings.ToLower(strings.Replace(k.Key, ".ROLE", ".Editor", 1)))
		if err != nil {
			t.Errorf("%s: %v", k.Key, err)
			continue
		}
		key = strings.Replace(key, ".editor", ".Editor", 1)
		text, cfg, err := config.Edit("config.yaml", []byte(base), config.Change{Values: []config.Value{{Key: key, Text: k.Example}}})
		if err != nil {
			t.Errorf("%s: the example %s is refused: %v", k.Key, k.Example, err)
			continue
		}
		if len(cfg.Warnings) > 0 {
			t.Errorf("%s: the example warns: %q", k.Key, cfg.Warnings)
		}
		if shown, err := Show(cfg, key); err != nil || shown != k.Example {
			t.Errorf("%s: set to %s, read back as %s, %v", k.Key, k.Example, shown, err)
		}
		if !strings.Contains(string(text), "# mine") || strings.Contains(base, "# slow") && !strings.Contains(string(text), "# slow") {
			t.Errorf("%s: a comment is lost:\n%s", k.Key, text)
		}
		if k.Default == k.Example || k.Text == "" || strings.HasSuffix(k.Text, ".") {
			t.Errorf("%s: its example %q is the default, or it is described by %q", k.Key, k.Example, k.Text)
		}
		before, _, _ := config.Edit("config.yaml", []byte(base), config.Change{})
		after, _, err := config.Edit("config.yaml", text, config.Change{Values: []config.Value{{Key: key}}})
		if err == nil && k.Key != "wiki.debounce" && k.Key != "wiki.progress" && strings.Count(string(after), "\n") < strings.Count(string(before), "\n") {
			t.Errorf("%s: taken out again, the file is\n%s", k.Key, after)
		}
	}
}

// TestNothingIsUndescribed: each text belongs to a key, and each field of an agent to a key of it.
func TestNothingIsUndescribed(t *testing.T) {
	if n := len(Keys()); n != len(texts) {
		t.Errorf("%d keys and %d texts", n, len(texts))
	}
	if n := reflect.TypeFor[config.Agent]().NumField(); n != len(agentFields) {
		t.Errorf("an agent has %d fields, %d are described", n, len(agentFields))
	}
}

// TestValues: what is not the default is said to be changed, and what may be a secret is not shown.
func TestValues(t *testing.T) {
	alone(t)
	_, cfg, err := config.Edit("c.yaml", []byte("wiki: {settle: 3s, agents: {Editor: {runner: codex, env: {KEY: hunter2}}, Far: {runner: command, command: [my-agent, --api-key, k3y-0f-mine]}},"+
		" broadcast: {speech: {engine: command, command: [my-voice, --token=k3y-0f-mine, '{voice}']}}, queue: {url: 'tls://me:hunter2@nas:1'}}"), config.Change{})
	if err != nil {
		t.Fatal(err)
	}
	var changed []string
	for _, v := range Values(cfg) {
		if v.Changed {
			changed = append(changed, v.Key+" "+strings.ReplaceAll(v.Value, "'", `"`))
		}
	}
	want := []string{"wiki.settle 3s", "wiki.broadcast.speech.engine command", `wiki.broadcast.speech.command [my-voice, --token=(the key), "{voice}"]`, "wiki.queue.url tls://xxxxx@nas:1",
		"wiki.agents.Editor {runner: codex, env: {KEY: ...}}", "wiki.agents.Far {runner: command, command: [my-agent, --api-key, (the key)]}"}
	if got := strings.ReplaceAll(strings.Join(changed, "\n"), `"..."`, "..."); got != strings.Join(want, "\n") {
		t.Errorf("changed:\n%s", got)
	}
	if cfg.Agents["Editor"].Env["KEY"] != "hunter2" || cfg.Agents["Far"].Command[2] != "k3y-0f-mine" {
		t.Error("the configuration itself was changed")
	}
	if _, err := Show(cfg, "wiki.agents.Nobody.model"); err == nil {
		t.Error("a role without an entry has a value")
	}
}

// TestPageIsFresh: the page in assets/docs is that of the keys there are.
func TestPageIsFresh(t *testing.T) {
	file := filepath.Join("..", "..", "..", "assets", "docs", "configuration-keys.md")
	if *update {
		if err := os.WriteFile(file, []byte(pageOfKeys()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(bytes.ReplaceAll(page, []byte("\r\n"), []byte("\n"))) != pageOfKeys() {
		t.Errorf("%s is stale: go test ./engine/config/reference -update writes it", file)
	}
}

// TestManual: every key is there, no line begins with a request that is none, and what man has for
// quotes and dashes is used.
func TestManual(t *testing.T) {
	page := Manual("1.2.3", time.Unix(1e9, 0).UTC())
	for _, k := range Keys() {
		if !strings.Contains(page, ".B "+roff(k.Key)+"\n") {
			t.Errorf("%s is missing", k.Key)
		}
	}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, ".") && !strings.HasPrefix(line, ".T") && !strings.HasPrefix(line, ".B ") &&
			!strings.HasPrefix(line, ".SH") && !strings.HasPrefix(line, ".PP") && !strings.HasPrefix(line, ".br") && !strings.HasPrefix(line, ".I ") {
			t.Errorf("not a request: %s", line)
		}
		if strings.HasPrefix(line, "'") || strings.Contains(line, "`") {
			t.Errorf("a mark is left: %s", line)
		}
	}
	if !strings.Contains(page, `"Sep 2001" "Vault Dispatcher 1.2.3"`) {
		t.Error("it has no version and date")
	}
}
