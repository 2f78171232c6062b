//go:build unix

package engine

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"vaultdispatcher/engine/vault"
)

// Whoever opens a pipe waits for somebody at its other end. One that stands in the
// place of a note, or of a file of ours, keeps no other note waiting.
func TestPipesKeepNobodyWaiting(t *testing.T) {
	r := startEngine(t, t.TempDir(), &echoes{})
	r.save("first.md", question(0))
	r.until("first.md", answer(0))
	pipe := func(name string) {
		t.Helper()
		path := filepath.Join(r.vault, name)
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pipe(".vault-mind/owner.json")
	pipe(".vault-mind/server.json")
	pipe("n.md")
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		r.vaults[0].AwaitDisk().LookQuietly(t.Context(), vault.Save{Rel: "n.md", Time: time.Now(), Trigger: "reconcile"})
		_ = r.vaults[0].AwaitDisk().WhyReadOnly("n.md")
	}()
	select {
	case <-looked:
	case <-time.After(time.Minute):
		t.Fatal("the look at a pipe has no end")
	}
	r.save("m.md", question(1))
	r.until("m.md", answer(1))
}

// A link that leads out of the vault is no note: it is not looked at again and again.
func TestLinkOutOfTheVaultIsForgotten(t *testing.T) {
	r := startEngine(t, t.TempDir(), &echoes{})
	r.save("first.md", question(0))
	r.until("first.md", answer(0))
	secret := filepath.Join(filepath.Dir(r.vault), "secret.md")
	if err := os.WriteFile(secret, []byte(question(1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(r.vault, "n.md")); err != nil {
		t.Fatal(err)
	}
	v := r.vaults[0]
	if _, err := v.AwaitDisk().Look(t.Context(), vault.Save{Rel: "n.md", Time: time.Now(), Trigger: "scan"}); err == nil {
		t.Error("it was read")
	}
	if n, why := v.Troubles.Any(); n > 0 {
		t.Errorf("%d notes are to be looked at again: %v", n, why)
	}
}
