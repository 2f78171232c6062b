//go:build unix

package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
)

// At most three programs run at once, of any role: that of the Broadcaster has one of the three slots, also when it looks at a
// job, and gives it away between two looks.
func TestThreeProgramsAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log, open := filepath.Join(dir, "log"), filepath.Join(dir, "go")
	program := func(then string) config.Agent {
		return config.Agent{Runner: "command", Trust: true, Env: map[string]string{"LOG": log, "GO": open}, Command: []string{"sh", "-c",
			`cat >/dev/null; echo + >>"$LOG"; while [ ! -e "$GO" ]; do sleep 0.05; done; ` + then + `; echo - >>"$LOG"`}}
	}
	r := startEngine(t, dir, nil, func(c *config.Config) {
		for _, role := range []string{"Editor", "Writer", "Critic"} {
			c.Agents[role] = program("echo an answer")
		}
		c.Agents["Broadcaster"] = program(`if [ -z "$WIKI_JOB" ]; then echo '{"job":"J"}'; else echo an answer; fi`)
	})
	for _, role := range []string{"Broadcaster", "Editor", "Writer", "Critic"} {
		for _, name := range []string{"a", "b"} {
			r.save(role+name+".md", "text\n\n> @agent-"+role+" a question\n")
		}
	}
	alive := func() (now, most int) {
		text, _ := os.ReadFile(log) // none has begun
		for _, line := range strings.Fields(string(text)) {
			if now += map[string]int{"+": 1, "-": -1}[line]; now > most {
				most = now
			}
		}
		return now, most
	}
	for now, _ := alive(); now < 3 || r.count(journal.Processing)+r.count(journal.Queued) < 8; now, _ = alive() {
		r.pause()
	}
	if n := r.count(journal.Processing); n != 3 {
		t.Errorf("%d are at work", n)
	}
	if err := os.WriteFile(open, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.rest()
	if now, most := alive(); now != 0 || most != 3 || r.count(journal.Done) != 8 {
		t.Errorf("%d at once; %d are left, %d done", most, now, r.count(journal.Done))
	}
}
