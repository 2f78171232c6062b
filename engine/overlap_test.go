package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
)

// Two vaults whose names differ and whose folders overlap through a link: the notes
// are answered once, and the status says why the other vault is not watched.
func TestVaultsThatOverlapThroughALink(t *testing.T) {
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
	for r.vaults[1].WhyNotOpen() == "" {
		r.pause()
	}
	r.save("Sub/n.md", question(0))
	r.until("Sub/n.md", answer(0))
	status, err := r.Status(t.Context())
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
