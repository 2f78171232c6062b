package watch

import (
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// revisits remembers what was read so soon after it was written that a later
// write may have left the same time stamp. Each path is looked at once more when
// the clock has moved on; until then, a hint about it counts as a change even if
// nothing differs.
type revisits struct {
	times map[string]time.Time
	queue []revisit // in the order of their times, about: a late one does no harm
}

type revisit struct {
	path string
	time time.Time
}

func newRevisits() *revisits {
	return &revisits{times: make(map[string]time.Time)}
}

// addPath asks for another look at path when its stamp, read at now, is no longer
// fresh. A path that waits already waits longer.
func (v *revisits) addPath(path string, now time.Time) {
	at := now.Add(disk.Freshness)
	if _, waiting := v.times[path]; !waiting {
		v.queue = append(v.queue, revisit{path, at})
	}
	v.times[path] = at
}

func (v *revisits) isWaiting(path string) bool {
	_, ok := v.times[path]
	return ok
}

func (v *revisits) isEmpty() bool { return len(v.times) == 0 }

// nextDue returns when take will have something.
func (v *revisits) nextDue() (at time.Time, any bool) {
	if len(v.queue) == 0 {
		return time.Time{}, false
	}
	return v.queue[0].time, true
}

// takeDue returns the paths whose time has come.
func (v *revisits) takeDue(now time.Time) []string {
	var paths []string
	for len(v.queue) > 0 && !v.queue[0].time.After(now) {
		path := v.queue[0].path
		v.queue = v.queue[1:]
		if at := v.times[path]; at.After(now) {
			v.queue = append(v.queue, revisit{path, at})
			continue
		}
		delete(v.times, path)
		paths = append(paths, path)
	}
	if len(v.queue) == 0 {
		v.queue = nil // give back what a burst made it grow to
	}
	return paths
}

// revisitLatest looks at the latest notes of a share once more: one of them may have
// been written during the first pass, by a clock that is off. For each of the others it
// would be a round trip, and another reading.
func (s *session) revisitLatest(now time.Time) {
	if !s.poller.remote {
		return
	}
	for rel := range s.poller.hot.notes {
		s.revisits.addPath(rel, now)
	}
}

// recent remembers which paths were reported a short while ago. If the vault disappears in that time, the reader may
// have found nothing, and gets these paths again when the vault is back. recent keeps each path for at least keep and
// less than twice that. A first pass reports every note, and is kept as one time.
type recent struct {
	current, previous map[string]struct{}
	turned            time.Time
	lastPass          time.Time // when a first pass last reported something
}

const keep = 30 * time.Second

func newRecent() *recent {
	return &recent{current: make(map[string]struct{})}
}

func (r *recent) addReported(path string, now time.Time) {
	if now.Sub(r.turned) >= keep {
		r.current, r.previous = make(map[string]struct{}), r.current
		r.turned = now
	}
	r.current[path] = struct{}{}
}

// addAllReported counts as an addition of every path.
func (r *recent) addAllReported(now time.Time) { r.lastPass = now }

// forgetOld gives back the memory of what is no longer recent.
func (r *recent) forgetOld(now time.Time) {
	if now.Sub(r.turned) >= 2*keep {
		clear(r.current)
		r.previous = nil
	}
	if now.Sub(r.lastPass) >= keep {
		r.lastPass = time.Time{}
	}
}

func (r *recent) wasReported(path string) bool {
	_, a := r.current[path]
	_, b := r.previous[path]
	return a || b || !r.lastPass.IsZero()
}
