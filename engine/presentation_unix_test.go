//go:build unix

package engine

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
)

// Who cancels a presentation waits neither for an agent that hangs nor for a program of somebody else's that does: it ends, the
// note is as it was, nothing half lies in the vault, and the next one is begun.
func TestPresentationIsCancelled(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*config.Config, config.Agent){
		"agent": func(c *config.Config, hangs config.Agent) {
			c.Agents["Broadcaster"], c.Agents["Writer"] = config.Agent{Runner: "broadcast", Author: "Writer"}, hangs
		},
		"controller": func(c *config.Config, hangs config.Agent) { c.Agents["Broadcaster"] = hangs },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			started := filepath.Join(dir, "started")
			hangs := config.Agent{Runner: "command", Trust: true, Env: map[string]string{"STARTED": started}, Command: []string{"sh", "-c",
				`trap "" TERM INT; cat >/dev/null; echo $$ >"$STARTED.tmp"; mv "$STARTED.tmp" "$STARTED"; while :; do sleep 1; done`}}
			r := startEngine(t, dir, nil, func(c *config.Config) { set(c, hangs) })
			text := "# Tea\n\nWater of 80 degrees makes green tea sweet. Boiling water makes it bitter. It is drawn for two minutes.\n\n> @agent-Broadcaster briefing of [[Tea]]\n"
			for _, note := range []string{"Tea.md", "Chai.md"} {
				r.save(note, text)
				program := r.awaitProgram(started)
				list, err := r.journal.List(t.Context(), journal.Filter{File: note})
				if err != nil || len(list) != 1 {
					t.Fatal(list, err)
				}
				begun := time.Now()
				if _, err := r.Cancel(t.Context(), list[0].ID); err != nil {
					t.Fatal(err)
				}
				for syscall.Kill(program, 0) == nil || r.waiting() > 0 {
					r.pause()
				}
				t.Logf("%s: cancelled and ended after %s", name, time.Since(begun).Round(time.Millisecond))
				if got := r.silent(note); got != text {
					t.Errorf("the note is %q", got)
				}
				if err := os.Remove(started); err != nil {
					t.Fatal(err)
				}
			}
			if names, err := fs.Glob(os.DirFS(r.vault), "[^.]*"); err != nil || strings.Join(names, " ") != "Chai.md Tea.md" {
				t.Errorf("the vault has %q, %v", names, err)
			}
		})
	}
}

// awaitProgram waits for a program that writes its number into a file.
func (r *running) awaitProgram(file string) (pid int) {
	r.t.Helper()
	for {
		text, err := os.ReadFile(file)
		if err == nil {
			if pid, err = strconv.Atoi(strings.TrimSpace(string(text))); err != nil {
				r.t.Fatal(err)
			}
			return pid
		}
		r.pause()
	}
}
