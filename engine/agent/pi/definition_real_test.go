//go:build realagents

package pi_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"vaultdispatcher/engine/agent"
)

// TestRealOwnDefinition: a definition that the user has for the role is the agent, with its
// words and tools.
func TestRealOwnDefinition(t *testing.T) {
	generations(t, func(t *testing.T, w world) {
		own := filepath.Join(w.env["HOME"], ".pi", "agent", "agents", "notes", "any.md")
		if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(own, []byte("---\nname: vault-mind-miner\ndescription: mines\ntools: read, ls\nsystemPromptMode: replace\ndefaultContext: fork\n---\nYou are OCHRE5.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		reply, err := w.runner(agent.Settings{}).Run(t.Context(), w.task(nil, "{{SAY red}}"))
		calls := w.model.Calls()
		if err != nil || reply.Text != "red" || len(calls) != 1 {
			t.Fatalf("%q, %v, %d calls", reply.Text, err, len(calls))
		}
		if !calls[0].Saw("OCHRE5") || !slices.Contains(calls[0].Tools, "read") || slices.Contains(calls[0].Tools, "grep") {
			t.Errorf("it was not the user's own: tools %q, %v", calls[0].Tools, calls[0].Turns)
		}
		w.nothingLeft(t)
	})
}
