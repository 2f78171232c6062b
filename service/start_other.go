//go:build !darwin

package service

import "context"

// startSupervisor starts the supervisor, where no launchd does. One that waits before
// the next start gives way: whoever says start does not want to wait. So does an
// engine that nobody would start again.
func (s supervised) startSupervisor(ctx context.Context) error {
	alive := s.supervisorLives()
	_, ours := s.supervisedEngine(ctx)
	if alive && ours {
		return nil
	}
	if alive || ours {
		if err := s.endAll(ctx); err != nil {
			return err
		}
	}
	words := s.spec.supervisorCommand()
	return Detach(words[0], words[1:]...)
}
