package watch

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"time"

	"vaultdispatcher/engine/watch/disk"
)

// probe makes a file in the vault and listens for the message about it. It finds
// a source that is dead; that the messages arrive proves little, because on a
// network drive those about our own writes do.
type probe struct {
	time    time.Time // of the next one, or when to give up waiting
	waiting bool
	tries   int
}

const (
	probePause    = time.Hour
	probePatience = 2 * time.Second
	probeTries    = 2
)

// stepProbe makes the next probe or looks what became of the last one.
func (s *session) stepProbe(now time.Time) {
	p := &s.probe
	if s.src == nil || s.opts.Probe == "" {
		return
	}
	switch {
	case p.waiting && s.hints.IsHeard():
		p.waiting, p.tries, p.time = false, 0, now.Add(probePause)
		s.endProbe()
	case now.Before(p.time):
	case p.waiting && p.tries == probeTries:
		p.waiting, p.tries, p.time = false, 0, now.Add(probePause)
		s.endProbe()
		s.doubt = "a file made in " + s.root.Abs(s.opts.Probe) + " was not told of"
	default:
		p.waiting, p.tries, p.time = true, p.tries+1, now.Add(probePatience)
		if err := s.makeProbeFile(); err != nil {
			s.opts.Log.Debug("probing the notifications", "root", s.root.Path, "err", err)
			p.waiting, p.tries, p.time = false, 0, now.Add(probePause)
			s.endProbe()
		}
	}
}

// makeProbeFile makes a file and removes it. An error to make one proves nothing about the source. The file's folder
// is not removed, because the engine may be about to write there. Only an empty vault, which may be the mount point
// of an absent disk, is left empty.
func (s *session) makeProbeFile() error {
	root, err := os.OpenRoot(s.root.Path)
	if err != nil {
		return err
	}
	defer root.Close()
	made := root.Mkdir(s.opts.Probe, 0o755)
	if made != nil && !errors.Is(made, fs.ErrExist) {
		return made
	}
	if empty, err := disk.IsEmpty(s.root.Path, s.opts.Probe); made == nil && err == nil && empty {
		defer root.Remove(s.opts.Probe) // fails if the folder is no longer empty
	}
	if s.folders != nil {
		e, err := disk.Inspect(s.root.Abs(s.opts.Probe))
		if err != nil {
			return err
		}
		if err := s.folders.Arm(s.opts.Probe, e.ID, true); err != nil {
			return err
		}
	}
	name := s.opts.Probe + "/probe-" + rand.Text()
	s.hints.Await(name)
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), root.Remove(name))
}

// endProbe ends what strike began.
func (s *session) endProbe() {
	s.hints.Await("")
	if s.folders != nil {
		s.folders.Disarm(s.opts.Probe)
	}
}
