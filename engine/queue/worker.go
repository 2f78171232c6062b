package queue

import (
	"cmp"
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
	"github.com/nats-io/nats.go/jetstream"

	"vaultdispatcher/engine/agent"
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
	js       jetstream.JetStream
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

// errWithdrawn ends an agent whose answer nobody wants any more, errLeaving one whose worker leaves.
var (
	errWithdrawn = errors.New("cancelled")
	errLeaving   = errors.New("the worker is stopping")
)

// Run takes tasks until ctx ends, or until it was told to leave; then it ends when what it has begun
// has ended, and what ctx cuts short goes back to the queue.
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
	if w.js, err = jetstream.New(w.conn, jetstream.WithDefaultTimeout(callTime)); err != nil {
		return err
	}
	if err := w.subscribeWords(); err != nil {
		return err
	}
	taking, stop := context.WithCancel(ctx) // what is still to be taken
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
	_ = w.conn.PublishMsg(&nats.Msg{Subject: w.listPlace(), Header: nats.Header{"KV-Operation": {"DEL"}}})
	_ = w.conn.FlushTimeout(time.Second) // where the hub is away nobody hears it, and its word runs out by itself
	return nil
}

// sayOnce says why the hub cannot be had, once for each reason.
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

// listPlace is the subject at which the queue keeps what the worker says of itself.
func (w *Worker) listPlace() string { return "$KV." + workersBucket + "." + token(w.Credentials.Name) }

func (w *Worker) beatOften(ctx context.Context) {
	for ctx.Err() == nil {
		pauseFor := beat
		if !w.sayPresent(false) {
			pauseFor = tryAgain // the hub is away, or has no list yet
		}
		sleepFor(ctx, pauseFor)
	}
}

// sayPresent tells the queue that the worker is there, or is leaving.
func (w *Worker) sayPresent(leaving bool) bool {
	host, _ := os.Hostname()
	select {
	case <-w.stopping:
		leaving = true
	default:
	}
	text, err := json.Marshal(Info{Host: host, Version: w.Version, Lanes: w.Lanes, Slots: max(1, w.Slots), Running: w.countRunning(), Leaving: leaving})
	if err == nil {
		_, err = w.js.Publish(context.Background(), w.listPlace(), text)
	}
	return err == nil
}

// takeTasks takes one task after the other, of each lane in turn.
func (w *Worker) takeTasks(taking, work context.Context) {
	wait := takeFor
	if len(w.Lanes) > 1 {
		wait = time.Second
	}
	for taking.Err() == nil {
		for _, lane := range w.Lanes {
			if err := w.takeOne(taking, work, lane, wait); err != nil && taking.Err() == nil {
				sleepFor(taking, tryAgain)
			}
		}
	}
}

// takeOne takes one task of a lane, if there is one, and carries it to its result.
func (w *Worker) takeOne(taking, work context.Context, lane string, wait time.Duration) error {
	consumer, err := w.js.Consumer(taking, tasksStream, lane)
	if err != nil {
		return err // nobody has asked in it yet, or the hub is away
	}
	for taking.Err() == nil {
		took := false
		err := fetchMessages(taking, consumer, 1, wait, func(m jetstream.Msg) {
			took = true
			w.workOn(work, m, cmp.Or(consumer.CachedInfo().Config.AckWait, AckWait))
		})
		if err != nil {
			return err
		}
		if !took || len(w.Lanes) > 1 {
			return nil
		}
	}
	return nil
}

// workOn carries one task to its result.
func (w *Worker) workOn(ctx context.Context, m jetstream.Msg, ackWait time.Duration) {
	var task message
	meta, err := m.Metadata()
	if err == nil {
		err = unpackValue(m.Data(), &task, longestTask)
	}
	address := strings.SplitN(strings.TrimPrefix(m.Subject(), tasksPrefix), ".", 2) // lane, and where the result goes
	if err != nil || len(address) != 2 {
		w.Log.Warn("a task cannot be read", "error", err)
		_ = m.TermWithReason("it cannot be read")
		return
	}
	to := address[1]
	_, key, _ := strings.Cut(to, ".")
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	if !w.beginTask(key, atWork{end, task.Cancel}) {
		_ = m.NakWithDelay(ackWait) // it is at work here already
		return
	}
	defer w.endTask(key)
	w.tellEngine(to, said{})
	stopTelling := w.keepAlive(ctx, m, to, ackWait)
	reply, err := w.askAgent(ctx, task, to, meta.NumDelivered)
	stopTelling()
	switch {
	case errors.Is(context.Cause(ctx), errWithdrawn):
		w.tellEngine(to, said{Ended: true})
		_ = m.Term()
	case errors.Is(context.Cause(ctx), errLeaving):
		_ = m.Nak()
	default:
		w.giveResult(ctx, m, to, resultID(task.ID, meta.Sequence.Stream), newResult(w.Credentials.Name, reply, err), ackWait)
	}
}

func (w *Worker) beginTask(key string, at atWork) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, is := w.running[key]; is {
		return false
	}
	w.running[key] = at
	return true
}

func (w *Worker) endTask(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running, key)
}

// askAgent asks the agent, unless the task has outlived too many workers.
func (w *Worker) askAgent(ctx context.Context, m message, to string, delivered uint64) (agent.Reply, error) {
	if delivered > deliveries {
		return agent.Reply{}, &agent.Failure{Kind: agent.Permanent,
			Reason: fmt.Sprintf("%d workers have taken it and none of them has answered; see what ended them", deliveries)}
	}
	w.point("asked")
	task := m.toTask()
	task.Tell = func(progress string) { w.tellEngine(to, said{Tell: progress}) }
	if m.Listens {
		var last time.Time
		task.Said = func(text string) {
			if now := time.Now(); now.Sub(last) >= 200*time.Millisecond { // each is all that was said so far
				last = now
				w.tellEngine(to, said{Said: text})
			}
		}
	}
	return w.Answer(ctx, task)
}

// tellEngine says how far the agent is. What is lost of that is no harm.
func (w *Worker) tellEngine(to string, s said) {
	s.Worker = w.Credentials.Name
	if data, err := packValue(s); err == nil {
		_ = w.conn.Publish(saidPrefix+to, data)
	}
}

// keepAlive tells the queue and the engine that the task is at work, until it is stopped.
func (w *Worker) keepAlive(ctx context.Context, m jetstream.Msg, to string, ackWait time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for sleepFor(ctx, ackWait/3); ctx.Err() == nil; sleepFor(ctx, ackWait/3) {
			_ = m.InProgress()
			w.tellEngine(to, said{})
		}
	}()
	return func() { cancel(); <-done }
}

// resultID is that of the result of one message: a task that is published anew has another result, also when
// it has the same id.
func resultID(id string, sequence uint64) string { return fmt.Sprintf("%s-%d", id, sequence) }

// giveResult publishes the result, however long the hub is away, and then takes the task out of the queue.
func (w *Worker) giveResult(ctx context.Context, m jetstream.Msg, to, id string, r result, ackWait time.Duration) {
	if text, _ := json.Marshal(r); len(text) >= longestReply {
		r = newResult(w.Credentials.Name, agent.Reply{}, &agent.Failure{Reason: "the reply is longer than an engine takes", Usage: r.Reply.Usage})
	}
	data, err := packValue(r)
	if err != nil {
		w.Log.Error("a result cannot be written", "error", err)
		return
	}
	stop := w.keepAlive(ctx, m, to, ackWait)
	defer stop()
	w.point("answered")
	for {
		_, err = w.js.Publish(ctx, resultsPrefix+to, data, jetstream.WithMsgID(id))
		if err == nil || context.Cause(ctx) != nil {
			break
		}
		if errors.Is(err, nats.ErrMaxPayload) {
			data, _ = packValue(newResult(w.Credentials.Name, agent.Reply{}, &agent.Failure{Reason: "the reply is larger than the hub takes", Usage: r.Reply.Usage}))
			continue
		}
		w.Log.Warn("the hub does not take a result yet", "error", err)
		sleepFor(ctx, tryAgain)
	}
	w.point("given")
	if err == nil {
		_ = m.DoubleAck(ctx) // if that is lost, the engine takes the task out
	}
	w.point("acknowledged")
}

func (w *Worker) point(name string) {
	if w.reached != nil {
		w.reached(name)
	}
}
