package roles

import (
	"context"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
)

// Releaser lets dispatches go that are held until a certain time.
type Releaser struct {
	opts   ReleaserOptions
	agenda *due.Queue[struct{}] // when to look at the list again
}

// ReleaserOptions are what a Releaser works with.
type ReleaserOptions struct {
	List    func(context.Context) ([]journal.Timed, error) // held dispatches, in the order of their time
	Release func(context.Context, journal.Timed) error
	Failed  func(error) // is called with why a release failed; it is tried again
}

// NewReleaser returns a Releaser; nothing is released before Run.
func NewReleaser(opts ReleaserOptions) *Releaser {
	r := &Releaser{opts: opts, agenda: due.New[struct{}]()}
	r.LookAgain()
	return r
}

// LookAgain says that the list has changed. It never waits.
func (r *Releaser) LookAgain() { r.agenda.Put(struct{}{}, time.Now()) }

// releaseAgain is how long after a failure (a full disk, for example) a release is
// tried again.
const releaseAgain = 5 * time.Second

// Run releases each dispatch when its time has come, until ctx ends.
func (r *Releaser) Run(ctx context.Context) {
	r.agenda.Run(ctx, func(struct{}) {
		next, err := r.releaseDue(ctx)
		if err != nil && ctx.Err() == nil {
			r.opts.Failed(err)
			next = time.Now().Add(releaseAgain)
		}
		if !next.IsZero() {
			r.agenda.PutIfNew(struct{}{}, next)
		}
	})
}

// releaseDue releases what is due and returns when the next one is.
func (r *Releaser) releaseDue(ctx context.Context) (next time.Time, err error) {
	waiting, err := r.opts.List(ctx)
	if err != nil {
		return time.Time{}, err
	}
	for _, d := range waiting {
		if d.Time.After(time.Now()) {
			return d.Time, nil
		}
		if err := r.opts.Release(ctx, d); err != nil {
			return time.Time{}, err
		}
	}
	return time.Time{}, nil
}
