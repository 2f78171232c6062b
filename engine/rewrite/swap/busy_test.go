package swap

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"
)

// An exchange that is refused as busy changes nothing and may be tried again; it is no reason to
// write in place, which is not atomic.
func TestBusyExchangeWaits(t *testing.T) {
	root, path := vault(t, before)
	busy := true
	files := hooked{Files: osFiles{}, exchange: func(temp, note string) error {
		if busy {
			return fmt.Errorf("%w (%w)", ErrBusy, syscall.Errno(16))
		}
		return exchange(temp, note)
	}}
	var log []Intention
	out, err := On(files).File(context.Background(), change(root, path, before, after, &log))
	if !errors.Is(err, ErrBusy) || out.Written || out.InPlace {
		t.Errorf("got %+v, %v, want ErrBusy", out, err)
	}
	wantNote(t, path, before)
	wantNoTemps(t, root)
	busy = false
	file(t, On(files), root, path, before, after)
}
