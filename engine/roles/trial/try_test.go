package trial

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
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
