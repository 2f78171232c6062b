package watch

// publishStats makes the state of the session visible.
func (s *session) publishStats() {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := &s.stats
	st.State, st.Reason = Watching, s.reason
	st.Notes, st.Dirs = s.snap.notes, len(s.snap.folders)
	st.Source, st.Watches, st.Pause = "poll", 0, s.poller.longestPause()
	if s.src != nil {
		st.Source = s.src.Name()
	}
	if s.folders != nil {
		st.Watches, _ = s.folders.Watches()
	}
	s.notifyChanged()
}

// countSweep records a comparison that has just ended.
func (s *session) countSweep(via string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.LastScan, s.stats.ScanTook = s.sweepEnd, s.duration
	if via == ViaPoll {
		s.stats.Within = s.poller.pass.time.Sub(s.poller.pass.began)
	}
	if via != ViaStart {
		s.stats.Rescans++
	}
}

// countHints records what the system has told.
func (s *session) countHints(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.Hints += n
}
