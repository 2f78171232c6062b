package watch

// publish makes the state of the session visible.
func (s *session) publish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := &s.stats
	st.State, st.Root, st.Reason = Watching, s.root, s.why
	st.Notes, st.Dirs, st.Unreadable = s.snap.notes, len(s.snap.folders), len(s.unreadable)
	st.Source, st.Watches, st.Unwatched = "poll", 0, len(s.snap.folders)
	if s.src != nil {
		st.Source, st.Unwatched = s.src.name(), 0
	}
	if s.folders != nil {
		st.Reason = s.folders.limit()
		st.Watches, st.Unwatched = s.folders.watches()
	}
}

// countSweep records a comparison that has just ended.
func (s *session) countSweep(via string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.LastScan, s.stats.ScanTook = s.swept, s.took
	if via != ViaStart {
		s.stats.Rescans++
	}
}
