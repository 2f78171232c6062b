package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vaultdispatcher/engine/syserr"
)

// A Gate is between the workers and JetStream, to which a worker may publish nothing: JetStream sends
// its answers with the rights of the server to the subject that the asker names
// (https://github.com/nats-io/nats-server/blob/v2.15.2/server/stream.go), and takes the
// acknowledgement of a message from every client that knows its number
// (https://github.com/nats-io/nats-server/blob/v2.15.2/server/consumer.go). So a worker asks the gate,
// which answers to the worker's own inbox alone, and does for it
//
//	take LANE  what JetStream does for a pull of one message, if the lane is the worker's
//	say TASK   keeps the task at work, and passes on to its engine what is said meanwhile
//	give TASK  puts the result into the queue, and takes the task out of it
//	back TASK  has the task given to the next worker
//	here       puts the worker on the list, or takes it off
//
// A TASK is lane, engine, dispatch and attempt, and is the worker's if the worker has its word, see
// [Credentials.taskWord]. A Gate keeps nothing, so that another one may take over at any time.
type Gate struct {
	conn   *nats.Conn
	js     jetstream.JetStream
	tasks  jetstream.Stream
	rights Rights

	end    context.CancelFunc
	heard  []*nats.Subscription
	served sync.WaitGroup

	mu    sync.Mutex       // guards the field below
	lines map[string]*line // by worker; nil = the gate is closed
}

// Rights are the rights of workers and engines at a gate. Its functions are called from several
// goroutines.
type Rights struct {
	// Lanes are those that a worker may take, by its [WorkPlace]; none = every one.
	Lanes func(place string) (lanes []string, letIn bool)
	// Engine is the name of the engine that has a public key.
	Engine func(public string) (name string, known bool)
}

// line holds the waiting messages of one worker: a worker that sends a great many delays no other.
type line struct {
	waiting chan *nats.Msg
	bytes   atomic.Int64
}

const (
	lineLength = 256
	lineBytes  = 32 << 20

	longestInfo = 16 << 10 // of what a worker says of itself

	// askFor is how long one request for a task waits at most.
	askFor = 5 * time.Second
)

// Headers of the messages that pass the gate.
const (
	wordHeader    = "Wiki-Word"    // of a task
	placeHeader   = "Wiki-Place"   // where JetStream hears what becomes of a delivery
	workerHeader  = "Wiki-Worker"  // the sender; the gate sets it
	errorHeader   = "Wiki-Error"   // why something was not done now
	refusedHeader = "Wiki-Refused" // why it is not done at all
)

// refusal is why something is not done however often it is asked.
type refusal string

func (r refusal) Error() string { return string(r) }

// OpenGate serves workers until the gate is closed. The streams are there already. It takes what is said of tasks of
// one engine, "*" for every one: each engine has a gate of its own where no hub has one for all.
func OpenGate(ctx context.Context, conn *nats.Conn, engine string, rights Rights) (*Gate, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	tasks, err := js.Stream(ctx, tasksStream)
	if err != nil {
		return nil, err
	}
	serving, end := context.WithCancel(context.WithoutCancel(ctx))
	g := &Gate{conn: conn, js: js, tasks: tasks, rights: rights, end: end, lines: make(map[string]*line)}
	if engine != "*" {
		engine = token(engine)
	}
	for _, subject := range []string{"*.take.*", "*.here", "*.*.*." + engine + ".>"} {
		sub, err := conn.QueueSubscribe(workPrefix+subject, "gate", func(m *nats.Msg) { g.hear(serving, m) })
		if err != nil {
			g.Close()
			return nil, err
		}
		g.heard = append(g.heard, sub)
	}
	return g, conn.Flush()
}

// Close ends the gate, if there is one. It returns when all that it has begun has ended.
func (g *Gate) Close() {
	if g == nil {
		return
	}
	for _, sub := range g.heard {
		_ = sub.Unsubscribe() // the connection may be gone
	}
	g.mu.Lock()
	g.lines = nil
	g.mu.Unlock()
	g.end()
	g.served.Wait()
}

// hear puts a message into the line of its worker. A message that does not fit is lost, as it may be
// on any network, and so is one with a reply subject outside of the worker's inbox.
func (g *Gate) hear(ctx context.Context, m *nats.Msg) {
	worker, _, _ := strings.Cut(strings.TrimPrefix(m.Subject, workPrefix), ".")
	if m.Reply != "" && !strings.HasPrefix(m.Reply, inboxPrefix+worker+".") {
		return
	}
	l := g.lineOf(ctx, worker)
	if l == nil {
		return
	}
	size := int64(m.Size())
	if l.bytes.Add(size) <= lineBytes {
		select {
		case l.waiting <- m:
			return
		default:
		}
	}
	l.bytes.Add(-size)
}

// lineOf returns the line of a worker, nil if the gate is closed.
func (g *Gate) lineOf(ctx context.Context, worker string) *line {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lines[worker]
	if l == nil && g.lines != nil {
		l = &line{waiting: make(chan *nats.Msg, lineLength)}
		g.lines[worker] = l
		g.served.Go(func() { g.serveLine(ctx, worker, l) })
	}
	return l
}

// serveLine serves one worker until ctx ends.
func (g *Gate) serveLine(ctx context.Context, worker string, l *line) {
	for {
		select {
		case <-ctx.Done():
			return
		case m := <-l.waiting:
			l.bytes.Add(-int64(m.Size()))
			answered, err := g.serveWorker(ctx, worker, m)
			if m.Reply != "" && !answered {
				_ = m.RespondMsg(&nats.Msg{Header: headerOf(err)}) // it asks again
			}
		}
	}
}

// headerOf says whether something was done.
func headerOf(err error) nats.Header {
	if err == nil {
		return nil
	}
	name := errorHeader
	if _, refused := errors.AsType[refusal](err); refused {
		name = refusedHeader
	}
	return nats.Header{name: {keepOneLine(syserr.Plain(err))}}
}

// errorOf reads what [headerOf] wrote.
func errorOf(m *nats.Msg) error {
	if text := m.Header.Get(refusedHeader); text != "" {
		return refusal(text)
	}
	if text := m.Header.Get(errorHeader); text != "" {
		return errors.New(text)
	}
	return nil
}

// serveWorker does one thing for a worker; answered says that JetStream will answer.
func (g *Gate) serveWorker(ctx context.Context, worker string, m *nats.Msg) (answered bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	lanes, letIn := g.rights.Lanes(workPrefix + worker)
	if !letIn {
		return false, refusal("the worker is not let in")
	}
	verb, rest, _ := strings.Cut(strings.TrimPrefix(m.Subject, workPrefix+worker+"."), ".")
	if verb == "here" {
		return false, g.keepPresent(ctx, worker, lanes, m.Data)
	}
	lane, to, _ := strings.Cut(rest, ".")
	if !mayTake(lanes, lane) {
		return false, refusal("the worker's token is not for " + lane)
	}
	if verb == "take" {
		err := g.passTake(ctx, lane, m)
		return err == nil, err
	}
	given, err := g.readGiven(worker, lane, to, m)
	if err != nil {
		return false, err
	}
	switch verb {
	case "say":
		return false, given.say(ctx, m.Data)
	case "give":
		return false, given.give(ctx, m.Data)
	case "back":
		return false, given.giveBack(ctx)
	}
	return false, refusal("the hub does not know what " + verb + " is; update wiki there")
}

// mayTake reports whether a lane is among those of a worker; none = every one.
func mayTake(lanes []string, lane string) bool {
	return len(lanes) == 0 || slices.Contains(lanes, lane)
}

// passTake asks JetStream for one message of a lane, which it sends to the worker.
func (g *Gate) passTake(ctx context.Context, lane string, m *nats.Msg) error {
	if _, err := g.js.Consumer(ctx, tasksStream, lane); err != nil {
		return fmt.Errorf("look for the lane %s: %w", lane, err) // no task was published in it yet
	}
	wait, err := time.ParseDuration(string(m.Data))
	if err != nil || wait <= 0 || wait > askFor {
		return refusal(fmt.Sprintf("a worker waits for a task for %s at most", askFor))
	}
	text := fmt.Sprintf(`{"batch":1,"expires":%d}`, wait.Nanoseconds())
	return g.conn.PublishRequest("$JS.API.CONSUMER.MSG.NEXT."+tasksStream+"."+lane, m.Reply, []byte(text))
}

// keepPresent keeps what a worker says of itself: nothing takes it off the list.
func (g *Gate) keepPresent(ctx context.Context, worker string, lanes []string, text []byte) error {
	entry := &nats.Msg{Subject: "$KV." + workersBucket + "." + worker, Header: nats.Header{"KV-Operation": {"DEL"}}}
	if len(text) > 0 {
		var i Info
		if len(text) > longestInfo || json.Unmarshal(text, &i) != nil {
			return refusal("what the worker says of itself cannot be read")
		}
		i.Lanes = slices.DeleteFunc(i.Lanes, func(lane string) bool { return !mayTake(lanes, lane) || lane != keepOneLine(lane) })
		entry.Header = nil
		entry.Data, _ = json.Marshal(Info{Host: keepOneLine(i.Host), Version: keepOneLine(i.Version), Lanes: i.Lanes, // never fails
			Slots: max(0, i.Slots), Running: max(0, i.Running), Leaving: i.Leaving})
	}
	_, err := g.js.PublishMsg(ctx, entry)
	return err
}

// openGate opens the gate of an engine whose queue is a NATS server of a person's own, which has no
// hub. A worker may ask for anything that its user may publish there.
func (c Credentials) openGate(ctx context.Context, conn *nats.Conn) (*Gate, error) {
	if c.file == "" {
		return nil, nil
	}
	pair, err := c.keyPair()
	if err != nil {
		return nil, err
	}
	own, err := pair.PublicKey()
	if err != nil {
		return nil, err
	}
	return OpenGate(ctx, conn, c.Name, Rights{
		Lanes:  func(string) ([]string, bool) { return nil, true },
		Engine: func(public string) (string, bool) { return c.Name, public == own },
	})
}
