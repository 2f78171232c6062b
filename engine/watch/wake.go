package watch

import "time"

// moment is one reading of both clocks. While the machine sleeps the wall clock runs and the monotonic one, on most
// systems, does not.
type moment struct {
	wall time.Time // without a monotonic reading
	mono time.Time
}

func momentOf(now time.Time) moment { return moment{wall: now.Round(0), mono: now} }

// nap is by how much the wall clock must have run ahead for a sleep. A clock that
// was set by hand looks the same, and does no harm.
const nap = 30 * time.Second

// hasSlept reports whether the machine was asleep between two moments.
func hasSlept(before, now moment) bool {
	return now.wall.Sub(before.wall)-now.mono.Sub(before.mono) > nap
}

// noticeSleep compares the whole vault when the machine was asleep: no message tells of changes to a share in that
// time, and some notifications do not survive.
func (s *session) noticeSleep(now time.Time) {
	before := s.clock
	s.clock = momentOf(now)
	if before.mono.IsZero() || !hasSlept(before, s.clock) {
		return
	}
	s.opts.Log.Info("the machine was asleep, comparing the vault", "root", s.root.Path)
	s.wanted = true
	s.probe.time = now
	if s.poller != nil {
		s.poller.endRest(now)
	}
}
