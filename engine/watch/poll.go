package watch

import "time"

// poller says when to look where nothing tells of changes. There are three
// rounds: the hot notes, which are the ones a person is likely to save next; the
// folders, whose own times tell of names that came and went; and a full pass for
// the rest, cut into slices so that it never holds up the others. The poller is
// pure: it is told the time and what a slice took, and keeps no clock.
type poller struct {
	every  time.Duration // between two rounds, as configured; 0 is by itself
	remote bool          // a note has to be opened for its times to be true
	hot    *hot

	stirred time.Time // when something last changed or was asked for
	hotAt   time.Time // the next look at the hot notes
	hotOwed time.Time // it is not before this
	folders round
	pass    round

	thorough bool // the pass under way lists every folder
}

const (
	hotPause    = time.Second
	folderPause = 2 * time.Second
	passPause   = 5 * time.Second
	passLongest = time.Minute

	// A round works for a slice of time and then leaves this many times what it cost
	// to others: with both rounds, the hot notes and what the runtime does beside them less than a fiftieth of one core,
	// and a tenth of the time, which on a share or a slow disk is spent waiting. Each slice wakes the runtime's own
	// threads, so a few long ones cost less than many short ones.
	slice                   = 20 * time.Millisecond
	localShare, remoteShare = 100, 10

	// hotSlice is how long the hot notes are asked for at once, and hotShare how many
	// times as long they are then left alone: on a slow link they get a fifth of the
	// time, and on any other they are done in a millisecond.
	hotSlice = 250 * time.Millisecond
	hotShare = 4
	// hotEarly is how much too early they are looked at where a round wakes the watcher anyway.
	hotEarly = 50 * time.Millisecond

	// Where nothing has happened for restAfter the pauses double, and again each
	// time as long, up to restLongest.
	restAfter   = 10 * time.Minute
	restLongest = 15 * time.Second
)

// round is one way through the folders.
type round struct {
	rest  []*folder
	began time.Time
	spent time.Duration // so far
	time  time.Time     // of the next slice, or of the next round
	owed  time.Time     // the next round is not before this
}

func newPoller(every time.Duration, remote bool, now time.Time) *poller {
	p := &poller{every: every, remote: remote, hot: newHot(), stirred: now, hotAt: now}
	p.folders.time = now.Add(p.pauseAfter(folderPause, now))
	p.pass.time = now.Add(p.pauseAfter(passPause, now))
	return p
}

// endRest ends a rest after a change or a request. It does not end the time that is left to others.
func (p *poller) endRest(now time.Time) {
	p.stirred = now
	p.hotAt = earlier(p.hotAt, later(p.hotOwed, now.Add(p.pauseAfter(hotPause, now))))
	if len(p.folders.rest) == 0 {
		p.folders.time = earlier(p.folders.time, later(p.folders.owed, now.Add(p.pauseAfter(folderPause, now))))
	}
	if len(p.pass.rest) == 0 {
		p.pass.time = earlier(p.pass.time, later(p.pass.owed, now.Add(p.pauseAfter(passPause, now))))
	}
}

// pauseAfter is how long to wait between two looks that are usual apart.
func (p *poller) pauseAfter(usual time.Duration, now time.Time) time.Duration {
	if p.every > 0 {
		return p.every
	}
	for idle := now.Sub(p.stirred); idle >= restAfter && usual < restLongest; idle -= restAfter {
		usual = min(2*usual, restLongest)
	}
	return usual
}

// longestPause is the longest that pauseAfter tells, whatever happens meanwhile: a save may be so old when a look finds it. Without a
// poller the system tells of it.
func (p *poller) longestPause() time.Duration {
	switch {
	case p == nil:
		return 0
	case p.every > 0:
		return p.every
	}
	return restLongest
}

// foldersPause is how long after a round of the folders began the next one is due:
// on a disk of this machine it is cheap, and what most editors' saves are found by.
func (p *poller) foldersPause() time.Duration {
	if p.remote {
		return folderPause
	}
	return folderPause / 2
}

func (p *poller) shareOfTime() time.Duration {
	if p.remote {
		return remoteShare
	}
	return localShare
}

// costOfSlice is what a slice counts for that used so much CPU time and took so long. On a
// busy machine most of the time is that of others.
func (p *poller) costOfSlice(cpu, took time.Duration) time.Duration {
	share := p.shareOfTime()
	return max(cpu, (took*remoteShare+share-1)/share)
}

// recordSlice records a slice that ended at now and cost so much; with nothing left,
// the next round is due a pause after this one began, but not before the share
// of time is kept.
func (p *poller) recordSlice(r *round, usual time.Duration, now time.Time, took time.Duration) {
	r.spent += took
	rest := now.Add(p.shareOfTime() * took)
	if len(r.rest) > 0 {
		r.time = rest
		return
	}
	r.rest = nil
	whole := min(p.shareOfTime()*r.spent, max(passLongest, p.every))
	r.owed = r.began.Add(whole)
	r.time = later(r.owed, r.began.Add(p.pauseAfter(usual, now)))
	if now.After(r.time) {
		r.time = rest
	}
}

// recordHotSlice records a look at the hot notes that ended at now and took so long.
func (p *poller) recordHotSlice(now time.Time, took time.Duration) {
	p.hotOwed = now.Add(hotShare * took)
	p.hotAt = later(p.hotOwed, now.Add(p.pauseAfter(hotPause, now)))
}

// nextRound is the earliest appointment.
func (p *poller) nextRound() time.Time {
	return earlier(p.hotAt, earlier(p.folders.time, p.pass.time))
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
