package watch

import (
	"context"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// pollDue keeps the appointments of the poller.
func (s *session) pollDue(ctx context.Context, now time.Time) error {
	p := s.poller
	if !now.Add(hotEarly).Before(p.hotAt) {
		if err := s.lookAtHot(ctx); err != nil {
			return err
		}
	}
	if !now.Before(p.folders.time) {
		if _, err := s.workSlice(ctx, &p.folders, p.foldersPause(), s.lookAtFolder); err != nil {
			return err
		}
	}
	if !now.Before(p.pass.time) {
		if len(p.pass.rest) == 0 {
			p.thorough = s.countThorough()
		}
		done, err := s.workSlice(ctx, &p.pass, passPause, s.lookInFolder)
		if err != nil {
			return err
		}
		if done {
			s.sweepEnd, s.duration = time.Now(), p.pass.spent
			s.countSweep(ViaPoll)
		}
	}
	return nil
}

// workSlice begins or continues a round, and reports whether it is done. A folder made during a round is for the next
// one.
func (s *session) workSlice(ctx context.Context, r *round, usual time.Duration, look func(context.Context, *folder) error) (done bool, err error) {
	start := time.Now()
	if len(r.rest) == 0 {
		if err := s.checkPlace(); err != nil {
			return false, err
		}
		r.began, r.spent = start, 0
		r.rest = s.snap.folders[""].appendTree(make([]*folder, 0, len(s.snap.folders)))
	}
	used := startStopwatch()
	err = s.workUntil(ctx, r, start.Add(slice), look)
	cpu := used()
	if err != nil {
		return false, err
	}
	now := time.Now()
	s.poller.recordSlice(r, usual, now, s.poller.costOfSlice(cpu, now.Sub(start)))
	return len(r.rest) == 0, nil
}

// workUntil continues a round until the slice ends.
func (s *session) workUntil(ctx context.Context, r *round, end time.Time, look func(context.Context, *folder) error) error {
	defer s.root.Hold()()
	for len(r.rest) > 0 && time.Now().Before(end) {
		f := r.rest[len(r.rest)-1]
		r.rest = r.rest[:len(r.rest)-1]
		if f.gone {
			continue
		}
		if err := look(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// lookAtFolder lists a folder when its own time, which changes with its names,
// is another one than when it was listed.
func (s *session) lookAtFolder(ctx context.Context, f *folder) error {
	e, err := s.root.Inspect(f.path)
	if err == nil && e.Type == disk.Folder && e.ID == f.id && e.Stamp.Digest() == f.times || err != nil && !disk.IsAbsent(err) {
		return nil
	}
	return s.lookAtPath(ctx, f.path, manner{via: ViaPoll})
}

// lookInFolder compares every note of a folder. Where another machine changes them it
// is listed each time: that brings the times of the notes along as they are there, and
// a stat may be answered from memory for as long as the system believes it.
func (s *session) lookInFolder(ctx context.Context, f *folder) error {
	list := s.poller.thorough || s.poller.remote
	return s.visitFolder(ctx, f, f.id, manner{via: ViaPoll, scope: scopeTurn, lists: list})
}

// lookAtHot stats the notes that are likely to change, as many as there is time for.
func (s *session) lookAtHot(ctx context.Context) error {
	start := time.Now()
	hot := s.poller.hot
	defer s.root.Hold()()
	for hot.beginTurn(); time.Since(start) < hotSlice; {
		rel, any := hot.nextNote()
		if !any {
			break
		}
		if err := s.lookAtOne(ctx, rel); err != nil {
			return err
		}
	}
	now := time.Now()
	s.poller.recordHotSlice(now, now.Sub(start))
	return nil
}

// lookAtOne stats a note that is hot; one that has gone is so no more.
func (s *session) lookAtOne(ctx context.Context, rel string) error {
	dir, name := splitPath(rel)
	f := s.snap.folders[dir]
	if f == nil {
		delete(s.poller.hot.notes, rel)
		return nil
	}
	i, known := f.findNote(name)
	if !known {
		delete(s.poller.hot.notes, rel)
		return nil
	}
	e, err := s.ask(rel, f.notes[i].mark)
	switch {
	case err != nil && !disk.IsAbsent(err):
	case err != nil || e.Type != disk.File:
		return s.lookAtPath(ctx, rel, manner{via: ViaPoll})
	default:
		s.recordNote(f, f.notes[i].name, e.Stamp, time.Now(), manner{via: ViaPoll, basis: basisOpened})
	}
	return nil
}

// inspectHot stats one note. Network file systems answer a stat from what they remember,
// as sshfs does for up to 20 seconds; opening the note makes them ask the other side (NFS
// calls that close-to-open: https://www.wykurz.org/book/ch01-nfs-deep.html; for FUSE,
// sshfs and 9p measured here: .ci/filesystems). A note
// that is only in the cloud is not opened, because that would fetch it.
func (s *session) inspectHot(rel string, before disk.Mark) (disk.Entry, error) {
	if s.poller.remote && !before.IsAway() {
		return disk.InspectOpened(s.root.Abs(rel))
	}
	return s.root.Inspect(rel)
}
