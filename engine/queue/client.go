package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/syserr"
)

// Options are what a Client works with.
type Options struct {
	// Credentials are read whenever there is no connection: a hub may be made later.
	Credentials func() (Credentials, error)
	// IsOpen reports whether a dispatch still wants the answer of an attempt. An unknown one counts as
	// open.
	IsOpen func(ctx context.Context, dispatch string, attempt int) bool
	Log    *slog.Logger
}

// Client is the queue as an engine sees it. Its methods are safe for concurrent use.
type Client struct {
	opts     Options
	interval time.Duration // how often it is seen whether a task or its result is still in the queue

	mu           sync.Mutex          // guards the fields below
	js           jetstream.JetStream // nil without a connection
	conn         *nats.Conn          // of js
	identity     Credentials         // of this engine in the queue
	problem      string              // why there is no connection
	reconnection chan struct{}       // closed when the connection is there anew
	pending      map[string]*asking  // tasks that wait for their results, by key
	handed       map[string]handed   // the results that were handed over, by key
	workers      map[string]Info     // by name; Seen is by the clock of this machine
	lanes        map[string]bool     // those that have their consumer
	trouble      map[string]trouble  // by lane
}

// trouble is why a task could not be put into its lane.
type trouble struct {
	text string
	time time.Time
}

// asking is one task that waits for its result.
type asking struct {
	results chan result   // holds one
	speech  chan said     // partial text of the agent; text that does not fit is left out
	spent   chan struct{} // holds a token when an earlier result of the key was taken out of the queue
	worker  string        // that was heard last, "" = none was; guarded by the client's mu
	doubted uint64        // of a stream: the message that its consumer seems to have forgotten; its runner's
}

// handed is a result that was handed over.
type handed struct {
	time      time.Time // when the queue got it
	recipient *asking
}

// NewClient returns a Client; nothing is connected before Run.
func NewClient(opts Options) *Client {
	return &Client{opts: opts, interval: lookAgain, problem: "the hub was not asked yet", reconnection: make(chan struct{}), pending: make(map[string]*asking),
		handed: make(map[string]handed), workers: make(map[string]Info), lanes: make(map[string]bool), trouble: make(map[string]trouble)}
}

// tryAgain is how soon an unreachable hub is asked again.
const tryAgain = 2 * time.Second

// Run connects and takes results until ctx ends. It returns when all it has started has ended.
func (c *Client) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := c.serveConnection(ctx); err != nil && ctx.Err() == nil {
			c.keepFailure(err)
		}
		_ = due.Sleep(ctx, tryAgain) // the loop asks
	}
}

// keepFailure keeps why the queue cannot be used.
func (c *Client) keepFailure(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if text := syserr.Plain(err); c.problem != text {
		c.problem = text
		c.opts.Log.Warn("the hub cannot be used", "error", err)
	}
}

// keepTrouble keeps whether a task could be put into its lane.
func (c *Client) keepTrouble(lane string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		delete(c.trouble, lane)
		return
	}
	text := "the hub takes no question: " + syserr.Plain(err)
	if c.trouble[lane].text != text {
		c.opts.Log.Warn("the hub takes no question", "lane", lane, "error", err)
	}
	c.trouble[lane] = trouble{text, time.Now()}
}

// serveConnection works with one connection until something is wrong with the queue.
func (c *Client) serveConnection(ctx context.Context) error {
	credentials, err := c.opts.Credentials()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	lost := errors.New("the connection to the hub is lost")
	conn, err := credentials.dial(
		nats.RetryOnFailedConnect(false), nats.SetCustomDialer(dialer{ctx}),
		nats.DisconnectErrHandler(func(*nats.Conn, error) { cancel(lost) }),
		nats.ClosedHandler(func(*nats.Conn) { cancel(lost) }))
	if err != nil {
		return fmt.Errorf("the hub at %s does not answer: %w", credentials.Address(), err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	if err := c.beginSession(ctx, conn, js, credentials); err != nil {
		return err
	}
	defer c.endSession()
	gate, err := credentials.openGate(ctx, conn)
	if err != nil {
		return fmt.Errorf("let workers ask: %w", err)
	}
	defer gate.Close()
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel(nil)
	all.Go(func() { cancel(c.watchWorkers(ctx, js)) })
	all.Go(func() {
		for due.Sleep(ctx, lookAgain) == nil {
			_ = c.sweepQueue(ctx, js, credentials.Name)
		}
	})
	all.Go(func() {
		for due.Sleep(ctx, beat) == nil {
			c.forgetGone(ctx, conn)
		}
	})
	err = c.takeResults(ctx, js, credentials.Name)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// beginSession prepares the queue, and wakes the tasks that have waited for it.
func (c *Client) beginSession(ctx context.Context, conn *nats.Conn, js jetstream.JetStream, own Credentials) error {
	name := own.Name
	started, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := Prepare(started, js); err != nil {
		return fmt.Errorf("prepare the queue: %w", err)
	}
	if err := prepareConsumer(started, js, resultsStream, resultsConsumer(name), resultsPrefix+token(name)+".>"); err != nil {
		return fmt.Errorf("prepare the results: %w", err)
	}
	if _, err := conn.Subscribe(saidPrefix+token(name)+".>", func(m *nats.Msg) { c.hearSaid(ctx, m) }); err != nil {
		return err
	}
	_ = c.sweepQueue(started, js, name) // it is done again
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn, c.js, c.identity, c.problem = conn, js, own, ""
	clear(c.lanes)
	clear(c.trouble)
	close(c.reconnection)
	c.reconnection = make(chan struct{})
	return nil
}

// endSession forgets the connection.
func (c *Client) endSession() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn, c.js = nil, nil
	clear(c.workers)
}

// watchWorkers keeps the list of present workers up to date.
func (c *Client) watchWorkers(ctx context.Context, js jetstream.JetStream) error {
	bucket, err := js.KeyValue(ctx, workersBucket)
	if err != nil {
		return err
	}
	watcher, err := bucket.WatchAll(ctx)
	if err != nil {
		return err
	}
	defer watcher.Stop() //nolint:errcheck // the connection ends as well
	for {
		select {
		case <-ctx.Done():
			return nil
		case entry, ok := <-watcher.Updates():
			if !ok {
				return errors.New("the list of workers has ended")
			}
			if entry != nil { // nil: that was all there is now
				c.keepWorker(entry)
			}
		}
	}
}

func (c *Client) keepWorker(entry jetstream.KeyValueEntry) {
	var info Info
	gone := entry.Operation() != jetstream.KeyValuePut || json.Unmarshal(entry.Value(), &info) != nil
	c.mu.Lock()
	defer c.mu.Unlock()
	info.Name, info.LastContact = entry.Key(), time.Now()
	if c.workers[info.Name] = info; gone {
		delete(c.workers, info.Name)
	}
}

// forgetGone forgets the workers that have lost the hub without a last word.
func (c *Client) forgetGone(ctx context.Context, conn *nats.Conn) {
	gone, _ := findGone(ctx, conn, c.Workers()) // a worker that cannot be asked now is asked again
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range gone {
		delete(c.workers, name)
	}
}

// Workers are those that are there now, by their names.
func (c *Client) Workers() []Info {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.workers, func(_ string, i Info) bool { return time.Since(i.LastContact) > silence })
	return slices.SortedFunc(maps.Values(c.workers), func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
}

// WhyAway says in a few words why nothing can be asked in a lane now, or nothing.
func (c *Client) WhyAway(lane string) string {
	workers := c.Workers()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.js == nil:
		return c.problem
	case time.Since(c.trouble[lane].time) < 2*lookAgain: // an older report may be out of date
		return c.trouble[lane].text
	case !slices.ContainsFunc(workers, func(i Info) bool { return i.takesLane(lane) }):
		return "no worker takes it now"
	}
	return ""
}

// hearSaid hands over the partial text of a worker. Text that no task waits for, or that is not taken
// yet, is left out. A worker with a task that is over is told so: the engine may have been away when
// the task was given up.
func (c *Client) hearSaid(ctx context.Context, m *nats.Msg) {
	_, key, _ := strings.Cut(strings.TrimPrefix(m.Subject, saidPrefix), ".")
	var s said
	if !c.isAwaited(key) && len(m.Data) > 512 || unpackValue(m.Data, &s, longestReply) != nil { // that it is there takes less
		return
	}
	s.Worker = m.Header.Get(workerHeader)
	s = s.cutToBounds()
	if s == (said{Worker: s.Worker}) && !c.isOpen(ctx, key) {
		if _, conn, own, _ := c.currentQueue(); conn != nil {
			_ = tellCancelled(conn, own, s.Worker, key)
		}
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if a := c.pending[key]; a != nil {
		a.worker = s.Worker
		select {
		case a.speech <- s:
		default:
		}
	}
}
