package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// question is a marker and what became of it.
type question struct {
	id                       int
	note                     string
	saved, started, answered time.Time // started is guarded by the agent's mu
}

// agent is a model server that answers at once.
type agent struct {
	url       string
	mu        sync.Mutex // guards the field below
	questions []*question
}

func startAgent() *agent {
	a := new(agent)
	a.url = httptest.NewServer(http.HandlerFunc(a.answer)).URL + "/v1"
	return a
}

func (a *agent) newQuestion(note string) *question {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := &question{id: len(a.questions), note: note}
	a.questions = append(a.questions, q)
	return q
}

// startOf is when the agent was asked; zero before.
func (a *agent) startOf(q *question) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return q.started
}

// asked finds the question of a task; no other text has this form.
var asked = regexp.MustCompile(`Request 1 \(Line \d+\): q-(\d+) `)

// answerText makes an answer as long as a person's agent writes them: some 300 bytes.
var answerText = strings.Repeat(" It takes a sentence or two to say what the notes have of that.", 4) + " No more is known."

func (a *agent) answer(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	body, _ := io.ReadAll(r.Body)
	found := asked.FindSubmatch(body)
	if found == nil {
		http.Error(w, "no question", http.StatusBadRequest)
		return
	}
	id, _ := strconv.Atoi(string(found[1]))
	a.mu.Lock()
	if q := a.questions[id]; q.started.IsZero() {
		q.started = now
	}
	a.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"model":"m","choices":[{"finish_reason":"stop","message":{"content":"This is answer %d.%s"}}]}`, id, answerText)
}

// engine is one run of the program.
type engine struct {
	cmd *exec.Cmd
	url string // of its status
}

// config is what a person would write, without the limits that hold back a burst.
const config = `wiki:
  vaults: [%q]
  notify: false
  settle: %v
  watch: {mode: %s}
  limits: {perNote: 0, perHour: 0, perDay: 0, burst: 100000}
  agents:
    Bench: {runner: openai, url: %q, model: m}
`

// start starts the program and returns when its server answers.
func (b *bench) start() *engine {
	check(os.WriteFile(b.configFile(), fmt.Appendf(nil, config, b.vault, b.settle, b.watch, b.agent.url), 0o600))
	os.Remove(filepath.Join(b.vault, ".vault-mind", "server.json"))
	cmd := exec.Command(b.wiki, "run", "--config", b.configFile(), "--port", "0")
	cmd.Env = b.environment()
	log, err := os.OpenFile(filepath.Join(b.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	check(err)
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // when the bench gives up
	check(cmd.Start())
	e := &engine{cmd: cmd}
	await("the engine's port", time.Minute, func() bool {
		var at struct{ Port int }
		src, err := os.ReadFile(filepath.Join(b.vault, ".vault-mind", "server.json"))
		if err != nil || json.Unmarshal(src, &at) != nil {
			return false
		}
		e.url = fmt.Sprintf("http://127.0.0.1:%d/vault-mind/status", at.Port)
		return true
	})
	return e
}

func (b *bench) configFile() string { return filepath.Join(b.dir, "config.yaml") }

// stop ends the program as its service does.
func (e *engine) stop() {
	check(e.cmd.Process.Signal(syscall.SIGTERM))
	check(e.cmd.Wait())
}

// status returns a status, its size and how long it took.
func (e *engine) status() (body []byte, took time.Duration) {
	begun := time.Now()
	resp, err := http.Get(e.url)
	check(err)
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	check(err)
	return body, time.Since(begun)
}

// rest returns when the program has used less than 1 % of a core for two seconds, what it has
// used until then, and when that began.
func (e *engine) rest() (used time.Duration, since time.Time) {
	used, since = e.cpu(), time.Now()
	for time.Since(since) < 2*time.Second {
		time.Sleep(50 * time.Millisecond)
		if now := e.cpu(); now-used > 10*time.Millisecond {
			used, since = now, time.Now()
		}
	}
	return used, since
}

// memory reads a line of /proc/PID/status, in MB.
func (e *engine) memory(key string) float64 {
	src, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", e.cmd.Process.Pid))
	check(err)
	_, rest, _ := strings.Cut(string(src), key+":")
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	check(err)
	return float64(kilobytes) / 1024
}

// cpu reads what the program has used: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
func (e *engine) cpu() time.Duration {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", e.cmd.Process.Pid))
	check(err)
	fields := strings.Fields(string(line[strings.LastIndexByte(string(line), ')')+1:]))
	user, err := strconv.Atoi(fields[11])
	check(err)
	system, err := strconv.Atoi(fields[12])
	check(err)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// await looks often, but takes a tenth of a core at most: what is measured needs the rest.
func await(what string, limit time.Duration, done func() bool) {
	for begun := time.Now(); ; {
		look := time.Now()
		if done() {
			return
		}
		if time.Since(begun) > limit {
			log.Fatalf("%s did not come in %v", what, limit)
		}
		time.Sleep(max(10*time.Millisecond, 9*time.Since(look)))
	}
}
