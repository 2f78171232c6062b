package engine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
)

// TestTwoEnginesOfOneMachine: an owner does not tell two engines of one machine apart, so a second
// one is told of with an owner too, and without the advice to name one.
func TestTwoEnginesOfOneMachine(t *testing.T) {
	t.Parallel()
	machine, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	until := func(what string, is func() bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !is(); <-time.After(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("after a minute: %s", what)
			}
		}
	}
	for _, owner := range []string{"", machine} {
		owned := func(c *config.Config) { c.Owner = owner }
		dir := t.TempDir() // with a note, for an empty folder may be one that is away
		if err := errors.Join(os.Mkdir(filepath.Join(dir, "vault"), 0o700), os.WriteFile(filepath.Join(dir, "vault", "Note.md"), []byte("A note.\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
		first := startEngine(t, dir, &echoes{}, owned)
		until("no file of the first engine", func() bool {
			files, _ := filepath.Glob(filepath.Join(first.vault, ".vault-mind", "engines", "*.json"))
			return len(files) > 0
		})
		second := startEngine(t, t.TempDir(), &echoes{}, owned, func(c *config.Config) { c.Vaults[0].Path = first.vault })
		until("the second engine does not tell", func() bool {
			return strings.Contains(textsOf(second.Notices()), "v is answered by another engine of this machine too")
		})
		if all := textsOf(second.Notices()); strings.Contains(all, "wiki.owner") {
			t.Errorf("owner %q: %s", owner, all)
		}
		second.stop()
		first.stop()
	}
}
