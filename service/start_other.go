//go:build !darwin

package service

import "context"

// startSupervisor starts the supervisor on systems without launchd. It first ends a supervisor that waits before its
// next start, because the caller wants a start now, and an engine without a supervisor, which no process would start
// again.
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
