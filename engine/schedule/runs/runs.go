// Package runs has the questions asked that come again.
//
// [New] takes what the configuration says, [Desk.Run] asks each question when its time has come, [Desk.List] says what comes
// when, and [Desk.Act] pauses one or asks it now. A Desk is safe for concurrent use.
//
// # Promises
//
// Each run is asked once, whatever crashes: the journal takes the question and the time of its run in one step. What was
// missed while the machine slept or the engine did not run is asked once, for the last of the times. A question is not asked
// again while the one before waits or is at work.
package runs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/schedule"
)

// Options are what a Desk works with.
type Options struct {
	Questions []config.Scheduled
	Journal   *journal.Journal
	// Ask asks a question for the time of a run, unless the journal has that run. The error says why it is not asked now.
	Ask     func(ctx context.Context, q config.Scheduled, run time.Time) error
	Changed func() // says that List tells something else
	Zone    *time.Location
	Log     *slog.Logger
}

// Desk asks the questions that come again.
type Desk struct {
	opts      Options
	questions []question
	due       *due.Queue[struct{}] // when to look at the questions again

	mu       sync.Mutex // guards the field below
	problems map[string]string
}

type question struct {
	config.Scheduled
	id   string
	plan schedule.Plan
}

// New returns a Desk that asks nothing before Run.
func New(opts Options) *Desk {
	d := &Desk{opts: opts, due: due.New[struct{}](), problems: make(map[string]string)}
	for _, s := range opts.Questions {
		if plan, err := schedule.Parse(s.Every); err == nil { // the configuration has refused others
			d.questions = append(d.questions, question{s, s.ID(), plan})
		}
	}
	return d
}

// lookAgain is how often the clock is looked at: while a machine sleeps no timer runs, and a clock may be set.
const lookAgain = time.Minute

// Run asks each question when its time has come, until ctx ends.
func (d *Desk) Run(ctx context.Context) {
	var ids []string
	for _, q := range d.questions {
		ids = append(ids, q.id)
	}
	for {
		err := d.opts.Journal.KeepSchedules(ctx, ids, d.now())
		if err == nil {
			break
		}
		d.opts.Log.Warn("remember the schedules", "error", err)
		if due.Sleep(ctx, lookAgain) != nil {
			return
		}
	}
	if len(d.questions) == 0 {
		return
	}
	d.due.Put(struct{}{}, d.now())
	d.due.Run(ctx, func(struct{}) { d.due.PutIfNew(struct{}{}, d.askDue(ctx)) })
}

func (d *Desk) now() time.Time { return time.Now().In(d.opts.Zone) }

// askDue asks what is due and returns when to look again.
func (d *Desk) askDue(ctx context.Context) time.Time {
	now := d.now()
	next := now.Add(lookAgain)
	known, err := d.opts.Journal.Schedules(ctx)
	if err != nil {
		d.opts.Log.Warn("look at the schedules", "error", err)
		return next
	}
	for _, q := range d.questions {
		s := stateOf(known, q.id)
		if s.Paused || s.ID == "" {
			continue
		}
		if run, isDue := q.plan.Due(s.Last.In(d.opts.Zone), now); isDue && !d.isBusy(ctx, s) {
			d.keepProblem(q.id, d.opts.Ask(ctx, q.Scheduled, run))
		} else if at := q.plan.Next(now); !isDue && at.Before(next) {
			next = at
		}
	}
	return next
}

// isBusy reports whether the run before is not over.
func (d *Desk) isBusy(ctx context.Context, s journal.Schedule) bool {
	if s.Dispatch == "" {
		return false
	}
	last, err := d.opts.Journal.Get(ctx, s.Dispatch)
	if err != nil {
		return !errors.Is(err, journal.ErrNotFound) // what was forgotten is over
	}
	return !slices.Contains([]journal.Status{journal.Done, journal.Failed, journal.Parked, journal.Cancelled}, last.Status)
}

func (d *Desk) keepProblem(id string, err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	d.mu.Lock()
	isNew := d.problems[id] != text
	d.problems[id] = text
	d.mu.Unlock()
	if isNew && err != nil {
		d.opts.Log.Warn("a question that comes again is not asked now", "schedule", id, "error", err)
	}
	d.opts.Changed()
}

// List returns the questions, the next one first.
func (d *Desk) List(ctx context.Context) ([]api.Scheduled, error) {
	list := []api.Scheduled{}
	if len(d.questions) == 0 {
		return list, nil
	}
	known, err := d.opts.Journal.Schedules(ctx)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, q := range d.questions {
		s := stateOf(known, q.id)
		row := api.Scheduled{ID: q.id, Every: q.plan.String(), Role: q.Role, Vault: q.Vault, Note: q.Note, Instruction: q.Instruction,
			Paused: s.Paused, Dispatch: s.Dispatch, Problem: d.problems[q.id]}
		if at := q.plan.Next(d.now()); !s.Paused {
			row.Next = &at
		}
		list = append(list, row)
	}
	slices.SortStableFunc(list, func(a, b api.Scheduled) int {
		switch {
		case a.Next == nil || b.Next == nil:
			return map[bool]int{a.Next == nil: 1, b.Next == nil: -1}[true]
		}
		return a.Next.Compare(*b.Next)
	})
	return list, nil
}

// Act pauses a question, has it go on, or asks it now, as a person wants.
func (d *Desk) Act(ctx context.Context, id, act string) (api.Scheduled, error) {
	i := slices.IndexFunc(d.questions, func(q question) bool { return q.id == id })
	if i < 0 {
		return api.Scheduled{}, api.ErrNotFound
	}
	var err error
	switch now := d.now(); act {
	case "run":
		known, failed := d.opts.Journal.Schedules(ctx)
		if failed == nil && d.isBusy(ctx, stateOf(known, id)) {
			return api.Scheduled{}, &api.Conflict{Reason: "It is not asked again: the answer before is not there yet."}
		}
		if err = failed; err == nil {
			err = d.opts.Ask(ctx, d.questions[i].Scheduled, now.Truncate(time.Millisecond))
		}
	default:
		err = d.opts.Journal.PauseSchedule(ctx, id, act == "pause", now)
	}
	if err != nil {
		return api.Scheduled{}, err
	}
	d.due.Put(struct{}{}, d.now())
	d.opts.Changed()
	list, err := d.List(ctx)
	if i = slices.IndexFunc(list, func(s api.Scheduled) bool { return s.ID == id }); err != nil || i < 0 {
		return api.Scheduled{}, err
	}
	return list[i], nil
}

func stateOf(known []journal.Schedule, id string) journal.Schedule {
	i := slices.IndexFunc(known, func(s journal.Schedule) bool { return s.ID == id })
	if i < 0 {
		return journal.Schedule{}
	}
	return known[i]
}
