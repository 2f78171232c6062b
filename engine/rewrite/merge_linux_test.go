package rewrite

import (
	"errors"
	"os"
	"testing"
)

// While somebody has the copy open for writing it stays.
func TestMergeWaitsForTheCopy(t *testing.T) {
	s, copy := copied(t, "# Note\n\n> @agent-Miner what?\n\nend\nmore\n")
	f, err := os.OpenFile(copy.Copy, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	before := s.read()
	if _, err := brisk.merge(ctx, copy, unlogged); !errors.Is(err, ErrContested) {
		t.Errorf("%v", err)
	}
	if s.read() != before {
		t.Error("the note was changed")
	}
}
