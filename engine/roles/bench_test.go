package roles

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"vaultdispatcher/engine/config"
)

// The roles are described at every look at the status.
func BenchmarkRoles(b *testing.B) {
	home := b.TempDir()
	b.Setenv("HOME", home)
	text := "wiki:\n  vaults: [\"" + home + "\"]\n  agents:\n"
	for i, name := range []string{"claude", "codex", "gemini", "opencode", "pi", "claude", "codex", "gemini"} {
		text += fmt.Sprintf("    Role%d: {runner: %s}\n", i, name)
	}
	file := filepath.Join(home, "config.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	loaded, err := config.Load(file)
	if err != nil {
		b.Fatal(err)
	}
	r, err := New(loaded, fstest.MapFS{}, Own{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if n := len(r.List()); n < 8 {
			b.Fatal(n)
		}
	}
}
