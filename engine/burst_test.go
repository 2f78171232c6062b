package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/testdata/testmain"
)

// A clone that is slower than markers settle: what agents have begun goes on, and what
// only waited for one is held as soon as it is known to be of a burst.
func TestBurstHoldsWhatIsQueued(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it waits for pauses of the engine")
	g := &gate{open: make(chan struct{})}
	dir := t.TempDir()
	r := startMet(t, dir, g, func(c *config.Config) {
		c.Limits.Burst = 6
		c.Settle = time.Second // a note is new for four of them
	})
	for i := range 6 {
		r.save(fmt.Sprintf("n%d.md", i), "> @agent-Miner what?\n")
	}
	for r.count(journal.Processing) != 3 || r.count(journal.Queued) != 3 {
		r.pause()
	}
	r.save("n6.md", "> @agent-Miner what?\n")
	for r.count(journal.Held) != 4 {
		r.pause()
	}
	held, err := r.journal.HeldFor(t.Context())
	if err != nil || len(held) != 1 || held[0].Kind != journal.ForBurst || !strings.Contains(held[0].Reason, "wiki.limits.burst (6)") {
		t.Errorf("held for %+v, %v", held, err)
	}
	close(g.open)
	for r.count(journal.Done) != 3 {
		r.pause()
	}
	if r.count(journal.Held) != 4 {
		t.Errorf("%d are held at the end", r.count(journal.Held))
	}
}

func (r *running) count(s journal.Status) int {
	n, err := r.journal.Counts(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return n[s]
}

// Notes go back to old questions more slowly than these settle: what agents have begun goes
// on, and the others are not asked. What they have become ends when their answers are back.
func TestBackHoldsWhatIsQueued(t *testing.T) {
	t.Parallel()
	g, dir := &gate{open: make(chan struct{})}, t.TempDir()
	r := startEngine(t, dir, &echoes{})
	answered := make(map[string]string)
	for i := range 7 {
		name := fmt.Sprintf("n%d.md", i)
		r.save(name, question(i))
		answered[name] = r.until(name, answer(i))
	}
	r.rest()
	r.stop()
	execute(t, filepath.Join(dir, "state", "journal.db"), "UPDATE dispatches SET finished = finished - 3600000")
	r = startEngine(t, dir, g, func(c *config.Config) { c.Limits.Burst = 6 })
	for i := range 6 {
		r.save(fmt.Sprintf("n%d.md", i), question(i))
	}
	for r.count(journal.Processing) != 3 || r.count(journal.Queued) != 3 {
		r.pause()
	}
	r.save("n6.md", question(6))
	for r.count(journal.Held) != 4 {
		r.pause()
	}
	close(g.open)
	for r.count(journal.Done) != 6+3 {
		r.pause()
	}
	for name, text := range answered {
		r.save(name, text)
	}
	for r.count(journal.Held) != 0 || r.count(journal.Done) != 7+3 || r.count(journal.Cancelled) != 3 {
		r.pause()
	}
	if n := g.runs.Load(); n != 3 {
		t.Errorf("%d runs", n)
	}
}

// What comes again is held as well when it turns out to be of a burst.
func TestBurstHoldsWhatComesAgain(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it waits for pauses of the engine")
	r := startMet(t, t.TempDir(), &echoes{}, func(c *config.Config) {
		c.Limits.Burst = 3
		c.Settle = time.Second // a note is new for four of them
	})
	for i := range 3 {
		r.save(fmt.Sprintf("n%d.md", i), "> @agent-Miner every month 8:00 what?\n")
	}
	for r.count(journal.Scheduled) != 3 {
		r.pause()
	}
	r.save("n3.md", "> @agent-Miner every month 8:00 what?\n")
	for r.count(journal.Held) != 4 {
		r.pause()
	}
	if list, err := r.Schedule(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("what is held comes again: %+v, %v", list, err)
	}
	if _, err := r.Release(t.Context(), r.held()[0].ID); err != nil {
		t.Fatal(err)
	}
	if list, err := r.Schedule(t.Context()); err != nil || len(list) != 1 || r.count(journal.Scheduled) != 1 {
		t.Errorf("what was released does not come again: %+v, %v", list, err)
	}
}

// A sync program or a clone makes its notes empty and fills them later than a note is new: they
// count from when they hold something.
func TestBurstOfNotesMadeEmpty(t *testing.T) {
	t.Parallel()
	testmain.Long(t, "it waits for pauses of the engine")
	g := &gate{open: make(chan struct{})}
	dir := t.TempDir()
	const settle = 500 * time.Millisecond // a note is new for four of them
	r := startMet(t, dir, g, func(c *config.Config) { c.Limits.Burst, c.Settle = 6, settle })
	for i := range 7 {
		r.save(fmt.Sprintf("n%d.md", i), "\n")
	}
	for r.vaults[0].Catalog.State().Notes < 8 {
		r.pause()
	}
	for made := time.Now(); time.Since(made) < 10*settle; {
		r.pause()
	}
	for i := range 7 {
		if err := os.WriteFile(filepath.Join(r.vault, fmt.Sprintf("n%d.md", i)), []byte("> @agent-Miner what?\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for r.count(journal.Held)+r.count(journal.Processing) < 7 { // on a busy machine the first may have begun
		r.pause()
	}
	if held := r.count(journal.Held); held < 4 {
		t.Errorf("%d are held", held)
	}
	close(g.open)
}

// Notes that are copied into an empty vault are a burst as in any other.
func TestBurstIntoAnEmptyVault(t *testing.T) {
	t.Parallel()
	g, dir := &gate{open: make(chan struct{})}, t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "vault"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := startEngine(t, dir, g, func(c *config.Config) { c.Limits.Burst, c.Settle = 10, 20*time.Second }) // longer than a starved watcher takes for forty notes
	for !r.vaults[0].Catalog.State().Complete {
		r.pause()
	}
	if err := os.Mkdir(filepath.Join(dir, "notes"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if err := os.WriteFile(filepath.Join(dir, "notes", fmt.Sprintf("n%d.md", i)), []byte("> @agent-Miner what?\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(filepath.Join(dir, "notes"), filepath.Join(dir, "vault", "notes")); err != nil { // all at once, however slow the machine is
		t.Fatal(err)
	}
	for r.count(journal.Held) != 40 {
		r.pause()
	}
	close(g.open)
}
