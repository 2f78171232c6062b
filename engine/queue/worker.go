package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/due"
)

// Worker answers what is asked elsewhere. Its fields are not changed after Run has begun.
type Worker struct {
	Credentials Credentials
	Lanes       []string // that it takes
	Slots       int      // agents at once
	Version     string
	Answer      func(ctx context.Context, task agent.Task) (agent.Reply, error) // as [agent.Runner.Run]
	Grace       time.Duration                                                   // for agents at work when ctx ends
	Log         *slog.Logger

	conn     *nats.Conn
	keeping  time.Duration      // how often it says that a task is at work; 0 = a third of AckWait
	reached  func(point string) // for tests, may be nil
	stopping chan struct{}      // closed when it takes nothing new
	stopOnce sync.Once

	mu      sync.Mutex        // guards the field below
	running map[string]atWork // by key
}

// atWork is one task that a worker has.
type atWork struct {
	end  context.CancelCauseFunc
	word string // that cancels it
}

// errWithdrawn ends an agent whose answer is no longer wanted, errLeaving one whose worker leaves.
var (
	errWithdrawn = errors.New("cancelled")
	errLeaving   = errors.New("the worker is stopping")
)

// Run takes tasks until ctx ends, or until it is told to leave. It returns when the tasks it has begun
// have ended; tasks that ctx cuts short return to the queue.
func (w *Worker) Run(ctx context.Context) (err error) {
	w.stopping, w.running = make(chan struct{}), make(map[string]atWork)
	w.conn, err = w.Credentials.dial(
		nats.ReconnectErrHandler(w.sayOnce()),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { w.Log.Warn("the connection to the hub is lost", "error", err) }),
		nats.ConnectHandler(func(*nats.Conn) { w.Log.Info("the hub is there") }),
		nats.ReconnectHandler(func(*nats.Conn) { w.Log.Info("the hub is back") }))
	if err != nil {
		return err
	}
	defer w.conn.Close()
	if err := w.subscribeWords(); err != nil {
		return err
	}
	taking, stop := context.WithCancel(ctx) // for requests of new tasks
	defer stop()
	work, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	go func() {
		select {
		case <-w.stopping:
		case <-taking.Done():
		}
		stop()
		w.sayPresent(true)
	}()
	beats, endBeats := context.WithCancel(work)
	defer endBeats()
	go w.beatOften(beats)
	var slots sync.WaitGroup
	for range max(1, w.Slots) {
		slots.Go(func() { w.takeTasks(taking, work) })
	}
	w.waitFor(ctx, &slots, end)
	endBeats()
	leaving, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = w.ask(leaving, &nats.Msg{Subject: w.place("here")}) // where the hub is away its word runs out by itself
	return nil
}

// sayOnce logs why the hub is unreachable, once for each reason.
func (w *Worker) sayOnce() func(*nats.Conn, error) {
	var mu sync.Mutex
	last := ""
	return func(_ *nats.Conn, err error) {
		mu.Lock()
		defer mu.Unlock()
		if text := err.Error(); text != last {
			last = text
			w.Log.Warn("the hub cannot be used yet", "error", err)
		}
	}
}

// waitFor returns when all slots have ended; the grace begins with the end of ctx.
func (w *Worker) waitFor(ctx context.Context, slots *sync.WaitGroup, end context.CancelCauseFunc) {
	done := make(chan struct{})
	go func() { slots.Wait(); close(done) }()
	select {
	case <-done:
		return
	case <-ctx.Done():
	}
	grace := time.NewTimer(w.Grace)
	defer grace.Stop()
	select {
	case <-done:
	case <-grace.C:
		end(errLeaving)
		<-done
	}
}

// startLeaving has it take nothing new and end when what it has begun has ended.
func (w *Worker) startLeaving() { w.stopOnce.Do(func() { close(w.stopping) }) }

// subscribeWords listens for what is cancelled, and for the word to leave.
func (w *Worker) subscribeWords() error {
	if _, err := w.conn.Subscribe(w.cancelPlace()+">", w.hearCancel); err != nil {
		return err
	}
	_, err := w.conn.Subscribe(drainPrefix+token(w.Credentials.Name), w.hearLeave)
	return err
}

func (w *Worker) cancelPlace() string { return cancelPrefix + token(w.Credentials.Name) + "." }

// hearCancel ends an agent, if it is the engine that says so.
func (w *Worker) hearCancel(m *nats.Msg) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at, ok := w.running[strings.TrimPrefix(m.Subject, w.cancelPlace())]; ok && isWord(m.Data, at.word) {
		at.end(errWithdrawn)
	}
}

// hearLeave leaves, if it is this machine that says so.
func (w *Worker) hearLeave(m *nats.Msg) {
	if isWord(m.Data, w.Credentials.leaveWord()) {
		_ = m.Respond([]byte(fmt.Sprint(w.countRunning()))) // before its leaving closes the connection
		w.startLeaving()
	}
}

func (w *Worker) countRunning() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.running)
}

// place is the subject at which the worker asks the gate.
func (w *Worker) place(what string) string { return WorkPlace(w.Credentials.Name) + "." + what }

// ask has the gate do something, and returns why it has not.
func (w *Worker) ask(ctx context.Context, m *nats.Msg) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	answer, err := w.conn.RequestMsgWithContext(ctx, m)
	if err != nil {
		return err
	}
	return errorOf(answer)
}

func (w *Worker) beatOften(ctx context.Context) {
	said := ""
	for ctx.Err() == nil {
		pauseFor, why := beat, ""
		if err := w.sayPresent(false); err != nil {
			pauseFor, why = tryAgain, err.Error() // the hub is away, or has no list yet
		}
		if why != "" && why != said && ctx.Err() == nil && w.conn.IsConnected() {
			w.Log.Warn("the hub does not take what this worker says; it has to be of the same version of wiki, and where a NATS server takes its place, the engine has to run", "error", why)
		}
		said = why
		_ = due.Sleep(ctx, pauseFor) // the loop asks
	}
}

// sayPresent has the worker put on the list, as there or as leaving.
func (w *Worker) sayPresent(leaving bool) error {
	host, _ := os.Hostname()
	select {
	case <-w.stopping:
		leaving = true
	default:
	}
	text, err := json.Marshal(Info{Host: host, Version: w.Version, Lanes: w.Lanes, Slots: max(1, w.Slots), Running: w.countRunning(), Leaving: leaving})
	if err != nil {
		return err
	}
	return w.ask(context.Background(), &nats.Msg{Subject: w.place("here"), Data: text})
}

// takeTasks takes one task after the other, of each lane in turn.
func (w *Worker) takeTasks(taking, work context.Context) {
	wait := askFor
	if len(w.Lanes) > 1 {
		wait = time.Second
	}
	for taking.Err() == nil {
		for _, lane := range w.Lanes {
			if err := w.takeLane(taking, work, lane, wait); err != nil && taking.Err() == nil {
				_ = due.Sleep(taking, tryAgain) // the loop asks
			}
		}
	}
}

// takeLane takes a task of a lane, if there is one, and carries it to its result; of the only lane, all there are.
func (w *Worker) takeLane(taking, work context.Context, lane string, wait time.Duration) error {
	for taking.Err() == nil {
		m, err := w.takeOne(taking, lane, wait)
		if err != nil || m == nil {
			return err
		}
		w.workOn(work, m)
		if len(w.Lanes) > 1 {
			return nil
		}
	}
	return nil
}

// takeOne asks once for a task of a lane; nil if none came.
func (w *Worker) takeOne(ctx context.Context, lane string, wait time.Duration) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, wait+callTime/2) // later the hub has gone meanwhile
	defer cancel()
	inbox := w.conn.NewInbox()
	heard, err := w.conn.SubscribeSync(inbox)
	if err != nil {
		return nil, err
	}
	defer heard.Unsubscribe() //nolint:errcheck // without a connection there is none
	if err := w.conn.PublishRequest(w.place("take."+lane), inbox, []byte(wait.String())); err != nil {
		return nil, err
	}
	m, err := heard.NextMsgWithContext(ctx)
	if err != nil {
		return nil, err
	}
	if err := errorOf(m); err != nil {
		return nil, err // no task was published in it yet
	}
	switch status := m.Header.Get("Status"); status {
	case "":
		return m, nil
	case noneCame:
		return nil, nil
	default:
		return nil, fmt.Errorf("no task was given: %s %s", status, m.Header.Get("Description"))
	}
}

// noneCame is the status of a message that says that no message came in time.
const noneCame = "408"
