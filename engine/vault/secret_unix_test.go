//go:build !windows

package vault

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/vault/register"
	"vaultdispatcher/engine/vault/rules"
)

// No embedder is told of a note that has a private name too, from when it is indexed on.
func TestSecrets(t *testing.T) {
	dir := t.TempDir()
	isPrivate := func(rel string) bool { return strings.HasPrefix(rel, "Journal/") }
	for _, silent := range []bool{true, false} {
		v := New(Options{Private: isPrivate, Silent: func(rel string) bool { return silent && isPrivate(rel) },
			Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, quietPort())
		v.makeParts(filepath.Join(dir, map[bool]string{true: "a", false: "b"}[silent]))
		inside := func(name string) string { return filepath.Join(v.Root, name) }
		for _, err := range []error{os.MkdirAll(inside("Journal"), 0o700), os.WriteFile(inside("both.md"), nil, 0o600),
			os.WriteFile(inside("alone.md"), nil, 0o600), os.Link(inside("both.md"), inside("Journal/x.md"))} {
			if err != nil {
				t.Fatal(err)
			}
		}
		v.Catalog.findSecrets("both.md", "alone.md", "gone.md")
		if v.Catalog.isSilent("both.md") != silent || v.Catalog.isSilent("Journal/x.md") != silent || v.Catalog.isSilent("alone.md") || v.Catalog.isSilent("gone.md") {
			t.Errorf("silent %t: both %t, alone %t", silent, v.Catalog.isSilent("both.md"), v.Catalog.isSilent("alone.md"))
		}
		if err := os.Remove(inside("Journal/x.md")); err != nil {
			t.Fatal(err)
		}
		if v.Catalog.findSecrets("both.md"); v.Catalog.isSilent("both.md") {
			t.Error("a note with one name is silent")
		}
	}
}

// A look at a note with several names goes through the vault for its private one once, however often it asks.
func TestALookGoesThroughTheVaultOnce(t *testing.T) {
	seen := 0
	isPrivate := func(rel string) bool {
		if rel == "other.md" {
			seen++
		}
		return false
	}
	port := quietPort()
	port.Engine = asksNames{}
	v := New(Options{Journal: openJournal(t), Private: isPrivate, Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, port)
	v.makeParts(t.TempDir())
	v.judged = true
	for name, text := range map[string]string{"n.md": "> @agent-Miner what?\n\n> @agent-Miner and now?\n", "other.md": ""} {
		if err := os.WriteFile(filepath.Join(v.Root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(v.Root, "n.md"), filepath.Join(v.Root, "twin.md")); err != nil {
		t.Fatal(err)
	}
	if _, err := v.look(t.Context(), Save{Rel: "n.md", Time: time.Now(), Trigger: "watch"}); err != nil || seen != 1 {
		t.Errorf("the vault was gone through %d times; %v", seen, err)
	}
}

// asksNames asks for the name of a note whenever it may.
type asksNames struct{ quiet }

func (asksNames) AddFacts(f *rules.Facts, name func() string) {
	f.Private = func(note.Marker) string { name(); return "" }
}
