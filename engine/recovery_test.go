package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/past"
	"vaultdispatcher/engine/testdata/fewer"
)

// gate answers when it is opened.
type gate struct {
	echoes
	open chan struct{}
}

func (g *gate) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	reply, err := g.echoes.Run(ctx, task)
	select {
	case <-g.open:
		return reply, err
	case <-ctx.Done():
		return agent.Reply{}, ctx.Err()
	}
}

func question(i int) string { return fmt.Sprintf("text\n\n> @agent-Miner question %d?\n\nend\n", i) }
func answer(i int) string   { return fmt.Sprintf("answer to question %d?\n<!-- /agent-response -->", i) }

func TestSecondEngineIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := startEngine(t, dir, &echoes{})
	if _, err := tryEngine(t, dir, &echoes{}); !errors.Is(err, ErrLocked) {
		t.Errorf("a second engine: %v", err)
	}
	r.save("n.md", question(1))
	r.until("n.md", answer(1))
	r.stop()
	again := startEngine(t, dir, &echoes{})
	again.save("m.md", question(2))
	again.until("m.md", answer(2))
}

// The journal is damaged while the engine is down, in every way of which it is
// told apart from a whole one. The next engine says so, keeps the bytes, leaves
// what is answered alone, answers what is asked from then on, and holds what still asks: nobody knows whether it was taken back.
// It is answered once when it is released. What an emptied journal means is tried by TestScripts/journal_behind.
func TestEngineSurvivesADamagedJournal(t *testing.T) {
	t.Parallel()
	const page = 4096
	for name, spoil := range fewer.Named(map[string]func(b []byte) []byte{
		"last page":   func(b []byte) []byte { return append(b[:len(b)-page], bytes.Repeat([]byte{0xa5}, page)...) },
		"middle page": func(b []byte) []byte { copy(b[len(b)/2/page*page:], bytes.Repeat([]byte{0xa5}, page)); return b },
		"first page":  func(b []byte) []byte { copy(b, bytes.Repeat([]byte{0xa5}, page)); return b },
		"cut":         func(b []byte) []byte { return b[:len(b)*2/3/page*page+100] },
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			runner := &gate{open: make(chan struct{})}
			r := startMet(t, dir, runner) // so the vault knows of this engine
			close(runner.open)
			for i := range 8 {
				r.save(fmt.Sprintf("done%d.md", i), question(i))
				r.until(fmt.Sprintf("done%d.md", i), answer(i))
			}
			runner.open = make(chan struct{})
			r.save("open.md", question(100))
			for runner.runs.Load() < 9 {
				r.pause()
			}
			r.stop()

			path := filepath.Join(r.state, "journal.db")
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			spoiled := spoil(b)
			if err := os.WriteFile(path, spoiled, 0o600); err != nil {
				t.Fatal(err)
			}
			second := &echoes{}
			r = startMet(t, dir, second)
			for r.count(journal.Held) == 0 && second.runs.Load() == 0 {
				r.pause()
			}
			if told := textsOf(r.Notices()); !strings.Contains(told, "the journal was damaged") || !strings.Contains(told, "what is open there waits for you") {
				t.Errorf("nobody is told: %q", told)
			}
			r.save("new.md", question(200))
			r.until("new.md", answer(200))
			held := r.held()
			if len(held) != 1 || held[0].File != "open.md" || held[0].Hold != journal.ForOld || second.runs.Load() != 1 {
				t.Fatalf("held are %+v after %d runs", held, second.runs.Load())
			}
			if _, err := r.Release(t.Context(), held[0].ID); err != nil {
				t.Fatal(err)
			}
			got := r.until("open.md", answer(100))
			if strings.Count(got, "answer to") != 1 {
				t.Errorf("answered twice: %q", got)
			}
			for i := range 8 {
				if got := r.until(fmt.Sprintf("done%d.md", i), answer(i)); strings.Count(got, "answer to") != 1 || strings.Contains(got, "@agent-") {
					t.Errorf("what was answered: %q", got)
				}
			}
			if n := second.runs.Load(); n != 2 {
				t.Errorf("%d runs for one open question and a new one", n)
			}
			kept, _ := filepath.Glob(path + "*")
			found := false
			for _, name := range kept {
				b, err := os.ReadFile(name)
				found = found || err == nil && bytes.Equal(b, spoiled)
			}
			if !found {
				t.Errorf("the damaged bytes are gone; there are %q", kept)
			}
		})
	}
}

// What was held does not run because a damaged journal does not say any more that it was.
func TestDamageReleasesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	burst := func(c *config.Config) { c.Limits.Burst, c.Settle = 6, time.Second }
	r := startMet(t, dir, &echoes{}, burst)
	const asked = 24 // six may be asked before the others come, and of those that are held more than ten are left
	for i := range asked {
		r.save(fmt.Sprintf("theirs%d.md", i), question(i))
	}
	var held int // on a busy machine the first ones are asked before the others have come
	for held == 0 || held+r.count(journal.Done) != asked {
		r.pause()
		held = r.count(journal.Held)
	}
	if held <= past.Few {
		t.Fatalf("%d of %d are held", held, asked)
	}
	r.stop()
	path := filepath.Join(r.state, "journal.db")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for page := range slices.Chunk(b[4096:], 4096) {
		if bytes.Contains(page, []byte("theirs")) { // those of the dispatches
			copy(page, bytes.Repeat([]byte{0xa5}, len(page)))
		}
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	second := &echoes{}
	r = startEngine(t, dir, second, func(c *config.Config) { c.Limits.Burst = 0 }) // as where they are known for longer than a minute
	if told := textsOf(r.Notices()); !strings.Contains(told, "the journal was damaged") {
		t.Errorf("nobody is told: %q", told)
	}
	for r.count(journal.Held) != held && second.runs.Load() == 0 {
		r.pause()
	}
	if held, err := r.journal.HeldFor(t.Context()); err != nil || len(held) != 1 || held[0].Kind != journal.ForOld {
		t.Errorf("held for %+v, %v", held, err)
	}
	if n := second.runs.Load(); n != 0 {
		t.Errorf("%d runs of what was held", n)
	}
}

// A clock that ran ahead has left times of next year in the journal.
func TestClockWasAhead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := startEngine(t, dir, &gate{open: make(chan struct{})})
	r.save("n.md", question(1))
	for r.waiting() == 0 {
		r.pause()
	}
	r.stop()
	j, err := journal.On(database.Open(t.Context(), filepath.Join(r.state, "journal.db")))
	if err != nil {
		t.Fatal(err)
	}
	list, err := j.List(t.Context(), journal.Filter{})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	next := list[0].Created.AddDate(1, 0, 0)
	if _, err := j.Start(t.Context(), list[0].ID, "builtin", next); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(j.Requeue(t.Context(), list[0].ID, "tried next year", next, journal.Count{Attempts: 1}), j.Close()); err != nil {
		t.Fatal(err)
	}
	second := &echoes{}
	r = startEngine(t, dir, second)
	r.until("n.md", answer(1))
	if n := second.runs.Load(); n != 1 {
		t.Errorf("%d runs", n)
	}
}
