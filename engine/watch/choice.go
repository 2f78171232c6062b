package watch

import (
	"context"
	"log/slog"
	"time"

	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/watch/disk"
	"vaultdispatcher/engine/watch/source"
)

// Modes of [Options].
const (
	ModeAuto     = "auto"     // by the file system
	ModeFsnotify = "fsnotify" // the notifications of the system, whatever the file system
	ModePoll     = "poll"     // look again and again
)

const (
	// soon is how often a vault is compared whose notifications are in doubt.
	soon = time.Minute
	// retryPause is how long a vault that met a limit, or heard nothing, polls before
	// it tries again to be watched.
	retryPause = 10 * time.Minute
)

// choice is how a vault is to be watched, and why.
type choice struct {
	poll   bool
	remote bool          // its file system is changed from elsewhere
	rescan time.Duration // how often it is compared at least; 0 is as usual
	reason string
}

// chooseSource decides by the mode, the file system, and what was found out about its
// notifications while the process runs.
func chooseSource(mode string, m disk.Mount, distrust string) choice {
	c := choice{reason: m.Describe(), remote: disk.Classify(m) == disk.Polled}
	switch {
	case mode == ModePoll:
		c.poll, c.reason = true, "the mode is poll"
	case mode == ModeFsnotify:
		c.reason += ", the mode is fsnotify"
	case distrust != "":
		c.poll, c.reason = true, distrust
	case c.remote:
		c.poll = true
		c.reason += ", which does not tell of every change"
	case m.Ejects:
		c.poll = true
		c.reason += " on a drive that could not be taken out while notifications are asked for"
	case disk.Classify(m) == disk.Suspect:
		c.rescan = soon
	}
	return c
}

// openSource opens the source of a session, or starts to poll.
func (s *session) openSource() {
	m, err := s.mount(s.root.Path)
	if err != nil {
		s.opts.Log.Warn("asking for the file system of the vault", "root", s.root.Path, "err", err)
		m = disk.Mount{Path: s.root.Path}
	}
	c := chooseSource(s.opts.Mode, m, s.distrust)
	s.reason, s.suspicious = c.reason, c.rescan > 0
	if c.poll {
		s.startPolling(c.reason, c.remote)
		return
	}
	src, err := s.opener(s.root.Path, s.hints, s.opts.Log)
	if err != nil {
		why := syserr.Plain(err)
		if source.IsLimit(err) {
			why += ", see " + source.NameLimit(err)
		}
		s.startPolling(why, false)
		s.retryAt = time.Now().Add(retryPause)
		return
	}
	s.src = src
	s.folders, _ = src.(source.FolderSource)
}

// startPolling gives up the source, if there is one: a vault that is watched in
// part would be blind in part.
func (s *session) startPolling(why string, remote bool) {
	s.closeSource()
	s.reason, s.doubt = why, ""
	s.poller = newPoller(s.opts.PollInterval, remote, time.Now())
	s.poller.hot.seedLatest(s.snap)
	if s.loggedReason != why {
		s.loggedReason = why
		level := slog.LevelWarn
		if s.opts.Mode == ModePoll {
			level = slog.LevelInfo
		}
		s.opts.Log.Log(context.Background(), level, "polling the vault", "root", s.root.Path, "reason", why)
	}
}

func (s *session) closeSource() {
	if s.src != nil {
		s.src.Close()
	}
	s.src, s.folders = nil, nil
}

// fallBackToPolling turns to polling when a step has found that the source does not hear of
// everything.
func (s *session) fallBackToPolling() {
	switch {
	case s.doubt == "" || s.poller != nil:
	case s.opts.Mode == ModeFsnotify:
		s.opts.Log.Warn("the mode is fsnotify, so the vault is not polled", "root", s.root.Path, "reason", s.doubt)
		s.doubt, s.suspicious = "", true
	default:
		s.startPolling(s.doubt, true)
		if s.distrust == "" {
			s.retryAt = time.Now().Add(retryPause) // the machine may have been too busy
		}
	}
	if s.folders == nil {
		return
	}
	if limit := s.folders.LimitReached(); limit != "" {
		s.startPolling(limit, false)
		s.retryAt = time.Now().Add(retryPause)
	}
}

// handleMount is told of a folder on another device than the one it is in: another
// file system that is mounted there. One that has to be polled makes the whole
// vault polled.
func (s *session) handleMount(rel string) {
	if s.opts.Mode == ModeFsnotify || s.poller != nil && s.poller.remote {
		return
	}
	m, err := s.mount(s.root.Abs(rel))
	if err != nil {
		return // it has just gone
	}
	switch c := chooseSource(ModeAuto, m, ""); {
	case c.poll && s.poller != nil:
		s.poller.remote = true
	case c.poll:
		s.doubt, s.distrust = c.reason, c.reason
	case c.rescan > 0:
		s.suspicious = true
	}
}
