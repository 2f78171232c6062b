package engine

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
)

var dispatches = flag.Int("engine.dispatches", 40, "dispatches of the endurance test; what it uses is compared after a tenth of them and at the end")

// echoes answers every question with itself and counts.
type echoes struct{ runs atomic.Int64 }

func (r *echoes) Run(_ context.Context, task agent.Task) (agent.Reply, error) {
	r.runs.Add(1)
	return agent.Reply{Text: "answer to " + task.Requests[0].Instruction}, nil
}

// usage is what an engine uses.
type usage struct {
	goroutines, files int
	heap              int64
}

// used takes the smallest of several looks: what is open for a moment is no leak.
func used() usage {
	u := usage{1 << 30, 1 << 30, 1 << 60}
	for range 20 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		files, _ := os.ReadDir("/proc/self/fd") // empty where there is no such thing
		u = usage{min(u.goroutines, runtime.NumGoroutine()), min(u.files, len(files)), min(u.heap, int64(m.HeapAlloc))}
		<-time.After(20 * time.Millisecond)
	}
	return u
}

// Thousands of dispatches through the whole engine: each is asked once and
// answered once, and no goroutine, descriptor or memory is left over from them.
func TestEndurance(t *testing.T) {
	const hands, notes = 5, 500 // no two hands have the same note
	count := *dispatches
	runner := &echoes{}
	r := startEngine(t, t.TempDir(), runner)
	begun := time.Now()
	ask := func(from, to int) {
		var wg sync.WaitGroup
		for hand := range hands {
			wg.Go(func() {
				for i := from + hand; i < to && !t.Failed(); i += hands {
					r.ask(fmt.Sprintf("n%d.md", i%notes), i)
				}
			})
		}
		wg.Wait()
	}
	ask(0, count/10)
	r.told.forget()
	early := used()
	ask(count/10, count)
	r.told.forget()
	late := used()
	took := time.Since(begun)
	counts, err := r.journal.Counts(t.Context())
	if err != nil || counts[journal.Done] != count || len(counts) != 1 {
		t.Errorf("in the journal: %v, %v", counts, err)
	}
	if n := runner.runs.Load(); n != int64(count) {
		t.Errorf("%d runs for %d dispatches", n, count)
	}
	t.Logf("count: %d dispatches in %v; after a tenth %+v, at the end %+v", count, took.Round(time.Second), early, late)
	if late.goroutines > early.goroutines+4 || late.files > early.files+4 || late.heap > early.heap+3<<20 {
		t.Error("something grows")
	}
}

// ask saves a note with one question, has it looked at, and waits for its answer.
func (r *running) ask(name string, i int) {
	r.t.Helper()
	answer := fmt.Sprintf("answer to question %d?\n", i)
	r.save(name, fmt.Sprintf("# Note\n\n> @agent-Miner question %d?\n\nend %d\n", i, i))
	if _, err := r.Scan(r.t.Context(), r.Roots()[0], name, false); err != nil {
		r.t.Errorf("scan: %v", err)
	}
	got := r.until(name, answer)
	if want := fmt.Sprintf("# Note\n\n<!-- agent-response -->\n%s<!-- /agent-response -->\n\nend %d\n", answer, i); got != want {
		r.t.Errorf("%q, want %q", got, want)
	}
}
