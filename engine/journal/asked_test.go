package journal

import (
	"errors"
	"testing"
	"time"
)

// TestForgetProof: of a proof nothing is kept, of anything else nothing is forgotten.
func TestForgetProof(t *testing.T) {
	t.Parallel()
	j := openNew(t)
	accept := func(id, trigger string, asked Asked) {
		t.Helper()
		d := Dispatch{ID: id, Vault: "/v", Key: "agent-Miner", Role: "Miner", Agent: "vault-mind-miner", Trigger: trigger, Asked: asked, Status: Queued,
			Created: time.Now(), Markers: []Marker{{Instruction: "what?"}}}
		if _, _, err := j.Accept(t.Context(), d, nil); err != nil {
			t.Fatal(err)
		}
	}
	has := func(id string) bool {
		t.Helper()
		_, err := j.Get(t.Context(), id)
		if err != nil && !errors.Is(err, ErrNotFound) {
			t.Fatal(err)
		}
		return err == nil
	}
	accept("asked", "ask", AskedTold)
	accept("proof", TriggerProof, AskedTold)
	accept("left", TriggerProof, AskedTold)
	accept("note", TriggerProof, AskedAppend)
	for _, id := range []string{"asked", "proof", "note"} {
		if err := j.ForgetProof(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if !has("asked") || has("proof") || !has("left") || !has("note") {
		t.Error("forgotten is not what a proof has asked")
	}
	if list, err := j.Recover(t.Context()); err != nil || len(list) != 2 || has("left") {
		t.Errorf("a proof that nobody waits for is taken up: %+v, %v", list, err)
	}
}
