package trial

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/testdata/silentdisk"
)

// TestTryKnowsWhatTheEngineKnows: a test of a role quotes no note that the engine
// would not: neither an excluded one, nor one that recall leaves out.
func TestTryKnowsWhatTheEngineKnows(t *testing.T) {
	vault := t.TempDir()
	for name, text := range map[string]string{
		"Open.md":           "The giraffe password is on the fridge.\n",
		"Private/secret.md": "The zebra password is hunter2.\n",
		"Unindexed/old.md":  "The zebra password was hunter1.\n",
		"node_modules/a.md": "The zebra password is hunter3.\n",
	} {
		path := filepath.Join(vault, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg := config.Default()
	cfg.Vaults = []config.Vault{{Name: "v", Path: vault}}
	cfg.Exclude, cfg.Index.Exclude = []string{"Private/**"}, []string{"Unindexed/**"}
	for question, want := range map[string]bool{"where is the giraffe password?": true, "where is the zebra password?": false} {
		tried, err := Run(t.Context(), cfg, nil, "Miner", question)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(tried.Answer, "hunter") || want && !strings.Contains(tried.Answer, "fridge") {
			t.Errorf("%s %q", question, tried.Answer)
		}
	}
}

// A vault whose disk does not respond any more keeps nobody waiting.
func TestNoVaultIsReadFromASilentDisk(t *testing.T) {
	cfg, vault, folder := config.Default(), t.TempDir(), t.TempDir()
	silentdisk.Hang(t)
	ctx, end := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer end()
	if _, err := readIndex(ctx, cfg, vault, folder); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it was read: %v", err)
	}
}

// A role is tried in a vault whose disk responds.
func TestFirstVaultIsNoSilentOne(t *testing.T) {
	silent, there, folder := t.TempDir(), t.TempDir(), t.TempDir()
	silentdisk.HangAt(t, silent)
	vaults := []config.Vault{{Path: silent}, {Path: there}}
	if got, want := firstVault(vaults, folder), firstVault(vaults[1:], folder); got != want || got == folder {
		t.Errorf("%q, want %q", got, want)
	}
	if got := firstVault(vaults[:1], folder); got != folder {
		t.Errorf("%q, want %q", got, folder)
	}
}
