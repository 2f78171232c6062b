package hub_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/queue"
	"vaultdispatcher/engine/queue/hub"
	"vaultdispatcher/engine/testdata/testseed"
)

// hostileMessages is how many messages a hostile client sends.
const hostileMessages = 1000

// TestHostileWorker has a client of somebody's own send what it likes with a worker's key, while an engine and other
// workers go on. Nothing of it acts: no task is read, taken out, held up, answered or ended but the one that this worker
// was given; nobody else is struck off the list; nothing is made in the queue.
func TestHostileWorker(t *testing.T) {
	s := newScene(t)
	acts := s.attack(s.evil)
	for _, act := range acts {
		t.Error(act)
	}
	s.finish()
	t.Logf("%d hostile messages, %d of them to subjects that a worker may publish to; %d acts", hostileMessages, s.allowed, len(acts))
	if s.allowed < hostileMessages/4 {
		t.Errorf("only %d messages came through to where they could do harm", s.allowed)
	}
}

// TestHostileEngineKey shows that the same messages act with a key that may do everything, so that the test above
// sees what it looks for.
func TestHostileEngineKey(t *testing.T) {
	s := newScene(t)
	engine, err := queue.Read(queue.EngineFile(s.state), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if acts := s.attack(engine); len(acts) == 0 {
		t.Errorf("none of %d hostile messages acts with a key that may do everything", hostileMessages)
	} else {
		t.Logf("the first act: %s", acts[0])
	}
}

// The roles' lanes: evil may take writer alone, good takes all three.
var writer, miner, third = queue.RoleLane("Writer"), queue.RoleLane("Miner"), queue.RoleLane("Third")

// scene is a team on an ordinary day.
type scene struct {
	t           *testing.T
	hub         *hub.Hub
	state, addr string
	js          jetstream.JetStream // as the engine has it
	engine      *queue.Client
	good, evil  queue.Credentials
	release     chan struct{} // closed when the good worker is to answer
	came        map[string]chan outcome
	allowed     int // messages that a worker may send

	mu      sync.Mutex // guards the fields below
	asked   map[string]int
	ended   []string             // tasks of the good worker whose agent was ended
	said    []string             // that the engine heard
	sniffed []*nats.Msg          // by the hostile client
	held    map[string]*nats.Msg // of these, what was given to the hostile worker, by dispatch
	subject map[string]string    // of each task, by dispatch
	number  map[string]uint64    // of each message, by dispatch
}

type outcome struct {
	text string
	err  error
}

// newScene asks four questions: the good worker has "mined" and "written" at work, the hostile one has "own", and
// "waits" waits for the good one, whose places are taken: a lane that no worker takes is given up after a minute.
func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{t: t, release: make(chan struct{}), came: make(map[string]chan outcome), asked: make(map[string]int),
		held: make(map[string]*nats.Msg), subject: make(map[string]string), number: make(map[string]uint64)}
	s.hub, s.state, s.addr = serve(t)
	s.good, s.evil = join(t, s.hub, s.addr, "good", writer, miner, third), join(t, s.hub, s.addr, "evil", writer)
	s.engine = queue.NewClient(queue.Options{
		Credentials: func() (queue.Credentials, error) { return queue.Read(queue.EngineFile(s.state), "", "") },
		IsOpen:      func(context.Context, string, int) bool { return true }, Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	t.Cleanup(func() { cancel(); all.Wait() })
	all.Go(func() { s.engine.Run(ctx) })
	s.js = s.admin()
	s.work(ctx, &all, s.good, 2, writer, miner, third)
	s.ask(ctx, &all, "mined", miner)
	s.ask(ctx, &all, "written", writer)
	s.await(func() bool { return s.asked["mined"] == 1 && s.asked["written"] == 1 })
	s.sniff(s.evil)
	s.work(ctx, &all, s.evil, 1, writer)
	s.ask(ctx, &all, "own", writer)
	s.ask(ctx, &all, "waits", third)
	s.await(func() bool { return s.asked["own"] == 1 && s.held["own"] != nil })
	s.await(func() bool { s.findTasks(); return len(s.subject) == 4 })
	return s
}

// admin is the queue as the engine's key opens it.
func (s *scene) admin() jetstream.JetStream {
	s.t.Helper()
	c, err := queue.Read(queue.EngineFile(s.state), "", "")
	if err != nil {
		s.t.Fatal(err)
	}
	conn, _, err := come(s.t, c, c.Seed)
	if err != nil {
		s.t.Fatal(err)
	}
	js, err := jetstream.New(conn)
	if err != nil {
		s.t.Fatal(err)
	}
	return js
}

func (s *scene) await(is func() bool) {
	s.t.Helper()
	locked := func() bool { s.mu.Lock(); defer s.mu.Unlock(); return is() }
	for end := time.Now().Add(2 * time.Minute); !locked(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatal("it did not come to that")
		}
	}
}

// work runs a worker whose agents answer when they are released.
func (s *scene) work(ctx context.Context, all *sync.WaitGroup, c queue.Credentials, slots int, lanes ...string) {
	w := &queue.Worker{Credentials: c, Lanes: lanes, Slots: slots, Log: slog.New(slog.DiscardHandler), Answer: func(ctx context.Context, task agent.Task) (agent.Reply, error) {
		s.mu.Lock()
		s.asked[task.ID]++
		s.mu.Unlock()
		select {
		case <-s.release:
			return agent.Reply{Text: c.Name + " has answered " + task.ID}, nil
		case <-ctx.Done():
			s.mu.Lock()
			defer s.mu.Unlock()
			s.ended = append(s.ended, task.ID)
			return agent.Reply{}, ctx.Err()
		}
	}}
	all.Go(func() { _ = w.Run(ctx) })
}

// ask asks one question whose text is known to nobody else.
func (s *scene) ask(ctx context.Context, all *sync.WaitGroup, id, lane string) {
	came := make(chan outcome, 1)
	s.came[id] = came
	heard := func(text string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.said = append(s.said, id+": "+text)
	}
	all.Go(func() {
		reply, err := s.engine.Runner(lane).Run(ctx, agent.Task{ID: id, Role: "Any", Text: secretOf(id), Listener: heard, Tell: heard})
		came <- outcome{reply.Text, err}
	})
}

func secretOf(id string) string { return "what is asked in " + id + " is a secret" }

// sniff hears all that the server sends to whoever has a key.
func (s *scene) sniff(c queue.Credentials) {
	s.t.Helper()
	conn, _, err := come(s.t, c, c.Seed)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, subject := range []string{queue.InboxOf(c.Name) + ".>", "wiki.cancel." + c.Name + ".>", "wiki.drain." + c.Name} {
		if _, err := conn.Subscribe(subject, func(m *nats.Msg) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.sniffed = append(s.sniffed, m)
			if strings.HasPrefix(m.Subject, "wiki.task.") && s.held[strings.Split(m.Subject, ".")[4]] == nil {
				s.held[strings.Split(m.Subject, ".")[4]] = m
			}
		}); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := conn.Flush(); err != nil {
		s.t.Fatal(err)
	}
}

// findTasks keeps which messages the tasks are. The caller holds the mutex.
func (s *scene) findTasks() {
	for subject, number := range s.messagesOf("WIKI_TASKS") {
		id := strings.Split(subject, ".")[4]
		s.subject[id], s.number[id] = subject, number
	}
}

// messagesOf returns what a stream has, by subject.
func (s *scene) messagesOf(name string) map[string]uint64 {
	s.t.Helper()
	found := make(map[string]uint64)
	stream, err := s.js.Stream(s.t.Context(), name)
	if err != nil {
		return found
	}
	info, err := stream.Info(s.t.Context(), jetstream.WithSubjectFilter(">"))
	if err != nil {
		return found
	}
	for subject := range info.State.Subjects {
		if m, err := stream.GetLastMsgForSubject(s.t.Context(), subject); err == nil {
			found[subject] = m.Sequence
		}
	}
	return found
}

// attack sends the hostile messages with a key, and returns what they did.
func (s *scene) attack(c queue.Credentials) (acts []string) {
	s.t.Helper()
	g := &generator{s: s, r: rand.New(rand.NewPCG(testseed.Take(s.t), 0)), own: c.Name}
	before := s.look()
	conn, _, err := come(s.t, c, c.Seed)
	if err != nil {
		s.t.Fatal(err)
	}
	var batch []string
	for sent := 1; sent <= hostileMessages; sent++ {
		m := g.message()
		if err := conn.PublishMsg(m); err != nil && conn.IsClosed() {
			if conn, _, err = come(s.t, c, c.Seed); err != nil { // the server has hung up
				s.t.Fatal(err)
			}
		}
		if strings.HasPrefix(m.Subject, "wiki.work.evil.") || strings.HasPrefix(m.Subject, "_INBOX_evil.") || m.Subject == "wiki.drain.evil" {
			s.allowed++
		}
		batch = append(batch, fmt.Sprintf("  %s reply %s headers %v: %.100q", m.Subject, m.Reply, m.Header, m.Data))
		if sent%25 > 0 && sent < hostileMessages {
			continue
		}
		s.settle(conn, c.Name)
		if now := s.look(); !reflect.DeepEqual(now, before) {
			return append(acts, fmt.Sprintf("%s, after one of\n%s", now.differFrom(before), strings.Join(batch, "\n")))
		}
		batch = nil
	}
	return s.readSecrets()
}

// settle waits until what was sent is done: the gate takes what one worker asks in its order.
func (s *scene) settle(conn *nats.Conn, name string) {
	_ = conn.FlushTimeout(time.Minute) // it may be closed
	_, _ = conn.Request("wiki.work."+name+".here", []byte(`{"lanes":["`+writer+`"]}`), time.Second)
	_ = conn.FlushTimeout(time.Minute)
	_, _ = s.js.AccountInfo(s.t.Context())
}

// finish releases all agents: everybody is answered by who was to answer.
func (s *scene) finish() {
	s.t.Helper()
	close(s.release)
	for _, id := range []string{"mined", "written", "waits"} {
		select {
		case o := <-s.came[id]:
			if o.err != nil || o.text != "good has answered "+id {
				s.t.Errorf("%s is answered %q, %v", id, o.text, o.err)
			}
		case <-time.After(2 * time.Minute):
			s.t.Errorf("%s is not answered", id)
		}
	}
}
