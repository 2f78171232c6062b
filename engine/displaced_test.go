package engine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/rewrite/swap"
)

// TestDisplaced ends each exchange after its grace, again while that fails, and
// what still waits when the engine ends.
func TestDisplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var list []string
		away := true
		d := newDisplaced(func(_ context.Context, s journal.Swap, by ending) error {
			mu.Lock()
			defer mu.Unlock()
			list = append(list, s.Temp)
			if s.Temp == "away" && away {
				away = false
				return errors.New("the vault's folder cannot be reached")
			}
			return nil
		}, nil)
		tried := func() []string {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(list)
		}
		d.add(journal.Swap{Temp: "before it runs"}, swap.Settle)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- d.run(ctx) }()
		time.Sleep(swap.Grace - time.Second)
		d.add(journal.Swap{Temp: "away"}, swap.Recover)
		synctest.Wait()
		if got := tried(); len(got) != 0 {
			t.Errorf("ended before the grace was over: %v", got)
		}
		time.Sleep(swap.Grace + 2*time.Second)
		synctest.Wait()
		if got := tried(); !slices.Equal(got, []string{"before it runs", "away"}) {
			t.Fatalf("tried %v", got)
		}
		time.Sleep(swap.Grace)
		synctest.Wait()
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := tried(); len(got) != 3 {
			t.Errorf("tried %v; want the one that failed once more, and no more after that", got)
		}
		d.add(journal.Swap{Temp: "at the end"}, swap.Settle)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if got := tried(); len(got) != 4 || got[3] != "at the end" {
			t.Errorf("tried %v; want what still waits to be ended with the engine", got)
		}
	})
}

// TestMend ends what could not be ended before the next write of its note, and
// says that the note must be left alone while that fails.
func TestMend(t *testing.T) {
	var list []string
	away := true
	d := newDisplaced(nil, func(_ context.Context, s journal.Swap, _ ending) error {
		list = append(list, s.Temp)
		if away {
			return errors.New("the vault's folder cannot be reached")
		}
		return nil
	})
	d.add(journal.Swap{Path: "/v/a.md", Temp: "kept"}, swap.Settle)
	d.addBroken(journal.Swap{Path: "/v/b.md", Temp: "another note's"})
	d.addBroken(journal.Swap{Path: "/v/a.md", Temp: "broken"})
	if err := d.mend(t.Context(), "/v/a.md"); err == nil {
		t.Error("an exchange that cannot be ended does not keep the note from being written")
	}
	away = false
	for range 2 {
		if err := d.mend(t.Context(), "/v/a.md"); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(list, []string{"broken", "broken"}) {
		t.Errorf("ended %v", list)
	}
	if len(d.waiting) != 2 || d.waiting[0].swap.Temp != "kept" {
		t.Errorf("%d are left", len(d.waiting))
	}
}

// lateAgent answers when the engine has begun to end.
type lateAgent struct {
	port  int
	begun chan struct{}
}

func (*lateAgent) Capabilities() agent.Capabilities { return agent.Capabilities{} }

func (a *lateAgent) Run(ctx context.Context, _ agent.Task) (agent.Reply, error) {
	close(a.begun)
	for {
		client, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", a.port))
		if err != nil {
			return agent.Reply{Text: "a late answer"}, nil
		}
		client.Close()
		select {
		case <-ctx.Done():
			return agent.Reply{}, ctx.Err()
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// What is written while the engine ends leaves no exchange open: nothing lies in
// the vault that only the next start would take away.
func TestLateAnswerLeavesNothingOpen(t *testing.T) {
	late := &lateAgent{begun: make(chan struct{})}
	r := startEngine(t, t.TempDir(), late)
	late.port = r.port
	r.save("n.md", question(1))
	select {
	case <-late.begun:
	case <-time.After(time.Minute):
		t.Fatal("the agent was not asked")
	}
	r.stop()
	j, err := journal.Open(t.Context(), filepath.Join(r.state, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if open, err := j.Swaps(t.Context()); err != nil || len(open) > 0 {
		t.Errorf("open exchanges %+v, %v", open, err)
	}
	if left, err := os.ReadDir(filepath.Join(r.vault, ".vault-mind", "tmp")); len(left) > 0 {
		t.Errorf("left in the vault: %v, %v", left, err)
	}
}
