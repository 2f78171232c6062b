//go:build workers

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
)

var (
	workersTasks   = flag.Int("workers.tasks", 200, "how many questions are asked, each a task of its own")
	workersCount   = flag.Int("workers.count", 6, "how many workers answer")
	workersKills   = flag.Int("workers.kills", 12, "how often a worker is killed at a random moment")
	workersHubs    = flag.Int("workers.hubkills", 3, "how often the hub is killed; each third time its queue is deleted")
	workersEngines = flag.Int("workers.enginekills", 2, "how often the engine is killed")
	workersCuts    = flag.Int("workers.cuts", 3, "how often the workers are cut off from the hub, in one of three ways")
)

// An engine, a hub and workers, each a process, and a network that fails: workers, hub and engine are killed
// at random moments, the queue is deleted, the workers are cut off. In the end every question is
// answered once, in its note and in the journal.
func TestWorkersKilledAtRandomMoments(t *testing.T) {
	w := newTeam(t, takeSeed(t))
	begun := time.Now()
	w.play()
	w.finish()
	w.judge()
	t.Logf("count: %d tasks by %d workers; %d kills of workers, %d of the hub, %d queues deleted, %d kills of the engine, %d cuts of the network; %d runs of agents; unanswered %d, double answers %d, not done in the journal %d; %.0f s",
		*workersTasks, *workersCount, *workersKills, *workersHubs, w.deleted, *workersEngines, *workersCuts, w.runs(), w.unanswered, w.double, w.open, time.Since(begun).Seconds())
}

// workTeam is a hub, an engine and workers.
type workTeam struct {
	t       *testing.T
	dice    *rand.Rand
	dir     string
	network *network
	hub     *process
	engine  *process
	workers []*process

	deleted, unanswered, double, open int
}

// run runs another call of the program and returns what it prints.
func (p *process) run(args ...string) string {
	p.t.Helper()
	out, err := p.command(args...).Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		p.t.Fatalf("wiki %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

func newTeam(t *testing.T, seed uint64) *workTeam {
	w := &workTeam{t: t, dice: rand.New(rand.NewPCG(seed, 0)), dir: t.TempDir()}
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	if w.network, err = newNetwork(address); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.network.close)
	engineConfig := w.write("engine/config.yaml", fmt.Sprintf("wiki:\n  vaults: [%q]\n  debounce: 20ms\n  settle: 100ms\n  limits: {perHour: 0, perDay: 0, burst: 0}\n  agents:\n    Writer: {runner: worker}\n", filepath.Join(w.dir, "vault")))
	if err := os.MkdirAll(filepath.Join(w.dir, "vault"), 0o755); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(engineConfig)
	w.hub = &process{t: t, dir: dir, args: []string{"hub", "--config", engineConfig, "--listen", address}}
	w.engine = &process{t: t, dir: dir, args: []string{"run", "--config", engineConfig, "--port", "0"}}
	w.hub.start()
	w.waitFor("the hub", time.Minute, func() bool {
		_, err := os.Stat(filepath.Join(dir, "state", "vault-dispatcher", "hub", "address"))
		return err == nil
	})
	for i := range *workersCount {
		name := fmt.Sprintf("worker%d", i)
		config := w.write(name+"/config.yaml", fmt.Sprintf("wiki:\n  agents:\n    Writer: {runner: command, command: [fake-agent, echo], env: {LOG: %q}}\n", filepath.Join(w.dir, name, "agent.log")))
		p := &process{t: t, dir: filepath.Dir(config), args: []string{"worker", "run", "--config", config, "--max", "2"}}
		token := w.hub.run("hub", "token", "--config", engineConfig, "--roles", "Writer", "--address", w.network.address())
		p.run("worker", "join", "--config", config, "--name", name, token)
		p.start()
		w.workers = append(w.workers, p)
	}
	w.engine.start()
	w.waitFor("the engine", time.Minute, func() bool { // what stands there before it has looked is held
		out, err := w.engine.command("status", "--json", "--config", engineConfig).Output()
		return err == nil && !bytes.Contains(out, []byte(`"indexing"`))
	})
	return w
}

func (w *workTeam) write(name, text string) string {
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// waitFor waits until something is true, at most so long.
func (w *workTeam) waitFor(what string, most time.Duration, is func() bool) bool {
	w.t.Helper()
	for end := time.Now().Add(most); !is(); <-time.After(20 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Errorf("waited %s for %s; engine:\n%s\nhub:\n%s", most, what, w.engine.output.String(), w.hub.output.String())
			return false
		}
	}
	return true
}

// perNote is how many questions a note has, each for a task of its own.
const perNote = 4

func teamNote(i int) string { return fmt.Sprintf("n%d.md", i/perNote) }

// ask saves the note that begins with question i.
func (w *workTeam) ask(i int) {
	var text strings.Builder
	for n := i; n < min(i+perNote, *workersTasks); n++ {
		fmt.Fprintf(&text, "line %d of the user\n\n> @agent-Writer:t%d question %d?\n\n", n, n, n)
	}
	w.write("vault/"+teamNote(i), text.String())
}

// play asks everything and lets all go wrong meanwhile, in an order that the seed decides. What goes wrong is
// spread evenly over the answers.
func (w *workTeam) play() {
	var fates []func()
	add := func(n int, fate func()) {
		for range n {
			fates = append(fates, fate)
		}
	}
	hubs := 0
	add(*workersKills, w.killWorker)
	add(*workersHubs, func() { hubs++; w.killHub(hubs%3 == 0) })
	add(*workersEngines, w.killEngine)
	add(*workersCuts, w.cut)
	w.dice.Shuffle(len(fates), func(i, j int) { fates[i], fates[j] = fates[j], fates[i] })
	asked := 0
	for i, fate := range fates {
		for ; asked < (i+1)**workersTasks/len(fates); asked += perNote {
			w.ask(asked)
		}
		if !w.waitFor("answers before the next fault", 2*time.Minute, func() bool { return w.runs() >= i**workersTasks/len(fates)*9/10 }) {
			return
		}
		<-time.After(time.Duration(w.dice.IntN(150)) * time.Millisecond)
		fate()
	}
	for ; asked < *workersTasks; asked += perNote {
		w.ask(asked)
	}
}

func (w *workTeam) rest() { <-time.After(time.Duration(w.dice.IntN(600)) * time.Millisecond) }

func (w *workTeam) killWorker() {
	p := w.workers[w.dice.IntN(len(w.workers))]
	p.kill()
	p.start()
}

func (w *workTeam) killHub(deleted bool) {
	w.hub.kill()
	if deleted {
		w.deleted++
		if err := os.RemoveAll(filepath.Join(w.hub.dir, "state", "vault-dispatcher", "hub", "queue")); err != nil {
			w.t.Error(err)
		}
	}
	w.rest()
	w.hub.start()
}

func (w *workTeam) killEngine() {
	w.engine.kill()
	w.rest()
	w.engine.start()
}

// cut takes the network away between the workers and the hub: nothing arrives, or all connections end, or
// everything is late.
func (w *workTeam) cut() {
	w.network.set(cuts[w.dice.IntN(len(cuts))])
	<-time.After(time.Duration(500+w.dice.IntN(2500)) * time.Millisecond)
	w.network.set(flows)
}

// runs is how many runs of agents have ended.
func (w *workTeam) runs() int {
	n := 0
	for i := range w.workers {
		n += countRuns(w.t, filepath.Join(w.dir, fmt.Sprintf("worker%d", i), "agent.log"))
	}
	return n
}

// finish waits until no marker is left and ends all in good order.
func (w *workTeam) finish() {
	i := 0 // a note that has its answers keeps them
	w.waitFor("the last answer", 5*time.Minute, func() bool {
		for ; i < *workersTasks; i += perNote {
			src, err := os.ReadFile(filepath.Join(w.dir, "vault", teamNote(i)))
			if err != nil || bytes.Contains(src, []byte("@agent-")) {
				return false
			}
		}
		return true
	})
	w.engine.end()
	for _, p := range w.workers {
		p.end()
	}
	w.hub.end()
}

// judge holds what was asked against the notes and the journal.
func (w *workTeam) judge() {
	for i := range *workersTasks {
		src, err := os.ReadFile(filepath.Join(w.dir, "vault", teamNote(i)))
		if err != nil {
			w.t.Fatal(err)
		}
		switch n := bytes.Count(src, fmt.Appendf(nil, "answer to question %d?\n", i)); {
		case n == 0:
			w.unanswered++
			w.t.Errorf("question %d has no answer:\n%s", i, src)
		case n > 1:
			w.double++
			w.t.Errorf("question %d has %d answers:\n%s", i, n, src)
		}
		if !bytes.Contains(src, fmt.Appendf(nil, "line %d of the user\n", i)) {
			w.t.Errorf("line %d is lost:\n%s", i, src)
		}
	}
	j, err := journal.On(database.Open(context.Background(), filepath.Join(w.engine.dir, "state", "vault-dispatcher", "journal.db")))
	if err != nil {
		w.t.Fatal(err)
	}
	defer j.Close()
	list, err := j.List(context.Background(), journal.Filter{Limit: 2 * *workersTasks})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, d := range list {
		if d.Status != journal.Done {
			w.open++
			w.t.Errorf("%s in %s is %s: %s", d.ID, d.File, d.Status, d.Error)
		}
	}
	if len(list) != *workersTasks {
		w.t.Errorf("the journal has %d dispatches for %d questions", len(list), *workersTasks)
	}
}

// How a network carries what it gets.
const (
	flows = iota
	stalls
	breaks
	delays
)

var cuts = []int{stalls, breaks, delays}

// network is what lies between the workers and the hub.
type network struct {
	listener net.Listener
	to       string

	mu    sync.Mutex // guards the fields below
	how   int
	conns map[net.Conn]bool
}

func newNetwork(to string) (*network, error) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &network{listener: ln, to: to, conns: make(map[net.Conn]bool)}
	go r.accept()
	return r, nil
}

func (r *network) address() string { return r.listener.Addr().String() }

func (r *network) accept() {
	for {
		in, err := r.listener.Accept()
		if err != nil {
			return
		}
		go r.carry(in)
	}
}

func (r *network) carry(in net.Conn) {
	defer in.Close()
	if r.is() == breaks {
		return
	}
	out, err := net.Dial("tcp4", r.to)
	if err != nil {
		return
	}
	defer out.Close()
	r.mu.Lock()
	r.conns[in], r.conns[out] = true, true
	r.mu.Unlock()
	defer func() { r.mu.Lock(); delete(r.conns, in); delete(r.conns, out); r.mu.Unlock() }()
	done := make(chan struct{}, 2)
	pass := func(to, from net.Conn) {
		r.pass(to, from)
		done <- struct{}{}
	}
	go pass(out, in)
	go pass(in, out)
	<-done
}

// pass carries bytes one way until a side ends.
func (r *network) pass(to io.Writer, from io.Reader) {
	buf := make([]byte, 16<<10)
	for {
		n, err := from.Read(buf)
		for r.is() == stalls {
			<-time.After(20 * time.Millisecond)
		}
		if r.is() == delays {
			<-time.After(200 * time.Millisecond)
		}
		if _, werr := to.Write(buf[:n]); err != nil || werr != nil {
			return
		}
	}
}

func (r *network) is() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.how
}

func (r *network) set(how int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.how = how; how == breaks {
		for conn := range r.conns {
			_ = conn.Close()
		}
	}
}

func (r *network) close() {
	_ = r.listener.Close()
	r.set(breaks)
}
