package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
)

// Two vaults whose names differ and whose folders overlap through a link: the notes
// are answered once, and the status says why the other vault is not watched.
func TestVaultsThatOverlapThroughALink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inner := filepath.Join(dir, "vault", "Sub")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(inner, link); err != nil {
		t.Skip(err)
	}
	r, err := openEngine(t, dir, &echoes{}, func(c *config.Config) {
		c.Vaults = append(c.Vaults, config.Vault{Name: "linked", Path: link})
	})
	if err != nil {
		t.Fatal(err)
	}
	r.awaitOpen(0)
	for r.vaults[1].Condition.WhyRefused() == "" {
		r.pause()
	}
	r.save("Sub/n.md", question(0))
	r.until("Sub/n.md", answer(0))
	status, err := r.Status(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if v := status.Vaults[1]; v.State != "offline" || !strings.Contains(v.Reason, "may be in one vault only") {
		t.Errorf("the second vault: %s, %s", v.State, v.Reason)
	}
	if notices := textsOf(status.Notices); !strings.Contains(notices, "linked is not watched: ") {
		t.Errorf("notices: %q", notices)
	}
	r.rest()
	r.only() // one dispatch: the question was asked once
}

// A folder that is away at the start and becomes part of another vault later, by a link
// or a mount, is compared then: its notes are answered once.
func TestVaultThatOverlapsLater(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inner, late := filepath.Join(dir, "vault", "Sub"), filepath.Join(dir, "late")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	r, err := openEngine(t, dir, &echoes{}, func(c *config.Config) {
		c.Vaults = append(c.Vaults, config.Vault{Name: "late", Path: late})
	})
	if err != nil {
		t.Fatal(err)
	}
	r.awaitOpen(0)
	r.awaitOpen(1)
	if why := r.vaults[1].Condition.WhyRefused(); why != "" {
		t.Fatalf("refused before it overlaps: %s", why)
	}
	if err := os.Symlink(inner, late); err != nil {
		t.Skip(err)
	}
	r.save("Sub/n.md", question(0))
	r.until("Sub/n.md", answer(0))
	for r.vaults[1].Condition.WhyRefused() == "" {
		r.vaults[1].Condition.Ask()
		r.pause()
	}
	if state, reason := r.vaults[1].State(); state != "offline" || !strings.Contains(reason, "may be in one vault only") {
		t.Errorf("the late vault: %s, %s", state, reason)
	}
	r.save("Sub/m.md", question(1))
	r.until("Sub/m.md", answer(1))
	r.rest()
	if list, err := r.journal.List(t.Context(), journal.Filter{}); err != nil || len(list) != 2 {
		t.Errorf("%d dispatches of two questions, %v", len(list), err)
	}
	if err := os.Remove(late); err != nil {
		t.Fatal(err)
	}
	for r.vaults[1].Condition.WhyRefused() != "" {
		r.vaults[1].Condition.Ask()
		r.pause()
	}
}
