// Package runs has the questions asked that come again.
//
// [New] takes what the configuration says, the journal has what notes say. [Desk.Run] asks each question when its time
// has come, [Desk.List] says what comes when, and [Desk.Act] pauses one or asks it now. A Desk is safe for concurrent use.
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
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/schedule"
)

// Options are what a Desk works with.
type Options struct {
	Questions []config.Scheduled // of the configuration; those of notes are in the journal
	Journal   *journal.Journal
	// Ask asks a question for the time of a run, unless the journal has that run. The error says why it is not asked now.
	Ask func(ctx context.Context, q Question, run time.Time) error
	// Trim takes the answers of a question out of its note that are more than it keeps. The error says why it is to be tried again.
	Trim      func(ctx context.Context, q Question) error
	VaultName func(root string) string
	Changed   func() // says that List tells something else
	Zone      *time.Location
	Log       *slog.Logger
}

// Question is a question that comes again.
type Question struct {
	config.Scheduled
	ID   string     // of its dispatch, where a note has its line
	Line note.Trace // that line; its text is empty where the configuration has the question
	plan schedule.Plan
}

// Desk asks the questions that come again.
type Desk struct {
	opts      Options
	questions []Question           // of the configuration
	agenda    *due.Queue[struct{}] // when to look at the questions again
	trimmed   map[string]string    // the last run by which each was trimmed, by ID; of Run alone

	mu         sync.Mutex // guards the fields below
	problems   map[string]string
	times      map[string]*time.Time // as they were read last
	notes      map[string]Question   // those of notes as they were read last, by ID
	departures map[string]time.Time  // since when a line of a note is gone that was paused, by its place
}

// New returns a Desk that asks nothing before Run.
func New(opts Options) *Desk {
	d := &Desk{opts: opts, agenda: due.New[struct{}](), problems: make(map[string]string), departures: make(map[string]time.Time), trimmed: make(map[string]string)}
	for _, s := range opts.Questions {
		if plan, err := schedule.Parse(s.Every); err == nil { // the configuration has refused others
			d.questions = append(d.questions, Question{Scheduled: s, ID: s.ID(), plan: plan})
		}
	}
	return d
}

// lookAgain is how often the clock is looked at: while a machine sleeps no timer runs, and a clock may be set.
const lookAgain = time.Minute

// Run asks each question when its time has come, until ctx ends.
func (d *Desk) Run(ctx context.Context) {
	d.LookAgain()
	d.agenda.Run(ctx, func(struct{}) { d.agenda.PutIfNew(struct{}{}, d.askDue(ctx)) })
}

// LookAgain has Run look at the questions again. It never waits.
func (d *Desk) LookAgain() { d.agenda.Put(struct{}{}, d.now()) }

func (d *Desk) now() time.Time { return time.Now().In(d.opts.Zone) }

// read returns the questions, and what is remembered of them.
func (d *Desk) read(ctx context.Context) ([]Question, []journal.Schedule, error) {
	asked, err := d.opts.Journal.Scheduled(ctx)
	known, failed := d.opts.Journal.Schedules(ctx)
	if err = errors.Join(err, failed); err != nil {
		return nil, nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	all, notes := slices.Clone(d.questions), make(map[string]Question, len(asked))
	for _, s := range asked {
		q, known := d.notes[s.ID]
		if !known {
			plan, instruction, is := schedule.ParseQuestion(s.Markers[0].Instruction)
			if !is {
				continue // another version's
			}
			q = Question{ID: s.ID, plan: plan, Scheduled: config.Scheduled{Every: plan.String(), Role: s.Role, Instruction: instruction, Keep: plan.Keep}}
		}
		q.Vault, q.Note, q.Line = d.opts.VaultName(s.Vault), s.File, s.Markers[0].Trace
		all, notes[s.ID] = append(all, q), q
	}
	for id, q := range d.notes {
		if _, there := notes[id]; !there && stateOf(known, id).Paused {
			d.departures[q.place()] = d.now()
		}
	}
	d.notes, d.times = notes, make(map[string]*time.Time, len(all))
	for _, q := range all {
		if at := q.plan.Next(d.now()); !stateOf(known, q.ID).Paused {
			d.times[q.ID] = &at
		}
	}
	return all, known, nil
}

// remember is read, which first has the journal remember the questions that it does not know, and forget those that are gone.
func (d *Desk) remember(ctx context.Context) ([]Question, []journal.Schedule, error) {
	all, known, err := d.read(ctx)
	isKnown := func(q Question) bool { return stateOf(known, q.ID).ID != "" }
	if err != nil || len(all) == len(known) && !slices.ContainsFunc(all, func(q Question) bool { return !isKnown(q) }) {
		return all, known, err
	}
	ids := make([]string, len(all))
	for i, q := range all {
		ids[i] = q.ID
	}
	err = d.opts.Journal.KeepSchedules(ctx, ids, d.now())
	for _, q := range all {
		if err == nil && !isKnown(q) && d.wasPaused(q) {
			err = d.opts.Journal.PauseSchedule(ctx, q.ID, true, d.now())
		}
	}
	if err != nil {
		return nil, nil, err
	}
	return d.read(ctx)
}

// editedWithin is how soon a line comes that takes the place of one that was paused, for it to be that one, edited.
const editedWithin = 10 * time.Minute

// place is where the line of a question is, whatever it asks.
func (q Question) place() string {
	return strings.ToLower(q.Role) + "\n" + q.Vault + "\n" + q.Note + "\n" + q.Line.Upper
}

// wasPaused reports whether a new line takes the place of one that was paused.
func (d *Desk) wasPaused(q Question) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	since, found := d.departures[q.place()]
	delete(d.departures, q.place())
	return found && q.Line.Text != "" && d.now().Sub(since) < editedWithin
}

// askDue asks what is due and returns when to look again.
func (d *Desk) askDue(ctx context.Context) time.Time {
	now := d.now()
	next := now.Add(lookAgain)
	all, known, err := d.remember(ctx)
	switch {
	case err != nil:
		d.opts.Log.Warn("look at the schedules", "error", err)
		return next
	case len(all) == 0:
		return now.Add(24 * time.Hour)
	}
	for _, q := range all {
		s := stateOf(known, q.ID)
		if q.Keep > 0 && s.Dispatch != d.trimmed[q.ID] && !d.isBusy(ctx, s) && d.opts.Trim(ctx, q) == nil {
			d.trimmed[q.ID] = s.Dispatch
		}
		if s.Paused || s.ID == "" {
			continue
		}
		if run, isDue := q.plan.Due(s.LastRun.In(d.opts.Zone), now); isDue && !d.isBusy(ctx, s) {
			d.keepProblem(q.ID, d.opts.Ask(ctx, q, run))
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
		return !errors.Is(err, journal.ErrNotFound) // a forgotten dispatch is over
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
	all, known, err := d.read(ctx)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	list := make([]api.Scheduled, len(all))
	for i, q := range all {
		s := stateOf(known, q.ID)
		list[i] = api.Scheduled{ID: q.ID, Every: q.plan.String(), Role: q.Role, Vault: q.Vault, Note: q.Note, InNote: q.Line.Text != "", Instruction: q.Instruction,
			Next: d.times[q.ID], Paused: s.Paused, Dispatch: s.Dispatch, Problem: d.problems[q.ID]}
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

// Next is when a question comes again, as it was read last; nil = it is paused, or not known.
func (d *Desk) Next(id string) *time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.times[id]
}

// Act pauses a question, has it go on, or asks it now, as a person wants.
func (d *Desk) Act(ctx context.Context, id, act string) (api.Scheduled, error) {
	all, known, err := d.remember(ctx)
	if err != nil {
		return api.Scheduled{}, err
	}
	i := slices.IndexFunc(all, func(q Question) bool { return q.ID == id })
	if i < 0 {
		return api.Scheduled{}, api.ErrNotFound
	}
	switch now, last := d.now(), stateOf(known, id); {
	case act != "run":
		err = d.opts.Journal.PauseSchedule(ctx, id, act == "pause", now)
	case d.isBusy(ctx, last):
		return api.Scheduled{}, &api.Conflict{Reason: "It is not asked again: the answer before is not there yet."}
	default:
		run := now.Truncate(time.Second) // which is its name
		if !run.After(last.LastRun) {    // the journal takes only later ones
			run = last.LastRun.In(d.opts.Zone).Truncate(time.Second).Add(time.Second)
		}
		err = d.opts.Ask(ctx, all[i], run)
	}
	if err != nil {
		return api.Scheduled{}, err
	}
	d.LookAgain()
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
