package engine

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/testdata/testseed"
)

var restless = flag.Int("engine.restless", 1, "how many vaults are to come to rest, after a life at random")

// Whatever was done with its notes, a vault comes to rest when nobody does anything with them any
// more: no note is looked at again and again.
func TestVaultComesToRest(t *testing.T) {
	seed := testseed.Take(t)
	t.Logf("count: %d vaults", *restless)
	for i := range *restless {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			r := startEngine(t, t.TempDir(), &echoes{})
			var done []string
			for range 25 {
				done = append(done, r.doSomething(random))
				<-time.After(time.Duration(random.IntN(60)) * time.Millisecond)
			}
			if !r.rests() {
				t.Errorf("notes are looked at again and again after: %q", done)
			}
		})
	}
}

// doSomething does to a note what a person or another program does, and says what.
func (r *running) doSomething(random *rand.Rand) string {
	names := []string{"a.md", "b.md", "c.md", "d/a.md", "d/e.md"}
	from, to := names[random.IntN(len(names))], names[random.IntN(len(names))]
	of := func(rel string) string { return filepath.Join(r.vault, filepath.FromSlash(rel)) }
	_ = os.MkdirAll(of("d"), 0o700)
	text, err := os.ReadFile(of(from)) // what cannot be done is not done: another step has taken the note away
	switch what := random.IntN(10); {
	case what < 4 || err != nil && what < 8:
		r.save(from, question(random.IntN(2)))
		return "save " + from
	case what == 4:
		_ = os.Rename(of(from), of(to))
		return "rename " + from + " to " + to
	case what == 5:
		_ = os.WriteFile(of(to), text, 0o600)
		return "copy " + from + " to " + to
	case what == 6:
		_ = os.WriteFile(of(from), append(text, "more\n"...), 0o600)
		return "extend " + from
	case what == 7:
		_ = os.WriteFile(of(from), nil, 0o600)
		return "empty " + from
	case what == 8:
		_ = os.RemoveAll(of("d"))
		return "remove d"
	default:
		_ = os.Remove(of(from))
		return "remove " + from
	}
}

// rests waits until the status has changed no more than a few times within a second, and reports
// whether it did so within a minute. Each look at a note changes it.
func (r *running) rests() bool {
	const few = 20
	before := r.notices.Changes()
	for range 60 {
		<-time.After(time.Second)
		now := r.notices.Changes()
		if now-before <= few {
			return true
		}
		before = now
	}
	return false
}
