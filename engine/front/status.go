package front

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/untaken/board"
	"vaultdispatcher/engine/vault"
)

// Status implements [api.Backend]. The server adds what only it knows.
func (f *overview) Status(ctx context.Context, follows bool) (api.Status, error) {
	// Settling is counted first: a marker that is accepted meanwhile is counted
	// twice, never not at all.
	settling := 0
	for _, v := range *f.Vaults {
		settling += v.CountSettling()
	}
	k, err := f.readPast(ctx, follows)
	if err != nil {
		return api.Status{}, err
	}
	n := k.counts
	s := api.Status{
		Running: true, Version: f.Version, PID: os.Getpid(), Port: f.Port,
		Uptime: fmt.Sprintf("%ds", int(time.Since(f.Started).Seconds())),
		Vaults: []api.Vault{}, Dispatches: slices.Clone(k.recent), Agents: []api.Agent{},
		Queue: api.Queue{
			Settling: settling, Queued: n[journal.Queued], Processing: n[journal.Processing], Proposed: n[journal.Proposed], Scheduled: n[journal.Scheduled], Done: n[journal.Done],
			Failed: n[journal.Failed], Held: n[journal.Held], Parked: n[journal.Parked], Cancelled: n[journal.Cancelled],
		},
		Questions: slices.Clone(k.questions), Schedule: slices.Clone(k.schedule[:min(len(k.schedule), mostScheduled)]),
		Notices: f.listNotices(k.holds), Index: api.Index{Embedding: f.sumEmbedding()}, Watcher: f.watcherState(), Budgets: f.Starts.Budgets(time.Now()),
	}
	s.NotTakenCount, s.NotTaken = f.listUntaken(k)
	for _, r := range f.Roles.List() {
		s.Agents = append(s.Agents, api.Agent{Role: r.Role, Runner: r.Runner, Model: r.Model, Ready: r.Usable, Detail: r.Detail, Reach: r.Reach.String(), Absent: r.Absent, Writes: r.Writes, Approve: r.Approve,
			ContextTokens: f.Fits.Of(r.Role).Tokens, Cut: f.Fits.Of(r.Role).Cut})
	}
	for _, v := range *f.Vaults {
		s.Vaults = append(s.Vaults, vaultStatus(v))
	}
	for _, v := range f.Vaults.Opened() {
		index := v.Catalog.State()
		s.Index.Notes += index.Notes
		s.Index.Chunks += index.Chunks
		s.Index.Pending += index.Pending
		s.Index.LastError = cmp.Or(index.LastError, s.Index.LastError)
	}
	return s, nil
}

func (f *records) Roots() []api.Root {
	roots := make([]api.Root, len(*f.Vaults))
	for i, v := range *f.Vaults {
		roots[i] = api.Root{Name: v.Name, Path: v.Alias, Silent: v.Condition.Silence()}
		if v.IsOpen() {
			roots[i].Path, roots[i].Aliases = v.Root, []string{v.Alias}
		}
	}
	return roots
}

func (f *overview) SetWatcher(_ context.Context, req api.WatcherRequest) (api.Watcher, error) {
	d, err := req.Length()
	if err != nil {
		return api.Watcher{}, err
	}
	known := req.Vault == ""
	for _, v := range *f.Vaults {
		if req.Vault == "" || req.Vault == v.Name {
			known = true
			v.Watching.Set(req.Running, d)
		}
	}
	if !known {
		return api.Watcher{}, &api.Invalid{Reason: fmt.Sprintf("vault: there is no vault named %q", req.Vault)}
	}
	answer := api.Watcher{Running: req.Running}
	if d > 0 && !req.Running {
		answer.PausedUntil = optionalTime(time.Now().Add(d))
	}
	return answer, nil
}

// Rescan implements [api.Backend]: every vault is compared with what is known of
// it, and notes whose markers wait for nothing are looked at again.
func (f *overview) Rescan(context.Context) error {
	for _, v := range f.Vaults.Opened() {
		v.Watcher.Rescan()
	}
	return nil
}

func (f *overview) Usage(ctx context.Context) (api.UsageReport, error) {
	return f.Tally.Report(ctx, time.Now())
}

// readPast returns what a status has of the journal. It is read anew after a change, and after a second, for the time
// itself changes what is shown.
func (f *overview) readPast(ctx context.Context, follows bool) (known, error) {
	r, newest, most := &f.history[0], newestRead, mostRead
	if follows {
		r, newest, most = &f.history[1], newestFollowed, mostFollowed
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if of := f.Board.Changes(); r.version != of || time.Since(r.read) > time.Second {
		counted := r.questions
		r.read = time.Time{}
		var err error
		if r.known, err = f.readKnown(ctx, newest, most); err != nil {
			return known{}, err
		}
		if r.questions = counted; !follows && r.mustCount(of) {
			if r.questions, err = f.countQuestions(ctx, r.counts); err != nil {
				return known{}, err
			}
			r.countedOf, r.counted = of, time.Now()
		}
		r.version, r.read = of, time.Now()
	}
	return r.known, nil
}

// readKnown asks only for the lists of what there is: beside a burst each question to the journal waits for a processor.
func (f *overview) readKnown(ctx context.Context, newest, most int) (k known, err error) {
	if k.counts, err = f.Journal.Counts(ctx); err != nil {
		return k, err
	}
	if k.recent, err = f.listRecent(ctx, newest, most); err != nil {
		return k, err
	}
	if k.counts[journal.Held] > 0 {
		if k.holds, err = f.Journal.HeldFor(ctx); err != nil {
			return k, err
		}
		if k.held, err = f.Journal.List(ctx, journal.Filter{Status: journal.Held, Limit: board.MostShown}); err != nil {
			return k, fmt.Errorf("list what is held: %w", err)
		}
	}
	if k.counts[journal.Scheduled]+len(f.Config.Schedule) > 0 {
		k.schedule, err = f.Runs.List(ctx)
	}
	return k, err
}

// countQuestions counts those of the dispatches that a list holds. What is held is counted by its notices.
func (f *overview) countQuestions(ctx context.Context, counts map[journal.Status]int) (all []api.QuestionCount, err error) {
	for _, s := range []journal.Status{journal.Queued, journal.Processing, journal.Proposed, journal.Done, journal.Failed, journal.Parked} {
		if counts[s] == 0 {
			continue
		}
		n, asked, none, err := f.Journal.CountNewest(ctx, s, api.MostListed)
		if err != nil {
			return nil, err
		}
		if s != journal.Done {
			none = 0
		}
		all = append(all, api.QuestionCount{Status: string(s), Count: asked, NoResult: none, More: n >= api.MostListed})
	}
	return all, nil
}

// watcherState says whether any vault is watched, and if not, when the first one is again.
func (f *overview) watcherState() api.Watcher {
	var first time.Time
	for _, v := range *f.Vaults {
		if v.Watching.IsOn() {
			return api.Watcher{Running: true}
		}
		if until := v.Watching.PausedUntil(); first.IsZero() || !until.IsZero() && until.Before(first) {
			first = until
		}
	}
	return api.Watcher{PausedUntil: optionalTime(first)}
}

// past is what a status has of the journal, as long as nothing changes.
type past struct {
	mu      sync.Mutex // guards the fields below; one reader at a time
	version uint64     // the changes there were before they were read
	read    time.Time
	known

	countedOf uint64 // the changes there were before its questions were counted
	counted   time.Time
}

// mustCount says whether questions are counted anew: after a change, but once a second while any wait for their agent or are with it,
// for each that ends is a change, and a thousand are counted.
func (p *past) mustCount(of uint64) bool {
	isBusy := p.counts[journal.Queued]+p.counts[journal.Processing] > 0
	return p.counted.IsZero() || p.countedOf != of && !(isBusy && time.Since(p.counted) < time.Second)
}

// known is what was read of it. Its lists are never changed.
type known struct {
	counts   map[journal.Status]int
	recent   []api.Dispatch
	holds    []journal.HeldFor
	held     []journal.Dispatch // the newest
	schedule []api.Scheduled

	questions []api.QuestionCount // as past.mustCount says, and for no follower
}

// mostScheduled is how many questions that come again a status shows.
const mostScheduled = 5

// How many of the newest dispatches a status reads, and how many that are active or have just ended.
const (
	newestRead, mostRead         = 30, 20  // for a status of its own: the server shows 20 that are active and 10 others
	newestFollowed, mostFollowed = 50, 200 // for a client that follows it
)

// lately is how long an end is shown in any case, so that a client that follows the status sees each,
// also of a dispatch that is older than all the last ones.
const lately = time.Minute

// listRecent returns the last dispatches and every other that is active or has just ended, the newest first.
func (f *overview) listRecent(ctx context.Context, newest, most int) ([]api.Dispatch, error) {
	list, err := f.Journal.Latest(ctx, newest, most, time.Now().Add(-lately))
	records := make([]api.Dispatch, len(list))
	for i, d := range list {
		records[i] = f.toRecord(d)
	}
	return records, err
}

// vaultStatus describes a vault. It reads what the vault's own goroutines have found.
func vaultStatus(v *vault.Vault) api.Vault {
	v.Condition.Ask()
	s := api.Vault{Name: v.Name, Path: v.Alias, State: "paused", PausedUntil: optionalTime(v.Watching.PausedUntil())}
	if v.IsOpen() {
		stats := v.Watcher.Stats()
		s.Path, s.Watch, s.Reason, s.Notes = v.Root, stats.Source, stats.Reason, stats.Notes
		if stats.Within > 0 {
			s.FoundWithin = fmt.Sprintf("%ds", int(math.Ceil(stats.Within.Seconds())))
		}
		s.Atomic, s.LastEvent = v.Condition.IsAtomic(), optionalTime(stats.LastEvent)
	}
	if v.Watching.IsOn() {
		state, reason := v.State()
		s.State, s.Reason = state, cmp.Or(reason, s.Reason)
	}
	return s
}

// sumEmbedding is the state of all vaults' vectors together.
func (f *overview) sumEmbedding() api.Embedding {
	sum := api.Embedding{Provider: f.Config.Embedding.Provider, Model: f.Config.Embedding.Model}
	for _, v := range f.Vaults.Opened() {
		state, ok := v.Catalog.Embedding()
		if !ok {
			continue
		}
		sum.Dim = max(sum.Dim, state.Dim)
		sum.Vectors += state.Vectors
		sum.Pending += state.Pending
		sum.Stale += state.Stale
		if state.LastError != "" {
			sum.LastError = state.LastError
		}
	}
	return sum
}
