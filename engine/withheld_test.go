package engine

import (
	"context"
	"errors"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/testdata/silentdisk"
)

// An answer that lacks what could not be judged, because the disk does not respond, is none: the question is tried again.
func TestNoAnswerOfASilentDisk(t *testing.T) {
	r := startEngine(t, t.TempDir(), nil)
	root := r.Roots()[0]
	d := journal.Dispatch{ID: "x", Vault: root.Path, File: "n.md", Role: "Miner", Trigger: journal.TriggerAgent, Markers: []journal.Marker{{Trace: note.Trace{Line: 1}, Instruction: "what?"}}}
	silentdisk.Hang(t)
	ctx, end := context.WithCancel(t.Context())
	_, err := r.asker.AskAgent(ctx, d, func(task agent.Task) (agent.Reply, error) {
		end() // or the look would take its whole time
		if !task.Skip("n.md") {
			t.Error("a note that cannot be judged is quoted")
		}
		return agent.Reply{Text: "Nothing."}, nil
	})
	if f, ok := errors.AsType[*agent.Failure](err); !ok || f.Kind != agent.Transient || f.Reason != "the disk of "+d.Vault+" does not respond" {
		t.Errorf("%v", err)
	}
}
