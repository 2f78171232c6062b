package pi

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
)

var versions = []string{"0.34.0", "0.40.9", "0.41.0", "0.67.0", "1.2.0"}

// define puts a definition into pi's own folder.
func define(t *testing.T, r *Runner, file, text string) {
	t.Helper()
	file = filepath.Join(r.folder(), "agents", filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestOwnDefinition: pi is handed the name of a definition that the user has for the role.
func TestOwnDefinition(t *testing.T) {
	for _, version := range versions {
		r := installed(t, version, "names", nil)
		define(t, r, "notes/any.md", "---\nname: vault-mind-miner\ntools: read, grep\n---\nYou mine.\n")
		define(t, r, "other.md", "---\nname: vault-mind-other\n---\n")
		define(t, r, "broken.md", "name: vault-mind-broken")
		one, two := task(t, "one"), task(t, "two")
		one.System = "Be short."
		two.Agent = "vault-mind-editor"
		outcomes := r.RunBatch(t.Context(), agent.Batch{Tasks: []agent.Task{one, two}})
		if outcomes[0].Reply.Text != "vault-mind-miner of Be short." || !strings.HasPrefix(outcomes[1].Reply.Text, "vault-mind-editor-") ||
			!strings.HasSuffix(outcomes[1].Reply.Text, " of There is 1 request from the user's document below; answer it individually.") {
			t.Errorf("%s: %+v", version, outcomes)
		}
	}
}

// TestDefinitionThatMayDoMore: a definition by which a note could have something done is
// refused where the role does not trust it.
func TestDefinitionThatMayDoMore(t *testing.T) {
	for tools, want := range map[string]string{
		"tools: read, grep, find, ls": "", "tools: [\"read\", 'ls']": "", "tools:": "", "tools:\n  - read\n  - find": "", "tools:\n- grep": "",
		"": "every tool", "model: m": "every tool", "tools: read, bash": "bash", "tools:\n  - read\n  - write": "write", "tools: Read": "Read", "tools: mcp:x": "mcp:x",
	} {
		t.Run(tools, func(t *testing.T) {
			r := installed(t, "0.67.0", "names", nil)
			define(t, r, "m.md", fmt.Sprintf("\ufeff---\r\nname: \"vault-mind-miner\"\r\n%s\n---\nYou mine.\n", tools))
			other := task(t, "two")
			other.Agent = "vault-mind-editor"
			batch := agent.Batch{Tasks: []agent.Task{task(t, "one"), other}}
			outcomes := r.RunBatch(t.Context(), batch)
			failure, refused := errors.AsType[*agent.Failure](outcomes[0].Err)
			if refused != (want != "") || refused && (failure.Kind != agent.Permanent || !errors.Is(outcomes[1].Err, agent.ErrNoTurn) ||
				!strings.HasPrefix(failure.Reason, "pi's own definition vault-mind-miner may use "+want+"; ")) {
				t.Errorf("%+v, want %q", outcomes, want)
			}
			r.settings.Trust = true
			if outcomes = r.RunBatch(t.Context(), batch); outcomes[0].Err != nil || !strings.HasPrefix(outcomes[0].Reply.Text, "vault-mind-miner of ") {
				t.Errorf("trusted: %+v", outcomes)
			}
		})
	}
}

func TestScripted(t *testing.T) {
	var scripted []string
	for _, v := range versions {
		if (tool{version: v}).takesScript() {
			scripted = append(scripted, v)
		}
	}
	if want := []string{"0.41.0", "0.67.0", "1.2.0"}; !slices.Equal(scripted, want) {
		t.Errorf("scripted %q, want %q", scripted, want)
	}
}
