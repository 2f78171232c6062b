package library

import (
	"context"
	"errors"
	"testing"
	"time"
)

// HurryLooks has a look that hangs given up soon, until the test ends.
func HurryLooks(t *testing.T) {
	usual := lookTime
	lookTime = 10 * time.Millisecond
	t.Cleanup(func() { lookTime = usual })
}

// Once a look was left behind no other is begun on its shelf: it would use what finds other names of a file beside the first,
// and could show a note whose private name that one has not found yet.
func TestALookLeftBehind(t *testing.T) {
	begun, thaw, back := make(chan struct{}), make(chan struct{}), make(chan struct{})
	hangs := errors.New("it hangs")
	s := &shelf{Shelf: Shelf{Guard: func(_ context.Context, do func() error) error {
		go func() { _ = do(); close(back) }()
		<-begun
		return hangs
	}}}
	n, err := onDisk(t.Context(), s, func() (int, error) { close(begun); <-thaw; return 7, nil })
	if n != 0 || err != hangs || !s.silent {
		t.Errorf("%d, %v, silent %v", n, err, s.silent)
	}
	close(thaw)
	<-back
	if _, err := onDisk(t.Context(), s, func() (int, error) { t.Error("another was begun"); return 7, nil }); err == nil {
		t.Error("another was made")
	}
	var late func() error
	s = &shelf{Shelf: Shelf{Guard: func(_ context.Context, do func() error) error { late = do; return hangs }}}
	if _, err := onDisk(t.Context(), s, func() (int, error) { t.Error("it was begun after its caller had gone"); return 7, nil }); err != hangs || s.silent || late() == nil {
		t.Errorf("one that is not begun: %v, silent %v", err, s.silent)
	}
}
