package engine

import (
	"context"
	"errors"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/vault/folder"
)

// endingWhen is a context that ends when something is so.
type endingWhen struct {
	context.Context
	end  func()
	isSo func() bool
}

func (e *endingWhen) Err() error {
	if e.isSo() {
		e.end()
	}
	return e.Context.Err()
}

// Nothing stays told of a file that is no note and that a person has asked for by its name, however that ended: nobody looks
// at it again who would take it back.
func TestNothingStaysToldOfAFileThatIsNoNote(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), &echoes{})
	const large, left = "Plan-host-safeBackup-0001.md", "Plan.conflicted.1689867793000.md"
	isTold := func(rel string) bool { return len(r.untaken.Of(r.vaults[0].Root, rel)) > 0 }
	r.save("first.md", question(0)) // then the vault was met, and looks come to their end
	r.until("first.md", answer(0))
	r.save(large, question(1)+string(make([]byte, folder.MaxNote)))
	if _, err := r.Scan(t.Context(), r.Roots()[0], large, true); !errors.Is(err, api.ErrNotNote) || isTold(large) {
		t.Errorf("%v; it stays told: %v", err, isTold(large))
	}
	r.save(left, "@agent-Miner: what was that?\n\n"+question(2))
	ctx, end := context.WithCancel(t.Context())
	if _, err := r.Scan(&endingWhen{ctx, end, func() bool { return isTold(left) }}, r.Roots()[0], left, true); err == nil {
		t.Error("the caller has not left")
	}
	for r.until(left, answer(2)); isTold(left); {
		r.pause()
	}
}
