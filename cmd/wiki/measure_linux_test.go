package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
)

// BenchmarkEngine starts the real binary on a made vault of 10,000 notes and
// reports what its user pays: how soon it watches, how soon all is indexed, how
// long a first question takes while it still indexes, what a save costs beyond
// debounce and settle, memory, and CPU when nothing happens.
func BenchmarkEngine(b *testing.B) {
	for b.Loop() {
		m := newMachine(b, 10_000)
		begun := time.Now()
		m.start(b)
		m.until(b, "watch", func(s api.Status) bool { return len(s.Vaults) == 1 && s.Vaults[0].Notes >= 10_000 })
		b.ReportMetric(float64(time.Since(begun).Milliseconds()), "ms-to-watch")

		first := m.ask(b, "first.md")
		b.ReportMetric(float64(first.Milliseconds()), "ms-first-answer-while-indexing")

		m.until(b, "index", func(s api.Status) bool { return s.Vaults[0].State == "watching" && s.Index.Pending == 0 })
		b.ReportMetric(float64(time.Since(begun).Milliseconds()), "ms-to-index")

		overhead := time.Hour
		for i := range 10 {
			overhead = min(overhead, m.overhead(b, fmt.Sprintf("n%d.md", i)))
		}
		b.ReportMetric(float64(overhead.Microseconds())/1000, "ms-save-to-dispatch-beyond-debounce")

		ticks := m.ticks(b)
		time.Sleep(10 * time.Second)
		b.ReportMetric(float64(m.ticks(b)-ticks), "idle-ticks-in-10s")
		b.ReportMetric(m.memory(b, "VmRSS"), "MB-RSS")
		b.ReportMetric(m.memory(b, "VmHWM"), "MB-peak")
		m.stop(b)
	}
}

var polledSaves = flag.Int("wiki.polledsaves", 8, "how many saves of each kind BenchmarkPolledSaves makes")

// BenchmarkPolledSaves reports how long the real binary takes from a save to the
// answer in a vault of 10,000 notes that is polled: of a note that is saved again and
// again, of new notes, and of notes that were not touched before, written in place.
// Debounce and the run of a small program are part of it.
func BenchmarkPolledSaves(b *testing.B) {
	b.Setenv("WIKI_WATCH_MODE", "poll")
	m := newMachine(b, 10_000)
	m.start(b)
	m.until(b, "index", func(s api.Status) bool {
		return len(s.Vaults) == 1 && s.Vaults[0].Watch == "poll" && s.Vaults[0].State == "watching" && s.Index.Pending == 0
	})
	kinds := []struct {
		name string
		note func(i int) string
	}{
		{"again", func(int) string { return "again.md" }},
		{"new", func(i int) string { return fmt.Sprintf("new %d.md", i) }},
		{"cold", func(i int) string { return noteName(i * 397) }},
	}
	for b.Loop() {
		for _, kind := range kinds {
			var took []time.Duration
			for i := range *polledSaves {
				time.Sleep(rand.N(2 * time.Second)) // at no particular time of a round
				took = append(took, m.asked(b, kind.note(i), fmt.Sprintf("%s %d", kind.name, i)))
			}
			slices.Sort(took)
			b.ReportMetric(took[len(took)/2].Seconds(), "s-"+kind.name+"-p50")
			b.ReportMetric(took[len(took)-1].Seconds(), "s-"+kind.name+"-max")
		}
	}
	m.stop(b)
}

// measured is one engine on one vault.
type measured struct {
	dir, vault string
	port       int
	cmd        *exec.Cmd
	client     *client.Client
}

const machineDebounce = 100 * time.Millisecond

func newMachine(b *testing.B, notes int) *measured {
	b.Helper()
	port, err := freePort()
	if err != nil {
		b.Fatal(err)
	}
	m := &measured{dir: b.TempDir(), port: port}
	m.vault = filepath.Join(m.dir, "vault")
	makeVault(b, m.vault, notes)
	out, err := exec.Command("go", "build", "-o", filepath.Join(m.dir, "wiki"), ".").CombinedOutput()
	if err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	config := fmt.Sprintf("wiki:\n  vaults: [%q]\n  httpPort: %d\n  debounce: %s\n  settle: 0\n  limits: {perHour: 0, perDay: 0, burst: 0}\n  agents:\n    Echo: {runner: command, command: [echo, answered]}\n", m.vault, port, machineDebounce)
	if err := os.WriteFile(filepath.Join(m.dir, "config.yaml"), []byte(config), 0o600); err != nil {
		b.Fatal(err)
	}
	return m
}

func (m *measured) start(b *testing.B) {
	b.Helper()
	m.cmd = exec.Command(filepath.Join(m.dir, "wiki"), "run", "--config", filepath.Join(m.dir, "config.yaml"))
	m.cmd.Env = append(os.Environ(), "HOME="+m.dir, "XDG_CONFIG_HOME=", "XDG_STATE_HOME=", "XDG_CACHE_HOME=")
	if err := m.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	m.client = client.New(m.port, "")
}

func (m *measured) stop(b *testing.B) {
	b.Helper()
	if err := m.cmd.Process.Signal(os.Interrupt); err != nil {
		b.Fatal(err)
	}
	if err := m.cmd.Wait(); err != nil {
		b.Fatal(err)
	}
}

// until polls the status.
func (m *measured) until(b *testing.B, what string, ok func(api.Status) bool) {
	b.Helper()
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		s, err := m.client.Status(context.Background())
		if err == nil && ok(s) {
			return
		}
		if time.Now().After(end) {
			b.Fatalf("%s: not within five minutes: %+v, %v", what, s, err)
		}
	}
}

// ask saves a note with a question and returns how long its answer took.
func (m *measured) ask(b *testing.B, name string) time.Duration {
	b.Helper()
	return m.asked(b, name, name)
}

func (m *measured) asked(b *testing.B, name, question string) time.Duration {
	b.Helper()
	path, begun := filepath.Join(m.vault, name), time.Now()
	if err := os.WriteFile(path, []byte("> @agent-Echo "+question+"\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	for {
		src, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(src), "<!-- /agent-response -->") {
			return time.Since(begun)
		}
		if time.Since(begun) > time.Minute {
			b.Fatalf("%s was not answered", name)
		}
		time.Sleep(time.Millisecond)
	}
}

// overhead is the time from a save to the start of its dispatch, as the journal
// has it to the millisecond, less the debounce.
func (m *measured) overhead(b *testing.B, name string) time.Duration {
	b.Helper()
	saved := time.Now()
	m.ask(b, name)
	s, err := m.client.Status(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	for _, d := range s.Dispatches {
		if d.File == name && d.StartedAt != nil {
			return d.StartedAt.Sub(saved) - machineDebounce
		}
	}
	b.Fatalf("no dispatch of %s", name)
	return 0
}

// ticks is the CPU time the engine has used, in hundredths of a second.
func (m *measured) ticks(b *testing.B) int {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", m.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	if err1 != nil || err2 != nil {
		b.Fatalf("cannot read %s", stat)
	}
	return user + system
}

// memory returns a figure of /proc/PID/status in MB.
func (m *measured) memory(b *testing.B, name string) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				b.Fatal(err)
			}
			return float64(kb) / 1024
		}
	}
	b.Fatalf("no %s", name)
	return 0
}

// makeVault fills a folder with notes of about 3.5 KB in folders of ten, always
// the same for the same number.
func makeVault(b *testing.B, root string, notes int) {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 4000)
	for i := range words {
		for range 3 + r.IntN(7) {
			words[i] += string(rune('a' + r.IntN(26)))
		}
	}
	for i := range notes {
		var text strings.Builder
		for h := range 5 {
			fmt.Fprintf(&text, "## %s %d\n\n", words[r.IntN(len(words))], h)
			for range 100 {
				text.WriteString(words[int(float64(len(words))*r.Float64()*r.Float64())] + " ")
			}
			fmt.Fprintf(&text, "[[note %d]]\n\n", r.IntN(notes))
		}
		path := filepath.Join(root, noteName(i))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
}

func noteName(i int) string {
	return fmt.Sprintf("folder %d/sub %d/note %d.md", i/100, i/10, i)
}
