package engine

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
)

var quietWithin = flag.Duration("engine.quiet", 0, "how soon a quiet note beside busy ones must have its answer; 0 = while they are busy")

// timed answers at once and remembers when.
type timed struct {
	echoes
	mu sync.Mutex // guards at
	at map[string]time.Time
}

func (e *timed) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	reply, err := e.echoes.Run(ctx, task)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.at[task.Note] = time.Now()
	return reply, err
}

// TestEightBusyNotes: eight notes that their editors save all the time keep their answers
// waiting, and those of no other note.
func TestEightBusyNotes(t *testing.T) {
	t.Parallel()
	runner := &timed{at: make(map[string]time.Time)}
	r := startEngine(t, t.TempDir(), runner)
	ctx, cancel := context.WithCancel(t.Context())
	var editors sync.WaitGroup
	defer editors.Wait()
	defer cancel()
	for i := range 8 {
		editors.Go(func() { keepSaving(ctx, t, filepath.Join(r.vault, fmt.Sprintf("busy%d.md", i)), question(i)) })
	}
	for r.count(journal.Processing)+r.count(journal.Queued) < 8 {
		r.pause()
	}
	var longest time.Duration
	for i := range 10 {
		name := fmt.Sprintf("quiet%d.md", i)
		r.save(name, question(100+i))
		r.until(name, answer(100+i))
		runner.mu.Lock()
		took := time.Since(runner.at[name])
		runner.mu.Unlock()
		longest = max(longest, took)
	}
	t.Logf("count: 10 quiet notes beside %d busy ones; the longest wait was %v", r.waiting(), longest)
	if *quietWithin > 0 && longest > *quietWithin {
		t.Errorf("a quiet note waited %v", longest)
	}
	if r.waiting() == 0 {
		t.Error("no note was busy")
	}
}

// keepSaving is an editor that saves its note ten times a second, always with other words,
// and does not let go of it.
func keepSaving(ctx context.Context, t *testing.T, path, question string) {
	f, err := os.Create(path)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	for n := 0; ctx.Err() == nil; n++ {
		if _, err := f.WriteAt([]byte(question+"\n"+strings.Repeat("word ", n%50)+"\n"), 0); err != nil {
			t.Error(err)
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
}
