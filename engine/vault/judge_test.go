package vault

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/vault/arrival"
	"vaultdispatcher/engine/vault/register"
)

// A question that came with its note waits for a person also where a damaged journal has lost why.
func TestLostOriginWaits(t *testing.T) {
	p, src := &starting{}, []byte("> @agent-Miner what?\n")
	v := New(Options{Journal: openJournal(t), Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, Port{Engine: p, Dispatcher: quiet{}, Writer: p})
	v.makeParts(t.TempDir())
	v.met = true
	came := arrival.New("n.md", time.Now(), src)
	came.Kind = ""
	if err := v.opts.Journal.SetArrival(t.Context(), v.Root, came); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(v.Root, "n.md"), src, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := v.look(t.Context(), Save{Rel: "n.md", Seen: time.Now(), Trigger: "watch", Now: true}); err != nil {
		t.Fatal(err)
	}
	if len(p.groups) != 1 || p.groups[0].Hold != journal.ForUntrusted || p.groups[0].Reason == "" {
		t.Errorf("the groups are %+v", p.groups)
	}
}
