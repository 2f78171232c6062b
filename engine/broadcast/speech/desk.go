package speech

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/wording"
)

// File is a sound as a file.
type File struct {
	Ext  string
	Data []byte
}

// Options are what a desk is made of.
type Options struct {
	Settings Settings
	Folder   string // for what waits and what is spoken
	Log      *slog.Logger
	// Private says which notes must not leave this machine now; nil = none.
	Private func(rel string) bool
	Changed func() // called when [Desk.Of] or [Desk.GivenUp] changes; may be nil
	// Place puts the files beside the note of a job. Without files it checks that the note is there. [ErrGone] means
	// that they are no longer wanted, [ErrSilent] that they cannot be put there now.
	Place func(ctx context.Context, job Job, list []File) error
}

// ErrGone says that the note of a job is not there any more.
var ErrGone = errors.New("its note is gone")

// ErrSilent says that the disk of a job's note does not respond. The job waits, and that is no failure of it.
var ErrSilent = errors.New("the disk of its note does not respond")

// Desk makes one sound after the other, beside all other work. Jobs that wait are kept in its folder, so that a
// restart continues with them; deleting a note cancels its job. A job that has failed too often is kept, so that it
// can be reported, and the next desk tries it once more.
type Desk struct {
	opts Options
	wake chan struct{}

	mu       sync.Mutex
	current  string // the key of the job at work
	stop     context.CancelFunc
	seconds  float64           // it has spoken
	progress map[string]string // how far the job of a dispatch is
	givenUp  []Job
}

// NewDesk returns a desk; [Desk.Run] makes it work.
func NewDesk(o Options) *Desk {
	d := &Desk{opts: o, wake: make(chan struct{}, 1)}
	d.countJobs()
	return d
}

// Check says what speaks, or why nothing can be spoken: a [Missing], or [ErrPrivate].
func (d *Desk) Check(root string, isPrivate bool) (name string, err error) {
	s, err := Open(d.opts.Settings, d.turnsFolder(), root)
	switch {
	case err != nil:
		return "", err
	case isPrivate && s.voice.leavesMachine():
		return "", ErrPrivate
	}
	return s.Name(), nil
}

func (d *Desk) turnsFolder() string { return filepath.Join(d.opts.Folder, "turns") }

func (d *Desk) jobFile(key string) string { return filepath.Join(d.opts.Folder, "jobs", key+".json") }

// Add takes a job, in the place of an older one for the same note.
func (d *Desk) Add(job Job) error {
	if err := os.MkdirAll(filepath.Dir(d.jobFile("x")), 0o700); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.writeJob(job); err != nil {
		return err
	}
	if d.current == job.jobKey() {
		d.stop()
	}
	d.tellAll()
	select {
	case d.wake <- struct{}{}:
	default:
	}
	return nil
}

// Waiting lists what is to be read aloud.
func (d *Desk) Waiting() []Job {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.DeleteFunc(d.listJobs(), Job.isGivenUp)
}

// mostTries is how often one job may fail, and retry is how long the desk rests then.
const (
	mostTries = 5
	retry     = 2 * time.Minute
	keepTurns = 30 * 24 * time.Hour
)

// Run works off the jobs until ctx ends.
func (d *Desk) Run(ctx context.Context) {
	d.removeOldTurns()
	d.mu.Lock()
	for _, job := range d.givenUp {
		d.keepJob(job, mostTries-1) // the missing thing may be there now
	}
	d.mu.Unlock()
	for {
		failed := false
		for _, job := range d.listJobs() {
			if ctx.Err() != nil {
				return
			}
			failed = !d.handleJob(ctx, job) || failed
		}
		var again <-chan time.Time
		if failed {
			again = time.After(retry)
		}
		select {
		case <-ctx.Done():
			return
		case <-d.wake:
		case <-again:
		}
	}
}

// handleJob does one job, and reports whether that is over. One that is given up is over when its note is gone.
func (d *Desk) handleJob(ctx context.Context, job Job) bool {
	working, stop := context.WithCancel(ctx)
	defer stop()
	d.mu.Lock()
	d.current, d.stop, d.seconds = job.jobKey(), stop, 0
	d.mu.Unlock()
	var err error
	if job.isGivenUp() {
		if err = d.opts.Place(working, job, nil); err == nil {
			err = errors.New(job.Problem)
		}
	} else {
		err = d.makeSound(working, job)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.current = ""
	if working.Err() != nil {
		return true // another job has replaced it, or the engine ends
	}
	defer d.tellAll()
	if err == nil || errors.Is(err, ErrGone) {
		if err := os.Remove(d.jobFile(job.jobKey())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			d.opts.Log.Warn("a sound that was made stays in the list", "error", err)
		}
		return true
	}
	if job.isGivenUp() || errors.Is(err, ErrSilent) {
		return false
	}
	job.Problem = wording.Shorten(wording.Line(syserr.Plain(err)), 300)
	tries, level := job.Tries+1, slog.LevelInfo
	if errors.Is(err, ErrPrivate) {
		tries = mostTries
	}
	if tries >= mostTries {
		level = slog.LevelWarn
	}
	d.opts.Log.Log(ctx, level, "a note is not read aloud", "note", job.Note, "tries", tries, "error", err)
	d.keepJob(job, tries)
	return false
}

// makeSound speaks, and places what was spoken.
func (d *Desk) makeSound(ctx context.Context, job Job) error {
	if err := d.opts.Place(ctx, job, nil); err != nil {
		return err
	}
	s, err := Open(d.opts.Settings, d.turnsFolder(), job.Root)
	if err != nil {
		return err
	}
	if d.opts.Private != nil { // since it was asked for, a note may have become so
		job.Private = job.Private || slices.ContainsFunc(job.Sources, d.opts.Private)
	}
	speaking, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go d.stopWhenGone(speaking, job, stop)
	sound, err := s.Read(speaking, job.Script, func(seconds float64) error {
		d.tellSpoken(job, seconds)
		return d.opts.Place(speaking, job, nil)
	})
	if errors.Is(context.Cause(speaking), ErrGone) {
		return ErrGone
	}
	if err != nil {
		return err
	}
	list := []File{{".wav", sound.WAV()}, {".vtt", sound.Captions()}}
	if small, ok := compressSound(ctx, list[0].Data, job.Root); ok {
		list = append(list, small)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := d.opts.Place(ctx, job, list); err != nil {
		return fmt.Errorf("put the sound beside %s: %w", job.Note, err)
	}
	return nil
}

// look is how often a job at work is looked after, so that a voice that is slow or hangs is left within three seconds.
const look = time.Second

// stopWhenGone stops a job at work when its note is gone for two looks: one alone may be an editor that saves it.
func (d *Desk) stopWhenGone(ctx context.Context, job Job, stop context.CancelCauseFunc) {
	for gone := 0; gone < 2; {
		if due.Sleep(ctx, look) != nil {
			return
		}
		if gone++; !errors.Is(d.opts.Place(ctx, job, nil), ErrGone) {
			gone = 0
		}
	}
	stop(ErrGone)
}

// removeOldTurns removes the turns that were not spoken lately.
func (d *Desk) removeOldTurns() {
	entries, _ := os.ReadDir(d.turnsFolder())
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > keepTurns {
			os.Remove(filepath.Join(d.turnsFolder(), e.Name()))
		}
	}
}
