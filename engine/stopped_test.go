package engine

import (
	"context"
	"testing"
)

// Who stops an engine that has only just started has stopped it, and not made it
// fail: its exit status is what a login service decides by.
func TestStoppedAtOnce(t *testing.T) {
	r := startEngine(t, t.TempDir(), &echoes{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	again := Engine{journal: r.journal, vaults: r.vaults, starts: &starts{}, log: r.log}
	if err := again.Run(ctx); err != nil {
		t.Error(err)
	}
}
