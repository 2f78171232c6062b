//go:build !darwin

package service

import "context"

// startKeeper starts the supervisor, where no launchd does. One that waits before
// the next start gives way: whoever says start does not want to wait.
func (s supervised) startKeeper(ctx context.Context) error {
	if s.alive() {
		if s.engine.Running(ctx) {
			return nil
		}
		if err := s.endAll(ctx); err != nil {
			return err
		}
	}
	words := s.spec.keeper()
	return Detach(words[0], words[1:]...)
}
