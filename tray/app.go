package tray

import (
	"context"
	"slices"
	"sync"
	"time"
)

// screen is where the icon and the menu are shown.
type screen interface {
	// showState brings what is shown up to date. It is called by one goroutine.
	showState(icon, tooltip string, menu []Item)
	// clicks are the IDs of lines; an empty one says that the menu was opened.
	clicks() <-chan string
}

// app is the tray without its screen. Its loop owns everything in it; what takes
// time runs beside it and sends a result.
type app struct {
	Options
	notify func(b bulletin, target string)
	view   View
	menu   []Item
	herald herald

	queue    []Action      // clicks that wait for their turn
	asks     <-chan string // lines that notifications ask for
	follower *follower
	acted    chan acted
	telling  sync.WaitGroup // bulletins that wait for the words of an answer
	current  Verb           // of the action under way; Nothing = none
}

func newApp(o Options, notify func(b bulletin, target string), asks <-chan string) *app {
	return &app{Options: o, notify: notify, asks: asks, follower: newFollower(o.Client), acted: make(chan acted, 1)}
}

// followEvents is the one goroutine that decides what is shown. It returns when ctx ends or
// the person quits, and when all it started has ended.
func (a *app) followEvents(ctx context.Context, s screen) {
	ctx, cancel := context.WithCancel(ctx)
	following := make(chan struct{})
	go func() {
		defer close(following)
		a.follower.pollForever(ctx)
	}()
	defer func() {
		cancel()
		<-following
		a.telling.Wait()
		if a.current != Nothing {
			<-a.acted
		}
	}()
	a.queue = []Action{{Verb: look}}
	for !a.isOver() {
		a.handleNext(ctx, s)
		select {
		case <-ctx.Done():
			return
		case p := <-a.follower.heard:
			a.applyPoll(p)
		case <-a.herald.nextTimer():
			a.announceNews(ctx)
		case r := <-a.acted:
			a.recordOutcome(r)
		case id := <-s.clicks():
			a.handleClick(id)
		case id := <-a.asks:
			a.handleClick(id)
		}
	}
}

// handleNext begins what is next and then shows the state.
func (a *app) handleNext(ctx context.Context, s screen) {
	a.carryOutActions(ctx)
	a.view.Time, a.view.Doing = time.Now(), a.describeWork()
	a.menu = Menu(a.view)
	s.showState(a.view.Icon(), a.view.Tooltip(), a.menu)
}

// isOver reports whether the person has quit and what was clicked before is done; who
// quits again does not wait for it.
func (a *app) isOver() bool {
	return a.view.Quits > 1 || a.view.Quits == 1 && len(a.queue) == 0 && (a.current == Nothing || a.current == look)
}

// handleClick queues what a line does. After Quit nothing more is begun.
func (a *app) handleClick(id string) {
	if id == "" {
		a.follower.pollSoon()
		a.enqueueAction(Action{Verb: look})
		return
	}
	item, ok := findItem(a.menu, id)
	if !ok || item.Disabled || item.Hidden || item.Do.Verb == Nothing {
		return
	}
	if item.Do.Verb == Quit {
		a.view.Quits++
		a.queue = slices.DeleteFunc(a.queue, func(do Action) bool { return do.Verb == look })
		return
	}
	if item.ID != "problem" {
		a.view.Problem = ""
	}
	a.enqueueAction(item.Do)
}

// enqueueAction puts an action at the end; a look that waits already is enough.
func (a *app) enqueueAction(do Action) {
	if a.view.Quits > 0 {
		return
	}
	for _, waits := range a.queue {
		if do.Verb == look && waits.Verb == look {
			return
		}
	}
	a.queue = append(a.queue, do)
}

// applyPoll takes what was heard of the engine.
func (a *app) applyPoll(p polled) {
	a.view.Asked, a.view.Status, a.view.Err = true, p.status, p.err
	if p.err == nil {
		muted := !a.Notify() || p.status.Dashboard
		a.herald.takeUntaken(p.status.NotTaken, time.Now(), muted)
		a.herald.takeDispatches(p.status.Dispatches, time.Now(), muted)
	}
}

// announceNews notifies of what there is to be told.
func (a *app) announceNews(ctx context.Context) {
	b, ok := a.herald.nextBulletin(time.Now())
	if !ok {
		return
	}
	target := a.findTarget(b)
	a.telling.Go(func() { a.notify(a.addAnswer(ctx, b), target) })
}

// addAnswer asks the engine for the answer that a bulletin tells of. Where it is gone meanwhile, the question is alone.
func (a *app) addAnswer(ctx context.Context, b bulletin) bulletin {
	if b.answered == "" {
		return b
	}
	ctx, cancel := context.WithTimeout(ctx, pollTime)
	defer cancel()
	whole, err := a.Client().Dispatch(ctx, b.answered)
	if err != nil {
		a.Logger.Warn("read the answer that a notification tells of", "error", err)
	}
	return b.quoteAnswer(whole.Answers)
}

// findTarget is what a click on a bulletin opens where the desktop opens it itself: a
// link to the note. The dashboard has links that are made when they are needed.
func (a *app) findTarget(b bulletin) string {
	if b.note == nil {
		return ""
	}
	link, err := noteLink(a.view.Status.Vaults, *b.note)
	if err != nil {
		a.Logger.Warn("find the note of a notification", "error", err)
		return ""
	}
	return link
}
