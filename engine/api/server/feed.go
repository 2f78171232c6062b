package server

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"time"

	"vaultdispatcher/engine/api"
)

// feed tells listeners what changes. It reads the state when the state may have
// changed, only while there are listeners, and rests after each look, so that looking
// costs little however much happens. Some changes are not reported, such as the
// installation of a role's program, so it also looks from time to time. One goroutine
// owns everything in it; the others send to it.
type feed struct {
	read func(context.Context) (api.Status, error)
	log  *slog.Logger
	rest time.Duration // between two looks, at least
	slow time.Duration // between two looks that nothing asked for
	wait time.Duration // for the end of another listener, when there are too many
	room int           // messages a listener may be behind

	places  chan struct{} // holds one token for each listener there is
	waiting chan struct{} // and for each that waits to be one; the connections are for others too
	stirred chan struct{} // holds one token when the state may have changed
	join    chan *listener
	leave   chan *listener
	end     chan struct{} // closed when run has returned
}

// listener gets a snapshot, then one message per change. One that does not keep
// up is dropped: its channel is closed, and it may come again for a snapshot.
type listener struct {
	messages chan message
	fresh    bool   // has had no snapshot yet
	leave    func() // gives its place to another, once
}

// message is one event of a stream.
type message struct {
	name string
	data []byte
}

func newFeed(read func(context.Context) (api.Status, error), log *slog.Logger) *feed {
	return &feed{
		read: read, log: log, rest: 250 * time.Millisecond, slow: 15 * time.Second, wait: time.Second, room: 64,
		places: make(chan struct{}, 16), waiting: make(chan struct{}, 16), stirred: make(chan struct{}, 1), join: make(chan *listener), leave: make(chan *listener), end: make(chan struct{}),
	}
}

// markChanged says that the state may have changed. It never waits, and any number of
// calls before the next look are one.
func (f *feed) markChanged() {
	select {
	case f.stirred <- struct{}{}:
	default:
	}
}

// addListener returns a new listener, unless there are too many or the feed has ended.
func (f *feed) addListener(ctx context.Context) (*listener, error) {
	select {
	case f.places <- struct{}{}:
	default:
		if err := f.awaitPlace(ctx); err != nil {
			return nil, err
		}
	}
	l := &listener{messages: make(chan message, f.room), fresh: true, leave: sync.OnceFunc(func() { <-f.places })}
	select {
	case f.join <- l:
		return l, nil
	case <-f.end:
		l.leave()
		return nil, api.ErrStopping
	case <-ctx.Done():
		l.leave()
		return nil, ctx.Err()
	}
}

// awaitPlace waits a moment for a place: a page that closes its stream and opens another one,
// or hands it to the next page, is here before the end of the first was noticed.
func (f *feed) awaitPlace(ctx context.Context) error {
	full := &api.StatusError{Status: http.StatusTooManyRequests, Code: "rate_limited",
		Text: "Too many event streams are open; close one and try again.", RetryAfter: 5 * time.Second}
	select {
	case f.waiting <- struct{}{}:
	default:
		return full
	}
	defer func() { <-f.waiting }()
	patience := time.NewTimer(f.wait)
	defer patience.Stop()
	select {
	case f.places <- struct{}{}:
		return nil
	case <-f.end:
		return api.ErrStopping
	case <-ctx.Done():
		return ctx.Err()
	case <-patience.C:
		return full
	}
}

// removeListener ends a listener; it may have been dropped already.
func (f *feed) removeListener(l *listener) {
	defer l.leave()
	select {
	case f.leave <- l:
	case <-f.end:
	}
}

// restShare is the length of the rest after a look, in multiples of the look. The shorter
// one of the last two looks counts: a disk that stalled once need not stall again.
const restShare = 10

// run serves listeners until ctx ends, and drops them all then.
func (f *feed) run(ctx context.Context) {
	defer close(f.end)
	var listeners []*listener
	var last api.Status
	var soonest, next time.Time // when a look may be, and when one will be
	before := api.LookTime      // the time that the last look took
	defer func() {
		for _, l := range listeners {
			close(l.messages)
		}
	}()
	for {
		var due <-chan time.Time
		var stirred <-chan struct{}
		if len(listeners) > 0 {
			due = time.After(time.Until(next))
			if next.After(soonest) {
				stirred = f.stirred
			}
		}
		select {
		case <-ctx.Done():
			return
		case l := <-f.leave:
			if i := slices.Index(listeners, l); i >= 0 {
				close(l.messages)
				listeners = slices.Delete(listeners, i, i+1)
			}
			continue
		case <-stirred:
			next = soonest
			continue
		case l := <-f.join:
			listeners = append(listeners, l)
		case <-due:
		}
		begun := time.Now()
		now, err := f.readState(ctx)
		took := time.Since(begun)
		soonest = time.Now().Add(max(f.rest, restShare*min(took, before)))
		before = took
		if next = soonest.Add(f.slow - f.rest); err != nil {
			f.log.Debug("look at the state for the event streams", "error", err)
			next = soonest.Add(time.Second)
			continue
		}
		listeners = sendNews(listeners, last, now, f.room/2)
		last = now
	}
}

// readState reads the state, which includes all changes that were marked before.
func (f *feed) readState(ctx context.Context) (api.Status, error) {
	select {
	case <-f.stirred:
	default:
	}
	looking, cancel := context.WithTimeout(ctx, api.LookTime)
	defer cancel()
	return f.read(looking)
}

// sendNews brings every listener up to date and returns those that keep up. More changes
// than many are sent as a snapshot.
func sendNews(listeners []*listener, last, now api.Status, many int) []*listener {
	var changes []message
	snapshot := sync.OnceValue(func() []message { return []message{packMessage(api.SnapshotEvent, now)} })
	kept := listeners[:0]
	for _, l := range listeners {
		var news []message
		switch {
		case l.fresh:
			news = snapshot()
		case changes == nil:
			if changes = diffStates(last, now); len(changes) > many {
				changes = snapshot()
			}
			fallthrough
		default:
			news = changes
		}
		l.fresh = false
		if cap(l.messages)-len(l.messages) < len(news) {
			close(l.messages)
			continue
		}
		for _, m := range news {
			l.messages <- m
		}
		kept = append(kept, l)
	}
	clear(listeners[len(kept):])
	return kept
}

// diffStates are the messages that lead from one state to the next. The oldest
// dispatch comes first, as it happened.
func diffStates(last, now api.Status) []message {
	news := []message{}
	before := make(map[string]api.Dispatch, len(last.Dispatches))
	for _, d := range last.Dispatches {
		before[d.ID] = d
	}
	for _, d := range slices.Backward(now.Dispatches) {
		if old, known := before[d.ID]; !known || !reflect.DeepEqual(old, d) {
			news = append(news, packMessage(api.DispatchEvent, d))
		}
	}
	if a, b := changeOf(last), changeOf(now); !reflect.DeepEqual(a, b) {
		news = append(news, packMessage(api.ChangeEvent, b))
	}
	return news
}

func changeOf(s api.Status) api.StateEvent {
	return api.StateEvent{Vaults: s.Vaults, Watcher: s.Watcher, Queue: s.Queue, Agents: s.Agents, Index: s.Index, Notices: orEmpty(s.Notices), Dashboard: s.Dashboard,
		NotTaken: orEmpty(s.NotTaken), NotTakenCount: s.NotTakenCount, Budgets: orEmpty(s.Budgets), Schedule: orEmpty(s.Schedule)}
}

// packMessage makes a message of a value of ours.
func packMessage(name string, v any) message {
	data, err := json.Marshal(v)
	if err != nil {
		data = fmt.Appendf(nil, "%q", "this cannot be written as JSON")
	}
	return message{name: name, data: data}
}
