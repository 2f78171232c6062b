//go:build !windows

package engine

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
)

// A note that has a name among the private ones too is private under each of its names: it is
// neither quoted nor part of a history, and what leaves the machine is not asked in it.
func TestLinkedNotesArePrivate(t *testing.T) {
	t.Parallel()
	l := &listener{sent: make(map[string][]string), open: "so"}
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "vault", "Journal"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := startEngine(t, dir, nil, func(c *config.Config) {
		c.Private = []string{"Journal/**"}
		c.Agents["Hosted"] = config.Agent{Runner: "openai", URL: server.URL, Model: "h:cloud"}
	})
	link := func(name string) {
		t.Helper()
		if err := os.Link(filepath.Join(r.vault, name), filepath.Join(r.vault, "Journal", name)); err != nil {
			t.Fatal(err)
		}
	}
	asked := 0
	ask := func() string {
		t.Helper()
		asked++
		name := fmt.Sprintf("n%d.md", asked)
		r.save(name, fmt.Sprintf("> @agent-Hosted what of the plum? zq%dqz\n", asked))
		r.until(name, "<!-- /agent-response -->")
		return l.last("h:cloud")
	}
	r.save("Plum.md", "# Plum\n\nThe plum is zsecretz.\n")
	for r.vaults[0].Catalog.State().Notes < 1 {
		r.pause()
	}
	if sent := ask(); !strings.Contains(sent, "zsecretz") {
		t.Fatalf("a public note is not quoted:\n%s", sent)
	}
	if sent := ask(); !strings.Contains(sent, "zsecretz") || !strings.Contains(sent, "zq1qz") {
		t.Fatalf("a public note is not quoted, or an exchange not told:\n%s", sent)
	}
	link("Plum.md")
	if sent := ask(); strings.Contains(sent, "zsecretz") || strings.Contains(sent, "zq1qz") || strings.Contains(sent, "zq2qz") {
		t.Errorf("told what is private under another name:\n%s", sent)
	}
	if sent := ask(); !strings.Contains(sent, "zq3qz") {
		t.Errorf("an exchange made of public notes is not told:\n%s", sent)
	}
	link("n3.md")
	if sent := ask(); strings.Contains(sent, "zq3qz") {
		t.Errorf("told of a note that is private under another name:\n%s", sent)
	}

	r.save("Journal/both.md", "> @agent-Hosted is it ripe?\n")
	for len(r.notAsked()) != 1 {
		r.pause()
	}
	if err := os.Link(filepath.Join(r.vault, "Journal", "both.md"), filepath.Join(r.vault, "both.md")); err != nil {
		t.Fatal(err)
	}
	for len(r.notAsked()) != 2 {
		r.pause()
	}
	if list, err := r.journal.List(t.Context(), journal.Filter{}); err != nil || len(list) != asked {
		t.Errorf("accepted %+v, %v", list, err)
	}
	err := r.asker.whyNotAsked(t.Context(), journal.Dispatch{Vault: r.vaults[0].Root, File: "both.md", Role: "Hosted"})
	if refused, ok := errors.AsType[*agent.Failure](err); !ok || refused.Kind != agent.Permanent {
		t.Errorf("a note that got a private name is asked in: %v", err)
	}
	if err := r.asker.whyNotAsked(t.Context(), journal.Dispatch{Vault: r.vaults[0].Root, File: "n1.md", Role: "Hosted"}); err != nil {
		t.Errorf("a note with one name is not asked in: %v", err)
	}
}
