package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
)

// Whatever the disk is asked for a scan, and for why a search does not find a note, is asked where it is left behind when
// the disk does not respond: nothing is begun for a caller that has gone, not even a look at which folder Logseq keeps old
// pages in. What a name alone says is said at once.
func TestNothingIsAskedOfTheDiskForACallerThatHasGone(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), nil, func(c *config.Config) { c.Exclude = []string{"Templates/**"} })
	if err := os.Mkdir(filepath.Join(r.vault, "pages"), 0o700); err != nil {
		t.Fatal(err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	for file, byName := range map[string]string{
		"n.md": "", "logseq/bak/pages/n/1.md": "", "bak/pages/n/1.md": "",
		"Templates/n.md": "wiki.exclude", ".trash/n.md": "begins with a dot", "n.txt": "Only .md",
	} {
		for _, now := range []bool{false, true} {
			if _, err := r.Scan(gone, r.Roots()[0], file, now); !errors.Is(err, context.Canceled) && !errors.Is(err, api.ErrOffline) {
				t.Errorf("a scan of %s, now %v: %v", file, now, err)
			}
		}
		reason, err := r.Explain(gone, "words", filepath.Join(r.vault, filepath.FromSlash(file)), 1)
		if byName == "" && !errors.Is(err, context.Canceled) || byName != "" && !strings.Contains(reason, byName) {
			t.Errorf("why %s is not found: %q, %v", file, reason, err)
		}
	}
	const old = "logseq/bak/pages/n/1.md"
	if _, err := r.Scan(t.Context(), r.Roots()[0], old, true); err == nil || !strings.Contains(err.Error(), "Logseq keeps old versions") {
		t.Errorf("a scan of %s: %v", old, err)
	}
	if reason, err := r.Explain(t.Context(), "words", filepath.Join(r.vault, old), 1); err != nil || !strings.Contains(reason, "Logseq keeps old versions") {
		t.Errorf("why %s is not found: %q, %v", old, reason, err)
	}
}
