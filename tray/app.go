package tray

import (
	"context"
	"time"

	"vaultdispatcher/engine/api"
)

// pollEvery is how often the engine is asked, at most.
const pollEvery = 2 * time.Second

// pollTime is how long an engine has to answer.
const pollTime = 5 * time.Second

// screen is where the icon and the menu are shown.
type screen interface {
	// show brings what is shown up to date. It is called by one goroutine.
	show(icon, tooltip string, menu []Item)
	// clicks are the IDs of lines; an empty one says that the menu was opened.
	clicks() <-chan string
}

// app is the tray without its screen. Its loop owns everything in it; what takes
// time runs beside it and sends a result.
type app struct {
	Options
	desk   *desktop
	view   View
	menu   []Item
	herald herald

	queue   []Action // clicks that wait for their turn
	polling bool
	asks    <-chan string // lines that notifications ask for
	polled  chan polled
	acted   chan acted
	acting  bool
}

type polled struct {
	status api.Status
	err    error
}

func newApp(o Options, desk *desktop, asks <-chan string) *app {
	return &app{Options: o, desk: desk, asks: asks, polled: make(chan polled, 1), acted: make(chan acted, 1)}
}

// loop is the one goroutine that decides what is shown. It returns when ctx ends or
// the person quits, and when all it started has ended.
func (a *app) loop(ctx context.Context, s screen) {
	ctx, cancel := context.WithCancel(ctx)
	defer a.settle()
	defer cancel()
	timer := time.NewTimer(0)
	defer timer.Stop()
	a.queue = []Action{{Verb: look}}
	for {
		a.view.Now = time.Now()
		a.menu = Menu(a.view)
		s.show(a.view.Icon(), a.view.Tooltip(), a.menu)
		a.work(ctx)
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
			timer.Reset(pollEvery)
			a.poll(ctx)
		case p := <-a.polled:
			a.take(p)
		case r := <-a.acted:
			a.finish(r)
		case id := <-s.clicks():
			if a.click(id) {
				return
			}
		case id := <-a.asks:
			a.click(id)
		}
	}
}

// settle waits for what was begun; its context has ended.
func (a *app) settle() {
	if a.polling {
		<-a.polled
	}
	if a.acting {
		<-a.acted
	}
}

// click queues what a line does, and reports whether that is to quit.
func (a *app) click(id string) (quit bool) {
	if id == "" {
		a.enqueue(Action{Verb: look})
		return false
	}
	item, ok := find(a.menu, id)
	if !ok || item.Disabled || item.Hidden || item.Do.Verb == Nothing {
		return false
	}
	if item.Do.Verb == Quit {
		return true
	}
	if item.ID != "problem" {
		a.view.Problem = ""
	}
	a.enqueue(item.Do)
	return false
}

// enqueue puts an action at the end; a look that waits already is enough.
func (a *app) enqueue(do Action) {
	for _, waits := range a.queue {
		if do.Verb == look && waits.Verb == look {
			return
		}
	}
	a.queue = append(a.queue, do)
}

// poll asks the engine, unless it is still being asked.
func (a *app) poll(ctx context.Context) {
	if a.polling {
		return
	}
	a.polling = true
	go func() {
		ctx, cancel := context.WithTimeout(ctx, pollTime)
		defer cancel()
		status, err := a.Client().Status(ctx)
		a.polled <- polled{status, err}
	}()
}

// take takes an answer of the engine.
func (a *app) take(p polled) {
	a.polling = false
	a.view.Asked, a.view.Status, a.view.Err = true, p.status, p.err
	if p.err != nil {
		return
	}
	now := time.Now()
	a.herald.hear(p.status.Dispatches, now, !a.Notify() || p.status.Dashboard)
	if b, ok := a.herald.tell(now); ok {
		a.desk.notify(b, a.target(b))
	}
}

// target is what a click on a bulletin opens where the desktop opens it itself: a
// link to the note. The dashboard has links that are made when they are needed.
func (a *app) target(b bulletin) string {
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
