package engine

import (
	"errors"
	"testing"
	"time"
)

// A look at a note waits for the disk, with its vault locked. Whoever asks what
// goes on does not wait with it.
func TestStatusWhileALookWaits(t *testing.T) {
	r := startEngine(t, t.TempDir(), nil)
	v := r.vaults[0]
	v.troubles.add("Note.md", errors.New("the disk is full"))
	v.mu.Lock()
	defer v.mu.Unlock()
	told := make(chan error, 1)
	go func() {
		_, err := r.Status(t.Context())
		told <- err
	}()
	select {
	case err := <-told:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("a status waits for a look")
	}
}
