package queue_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/queue"
	"vaultdispatcher/engine/queue/hub"
	"vaultdispatcher/engine/testdata/testmain"
)

// site is a hub, and what the engine's journal says of its dispatches.
type site struct {
	t      *testing.T
	folder string
	hub    *hub.Hub
	addr   string
	end    func()

	mu   sync.Mutex
	done map[string]bool // dispatches that want nothing any more
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, folder: t.TempDir(), done: make(map[string]bool)}
	s.start()
	t.Cleanup(func() { s.end() })
	return s
}

// start starts the hub; end ends it.
func (s *site) start() {
	s.t.Helper()
	h, err := hub.Open(s.folder)
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan net.Addr, 1), make(chan error, 1)
	go func() { ended <- h.Run(ctx, "127.0.0.1:0", quiet, func(a net.Addr) { ready <- a }) }()
	select {
	case a := <-ready:
		s.hub, s.addr = h, a.String()
	case err := <-ended:
		s.t.Fatal(err)
	}
	s.end = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			s.t.Error(err)
		}
	})
}

var quiet = slog.New(slog.DiscardHandler)

func (s *site) engineCredentials() (queue.Credentials, error) {
	return queue.Read(queue.EngineFile(s.folder), "", "")
}

func (s *site) finish(dispatch string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done[dispatch] = true
}

// client is an engine's end of the queue.
func (s *site) client() (*queue.Client, func()) {
	c := queue.NewClient(queue.Options{
		Credentials: s.engineCredentials, Log: quiet,
		IsOpen: func(_ context.Context, dispatch string, _ int) bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			return !s.done[dispatch]
		},
	})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { c.Run(ctx); close(ended) }()
	stop := sync.OnceFunc(func() { cancel(); <-ended })
	s.t.Cleanup(stop)
	return c, stop
}

// join makes credentials of a worker.
func (s *site) join(name string, lanes ...string) queue.Credentials {
	s.t.Helper()
	token, err := s.hub.NewToken([]string{s.addr}, lanes)
	if err != nil {
		s.t.Fatal(err)
	}
	word, err := queue.ParseToken(token.String())
	if err != nil {
		s.t.Fatal(err)
	}
	c, err := queue.Join(word, name)
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// work runs a worker until the test ends or stop is called.
func (s *site) work(w *queue.Worker) (stop func()) {
	w.Log, w.Grace = quiet, time.Minute
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { _ = w.Run(ctx); close(ended) }()
	stop = sync.OnceFunc(func() { cancel(); <-ended })
	s.t.Cleanup(stop)
	return stop
}

// admin is the queue as the engine's key opens it.
func (s *site) admin() jetstream.JetStream {
	s.t.Helper()
	c, err := s.engineCredentials()
	if err != nil {
		s.t.Fatal(err)
	}
	conn, err := c.Dial()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		s.t.Fatal(err)
	}
	return js
}

// hurry has a lane give a task to the next worker after a second of silence.
func (s *site) hurry(lane string) {
	s.t.Helper()
	_, err := s.admin().CreateOrUpdateConsumer(s.t.Context(), "WIKI_TASKS", jetstream.ConsumerConfig{
		Durable: lane, FilterSubject: "wiki.task." + lane + ".>", AckPolicy: jetstream.AckExplicitPolicy, AckWait: time.Second, MaxDeliver: -1,
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// left counts the messages of a stream.
func (s *site) left(stream string) uint64 {
	s.t.Helper()
	i, err := s.admin().Stream(s.t.Context(), stream)
	if err != nil {
		s.t.Fatal(err)
	}
	return i.CachedInfo().State.Msgs
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

var lane = queue.RoleLane("Writer")

func aTask(id string) agent.Task {
	return agent.Task{ID: id, Role: "Writer", Agent: "vault-mind-writer", Text: "What is " + id + "?", Root: "/secret/vault",
		Desk: agent.Desk{Address: "http://127.0.0.1:1", Ticket: "secret"}}
}

func TestAnswerComesBack(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	c, _ := s.client()
	var got agent.Task
	s.work(&queue.Worker{Credentials: s.join("box", lane), Lanes: []string{lane}, Answer: func(_ context.Context, task agent.Task) (agent.Reply, error) {
		got = task
		return agent.Reply{Text: "an answer", Usage: agent.Usage{Model: "m", Input: 3, Output: 4, Cost: 0.5}}, nil
	}})
	reply, err := c.Runner(lane).Run(within(t), aTask("d1"))
	if err != nil || reply.Text != "an answer" || reply.Usage != (agent.Usage{Model: "m", Input: 3, Output: 4, Cost: 0.5}) {
		t.Fatalf("the reply is %+v, %v", reply, err)
	}
	if got.Text != "What is d1?" || got.Root != "" || got.Desk != (agent.Desk{}) {
		t.Errorf("the worker got %+v", got)
	}
	s.finish("d1")
	s.awaitEmpty()
}

// awaitEmpty waits until nothing is left of what is done.
func (s *site) awaitEmpty() {
	s.t.Helper()
	end := time.Now().Add(2 * time.Minute)
	for s.left("WIKI_TASKS")+s.left("WIKI_RESULTS") > 0 {
		if time.Now().After(end) {
			s.t.Fatal("the queue still holds what is done")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestFailureComesBack(t *testing.T) {
	s := newSite(t)
	c, _ := s.client()
	until := time.Now().Add(time.Hour).Round(time.Second).UTC()
	s.work(&queue.Worker{Credentials: s.join("box", lane), Lanes: []string{lane}, Answer: func(context.Context, agent.Task) (agent.Reply, error) {
		f := agent.Fail(&agent.RateLimited{Program: "claude", Expiry: until})
		f.Detail, f.Tries, f.Unread, f.Cut = "its last words", 2, "no JSON", "half an answer"
		return agent.Reply{}, f
	}})
	_, err := c.Runner(lane).Run(within(t), aTask("d1"))
	f, ok := errors.AsType[*agent.Failure](err)
	limit, limited := errors.AsType[*agent.RateLimited](err)
	if !ok || f.Kind != agent.Transient || f.Detail != "its last words" || f.Tries != 2 || f.Unread != "no JSON" || f.Cut != "half an answer" || !limited || !limit.Expiry.Equal(until) {
		t.Errorf("the failure is %#v", err)
	}
	s.awaitEmpty() // who has failed may be asked anew, so the failure is used
}

func TestCancelReachesTheAgent(t *testing.T) {
	s := newSite(t)
	c, _ := s.client()
	began, ended := make(chan struct{}), make(chan struct{})
	s.work(&queue.Worker{Credentials: s.join("box", lane), Lanes: []string{lane}, Answer: func(ctx context.Context, _ agent.Task) (agent.Reply, error) {
		close(began)
		<-ctx.Done()
		close(ended)
		return agent.Reply{}, ctx.Err()
	}})
	ctx, cancel := context.WithCancel(within(t))
	go func() { <-began; cancel() }()
	if _, err := c.Runner(lane).Run(ctx, aTask("d1")); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ended with %v", err)
	}
	<-ended
	s.finish("d1")
	s.awaitEmpty()
}

// TestCancelCrossesTheFirstWord: a task is given up while a worker takes it, before the engine has heard of that.
func TestCancelCrossesTheFirstWord(t *testing.T) {
	s := newSite(t)
	c, _ := s.client()
	ctx, cancel := context.WithCancel(within(t))
	ended := make(chan struct{})
	w := &queue.Worker{Credentials: s.join("box", lane), Lanes: []string{lane}, Answer: func(ctx context.Context, _ agent.Task) (agent.Reply, error) {
		<-ctx.Done()
		close(ended)
		return agent.Reply{}, ctx.Err()
	}}
	w.Reach(func(point string) {
		if point == "taken" {
			cancel()
			s.awaitEmpty() // the engine has given it up, and knows of no worker
		}
	})
	s.work(w)
	if _, err := c.Runner(lane).Run(ctx, aTask("d1")); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ended with %v", err)
	}
	select {
	case <-ended:
	case <-within(t).Done():
		t.Error("the agent goes on")
		s.finish("d1") // its next word is answered
	}
}

func TestProgressIsHeard(t *testing.T) {
	s := newSite(t)
	c, _ := s.client()
	heard := make(chan string, 8)
	said, told := make(chan struct{}), make(chan struct{})
	s.work(&queue.Worker{Credentials: s.join("box", lane), Lanes: []string{lane}, Answer: func(_ context.Context, task agent.Task) (agent.Reply, error) {
		task.Listener("half an")
		<-said
		task.Tell("step 2")
		<-told
		return agent.Reply{Text: "half an answer"}, nil
	}})
	task := aTask("d1")
	task.Listener = func(text string) { heard <- text; close(said) }
	task.Tell = func(text string) { heard <- text; close(told) }
	if _, err := c.Runner(lane).Run(within(t), task); err != nil {
		t.Fatal(err)
	}
	if a, b := <-heard, <-heard; a != "half an" || b != "step 2" {
		t.Errorf("heard %q and %q", a, b)
	}
}

// TestKilledWorker ends a worker at each point of its way; the answer comes all the same, once.
func TestKilledWorker(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it waits until a worker is believed to be gone")
	for _, point := range []string{"asked", "answered", "given"} {
		t.Run(point, func(t *testing.T) {
			s := newSite(t)
			s.hurry(lane)
			c, _ := s.client()
			forever := make(chan struct{})
			t.Cleanup(func() { close(forever) }) // before the workers are waited for
			killed := make(chan struct{})
			first := &queue.Worker{Credentials: s.join("first", lane), Lanes: []string{lane}, Answer: answer}
			first.Reach(func(p string) {
				if p == point {
					first.Cut()
					close(killed)
					<-forever
				}
			})
			first.Log = quiet
			go func() { _ = first.Run(t.Context()) }()
			came := run(within(t), c, "d1")
			<-killed
			s.work(&queue.Worker{Credentials: s.join("second", lane), Lanes: []string{lane}, Answer: answer})
			if o := <-came; o.err != nil || o.reply.Text != "answered" {
				t.Errorf("the reply is %+v, %v", o.reply, o.err)
			}
			s.finish("d1")
			s.awaitEmpty()
		})
	}
}

// TestKilledWorkerIsAway: a worker that was killed is on the list no more, also while what it said last still stands there.
func TestKilledWorkerIsAway(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.client() // makes the list
	w := &queue.Worker{Credentials: s.join("first", lane), Lanes: []string{lane}, Answer: answer}
	s.work(&queue.Worker{Credentials: s.join("second", lane), Lanes: []string{lane}, Answer: answer})
	w.Log = quiet
	go func() { _ = w.Run(t.Context()) }()
	engine, err := s.engineCredentials()
	if err != nil {
		t.Fatal(err)
	}
	list := func() (names []string) {
		there, err := queue.Workers(t.Context(), engine)
		if err != nil && !errors.Is(err, jetstream.ErrBucketNotFound) {
			t.Fatal(err)
		}
		for _, i := range there {
			names = append(names, i.Name)
		}
		return names
	}
	await := func(want ...string) {
		for end := time.Now().Add(time.Minute); !slices.Equal(list(), want); <-time.After(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("there are %q, want %q", list(), want)
			}
		}
	}
	await("first", "second")
	w.Cut()
	await("second")
	bucket, err := s.admin().KeyValue(t.Context(), "wiki_workers")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bucket.Get(t.Context(), "first"); err != nil {
		t.Errorf("it has gone by itself (%v), which shows nothing", err)
	}
}

// outcome is what a run has brought back.
type outcome struct {
	reply agent.Reply
	err   error
}

// run asks in a goroutine.
func run(ctx context.Context, c *queue.Client, id string) <-chan outcome {
	came := make(chan outcome, 1)
	go func() {
		reply, err := c.Runner(lane).Run(ctx, aTask(id))
		came <- outcome{reply, err}
	}()
	return came
}

func answer(context.Context, agent.Task) (agent.Reply, error) {
	return agent.Reply{Text: "answered"}, nil
}

func TestThreeDeadWorkers(t *testing.T) {
	s := newSite(t)
	s.hurry(lane)
	c, _ := s.client()
	var asked atomic.Int32
	w := &queue.Worker{Credentials: s.join("box", lane), Lanes: []string{lane}, Slots: 1}
	w.Answer = func(ctx context.Context, _ agent.Task) (agent.Reply, error) {
		asked.Add(1)
		return agent.Reply{}, nil
	}
	s.deliverThrice()
	s.work(w)
	_, err := c.Runner(lane).Run(within(t), aTask("d1"))
	f, ok := errors.AsType[*agent.Failure](err)
	if !ok || f.Kind != agent.Permanent || asked.Load() != 0 {
		t.Errorf("the run ended with %v after %d askings", err, asked.Load())
	}
}

// deliverThrice takes the next task three times and gives it back, as three dying workers do.
func (s *site) deliverThrice() {
	s.t.Helper()
	js := s.admin()
	consumer, err := js.Consumer(s.t.Context(), "WIKI_TASKS", lane)
	if err != nil {
		s.t.Fatal(err)
	}
	c, _ := s.client()
	ctx, cancel := context.WithCancelCause(context.Background())
	ended := make(chan struct{})
	go func() { _, _ = c.Runner(lane).Run(ctx, aTask("d1")); close(ended) }()
	for range 3 {
		m, err := consumer.Next(jetstream.FetchMaxWait(time.Minute))
		if err != nil {
			s.t.Fatal(err)
		}
		if err := m.Nak(); err != nil {
			s.t.Fatal(err)
		}
	}
	cancel(agent.ErrStopping)
	<-ended
}

// TestEngineRestart ends the engine while its task is at work: the next one gets that result, and the
// agent was asked once.
func TestEngineRestart(t *testing.T) {
	s := newSite(t)
	var asked atomic.Int32
	began, goOn := make(chan struct{}), make(chan struct{})
	s.work(&queue.Worker{Credentials: s.join("box", lane), Lanes: []string{lane}, Answer: func(context.Context, agent.Task) (agent.Reply, error) {
		if asked.Add(1) == 1 {
			close(began)
		}
		<-goOn
		return agent.Reply{Text: "answered"}, nil
	}})
	c, stop := s.client()
	ctx, cancel := context.WithCancelCause(within(t))
	go func() { <-began; cancel(agent.ErrStopping) }()
	if _, err := c.Runner(lane).Run(ctx, aTask("d1")); !errors.Is(err, context.Canceled) {
		t.Fatalf("the run ended with %v", err)
	}
	stop()
	close(goOn)
	c, _ = s.client()
	reply, err := c.Runner(lane).Run(within(t), aTask("d1"))
	if err != nil || reply.Text != "answered" || asked.Load() != 1 {
		t.Errorf("the reply is %+v, %v after %d askings", reply, err, asked.Load())
	}
}

// TestQueueFolderDeleted deletes the queue while tasks wait in it.
func TestQueueFolderDeleted(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	c, _ := s.client()
	came := run(within(t), c, "d1")
	for s.left("WIKI_TASKS") == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	s.end()
	if err := os.RemoveAll(filepath.Join(queue.HubFolder(s.folder), "queue")); err != nil {
		t.Fatal(err)
	}
	s.start()
	s.work(&queue.Worker{Credentials: s.join("box", lane), Lanes: []string{lane}, Answer: answer})
	if o := <-came; o.err != nil || o.reply.Text != "answered" {
		t.Errorf("the reply is %+v, %v", o.reply, o.err)
	}
}

// TestAskedAnew asks again what was answered before, as a person's retry does.
func TestAskedAnew(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	c, _ := s.client()
	s.work(&queue.Worker{Credentials: s.join("box", lane), Lanes: []string{lane}, Answer: answer})
	for range 3 {
		reply, err := c.Runner(lane).Run(within(t), aTask("d1"))
		if err != nil || reply.Text != "answered" {
			t.Fatalf("the reply is %+v, %v", reply, err)
		}
	}
}

func TestWhyAway(t *testing.T) {
	s := newSite(t)
	c, _ := s.client()
	stop := s.work(&queue.Worker{Credentials: s.join("box", lane), Lanes: []string{lane}, Answer: answer})
	await(t, func() bool { return c.WhyAway(lane) == "" })
	if c.WhyAway(queue.LabelLane("gpu")) == "" {
		t.Error("a lane that nobody takes is thought to be taken")
	}
	stop()
	await(t, func() bool { return c.WhyAway(lane) != "" })
}

func await(t *testing.T, is func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not come to that")
		}
	}
}

// TestOverWhileTheEngineIsAway gives up two questions while no engine runs: one that waits, and one that a
// worker has. The first is asked nobody, the agent of the second is ended.
func TestOverWhileTheEngineIsAway(t *testing.T) {
	t.Parallel()
	for _, taken := range []bool{false, true} {
		s := newSite(t)
		s.hurry(lane)
		began, ended := make(chan struct{}), make(chan struct{})
		if taken {
			w := &queue.Worker{Credentials: s.join("box", lane), Lanes: []string{lane}, Answer: func(ctx context.Context, _ agent.Task) (agent.Reply, error) {
				close(began)
				<-ctx.Done()
				close(ended)
				return agent.Reply{}, ctx.Err()
			}}
			w.KeepEvery(300 * time.Millisecond)
			s.work(w)
		}
		c, stop := s.client()
		ctx, cancel := context.WithCancelCause(within(t))
		came := run(ctx, c, "d1")
		if taken {
			<-began
		}
		await(t, func() bool { return s.left("WIKI_TASKS") == 1 })
		cancel(agent.ErrStopping)
		<-came
		stop()
		s.finish("d1")
		s.client()
		s.awaitEmpty()
		if taken {
			<-ended
		}
	}
}
