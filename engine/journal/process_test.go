package journal

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal/database"
)

var processKills = flag.Int("journal.kills", 4, "how often a process that writes a journal is killed")

// child is what the test binary does as another process: it takes dispatches
// through their lives and says each step once it is acknowledged, until it is
// killed; or, named "one", it takes a single one and ends; or, named "slab", it says how many pages of the journal are in
// the slab.
func child(path, name string) error {
	ctx := context.Background()
	j, err := On(database.Open(ctx, path))
	if err != nil {
		return err
	}
	if name == "slab" {
		fmt.Println(countSlabPages())
		return j.Close()
	}
	for i := 0; ; i++ {
		want, equal := group(fmt.Sprintf("%s-%d.md", name, i), 2)
		d, ok, err := j.Accept(ctx, want, equal)
		if err != nil || !ok {
			return fmt.Errorf("accept: %v, %w", ok, err)
		}
		fmt.Println(d.ID, "queued")
		if strings.HasPrefix(name, "one") {
			return j.Close()
		}
		if _, err := j.Start(ctx, d.ID, "runner", time.Now()); err != nil {
			return err
		}
		fmt.Println(d.ID, "processing")
		if err := keepAndApprove(ctx, j, d.ID, i%2 == 1); err != nil {
			return err
		}
		fmt.Println(d.ID, "processing+answer")
		swap := Swap{Dispatch: d.ID, Path: "/vault/a.md", Temp: "/tmp/" + d.ID}
		if err := j.RecordSwap(ctx, swap); err != nil {
			return err
		}
		if err := j.RecordWritten(ctx, d.ID, []int{0, 1}, [32]byte{1}); err != nil {
			return err
		}
		fmt.Println(d.ID, "done")
	}
}

// keepAndApprove is how a dispatch gets its answers, by way of a proposal or not.
func keepAndApprove(ctx context.Context, j *Journal, id string, propose bool) error {
	answers := []string{"one " + id, "two " + id}
	if !propose {
		return j.RecordAnswers(ctx, id, answers)
	}
	if err := j.RecordProposal(ctx, id, answers); err != nil {
		return err
	}
	fmt.Println(id, "proposed+answer")
	if _, err := j.Approve(ctx, id, "seen", nil); err != nil {
		return err
	}
	fmt.Println(id, "queued+answer")
	_, err := j.Start(ctx, id, "", time.Now())
	return err
}

func childCommand(t *testing.T, path, name string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "JOURNAL_TEST_CHILD="+path, "JOURNAL_TEST_NAME="+name)
	if os.Getenv("GORACE") == "" {
		cmd.Env = append(cmd.Env, "GORACE=atexit_sleep_ms=0") // or each waits a second when it ends
	}
	cmd.Stderr = os.Stderr
	return cmd
}

// A process killed in the middle of a stream of steps leaves everything it was
// told is stored.
func TestKilledProcessLosesNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := random(t)
	path := filepath.Join(t.TempDir(), "journal.db")
	acknowledged := make(map[string]string)
	order := map[string]int{"queued": 1, "processing": 2, "proposed+answer": 3, "queued+answer": 4, "processing+answer": 5, "done": 6}
	kills := *processKills
	if testing.Short() {
		kills = min(kills, 2)
	}
	for round := range kills {
		cmd := childCommand(t, path, fmt.Sprintf("r%d", round))
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		stop := 1 + r.IntN(60)
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ { // after the kill, what was still in the pipe counts too
			if n == stop {
				must(t, cmd.Process.Kill())
			}
			if id, state, ok := strings.Cut(lines.Text(), " "); ok && order[state] > 0 {
				acknowledged[id] = state
			}
		}
		cmd.Wait() // was killed
		j, err := On(database.Open(ctx, path))
		must(t, err)
		if d := j.Damage(); d != nil {
			t.Fatalf("a kill left damage: %+v", d)
		}
		for id, state := range acknowledged {
			d, err := j.Get(ctx, id)
			must(t, err)
			if order[situation(d)] < order[state] {
				t.Errorf("%s was acknowledged as %s, is %s", id, state, situation(d))
			}
			if order[state] >= 3 && (d.Markers[0].Answer != "one "+id || d.Markers[1].Answer != "two "+id) {
				t.Errorf("%s lost its answers", id)
			}
		}
		must(t, j.Close())
	}
	t.Logf("count: %d kills, %d dispatches", kills, len(acknowledged))
	if len(acknowledged) < kills {
		t.Error("too few dispatches were acknowledged")
	}
}

// Several processes that open the same new file at once wait for one another.
func TestProcessesOpenTogether(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	const n = 6
	errs := make(chan error, n)
	for i := range n {
		cmd := childCommand(t, path, fmt.Sprintf("one%d", i))
		go func() { errs <- cmd.Run() }()
	}
	var err error
	for range n {
		err = errors.Join(err, <-errs)
	}
	must(t, err)
	j := openAt(t, path)
	if list, err := j.List(context.Background(), Filter{}); err != nil || len(list) != n {
		t.Errorf("%d of %d dispatches are there, %v", len(list), n, err)
	}
	if d := j.Damage(); d != nil {
		t.Errorf("damage: %+v", d)
	}
}
