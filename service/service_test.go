package service

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// stuck is a kind whose engine does not end.
type stuck struct {
	backend
	now  Status
	fail error
	done []string
}

func (s *stuck) status(context.Context) (Status, error) { return s.now, nil }

func (s *stuck) stop(context.Context) error {
	s.done = append(s.done, "stop")
	return s.fail
}

func (s *stuck) remove(context.Context) error {
	s.done = append(s.done, "remove")
	s.now = Status{}
	return nil
}

// Who takes the service away is told when its engine runs on, and can do so again: the
// entry, by which it can be stopped, stays until then.
func TestUninstallOfWhatDoesNotEnd(t *testing.T) {
	for name, now := range map[string]Status{"installed": {Installed: true}, "left by an entry that was withdrawn": {Active: true}} {
		t.Run(name, func(t *testing.T) {
			refused := errors.New("it runs on")
			kind := &stuck{now: now, fail: refused}
			s := &Service{kinds: []backend{&stuck{}, kind}}
			if found, err := s.Uninstall(t.Context()); !found || !errors.Is(err, refused) {
				t.Errorf("%v, %v", found, err)
			}
			kind.fail = nil
			if found, err := s.Uninstall(t.Context()); !found || err != nil {
				t.Errorf("a second time: %v, %v", found, err)
			}
			if want := []string{"stop", "stop", "remove"}; !slices.Equal(kind.done, want) {
				t.Errorf("did %q, want %q", kind.done, want)
			}
			if found, err := s.Uninstall(t.Context()); found || err != nil {
				t.Errorf("a third time: %v, %v", found, err)
			}
		})
	}
}
