package engine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
)

func (r *running) notAsked() (texts []string) {
	for _, n := range r.Notices() {
		if n.Code == api.NoticePrivate {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// A question that is not taken up is told as long as it stands where it may not be asked.
func TestQuestionsNotTakenUpAreTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "vault", "Journal"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := startEngine(t, dir, &gate{}, func(c *config.Config) {
		c.Private = []string{"Journal/**"}
		c.Agents["Editor"] = config.Agent{Runner: "command", Command: []string{"no-such-agent"}}
	})
	wait := func(want ...string) {
		t.Helper()
		for !slices.Equal(r.notAsked(), want) {
			r.pause()
		}
	}
	const why = "the note is private (wiki.private: Journal/**) and what answers the role Editor leaves this machine; ask a role that stays on it"
	r.save("Journal/a.md", "> @agent-Editor one\n\n> @agent-Nobody x\n")
	wait("1 question of v in Journal/a.md is not taken up: " + why)
	r.save("Journal/b.md", "> @agent-Editor one\n\n> @agent-Editor two\n")
	wait("1 question of v in Journal/a.md is not taken up: "+why, "2 questions of v in Journal/b.md are not taken up: "+why)
	r.save("Journal/b.md", "nothing\n")
	wait("1 question of v in Journal/a.md is not taken up: " + why)
	if err := os.Remove(filepath.Join(r.vault, "Journal", "a.md")); err != nil {
		t.Fatal(err)
	}
	wait()
	if list, err := r.journal.List(t.Context(), journal.Filter{}); err != nil || len(list) > 0 {
		t.Errorf("accepted %+v, %v", list, err)
	}
}

// A text that was made for an agent which stays, or before something became private, is
// made anew for one that leaves.
func TestStaleTasks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		local, made, hide, want bool
	}{
		{local: false, made: false, hide: false, want: false},
		{local: false, made: true, hide: false, want: true},
		{local: false, made: false, hide: true, want: true},
		{local: true, made: true, hide: true, want: false},
		{local: true, made: false, hide: false, want: false},
	} {
		r := startEngine(t, t.TempDir(), &gate{}, func(c *config.Config) {
			c.Agents["Editor"] = config.Agent{Runner: "command", Command: []string{"no-such-agent"}, Local: tt.local}
			if tt.hide {
				c.Agents["Doctor"] = config.Agent{Runner: "builtin", Private: true}
			}
		})
		d := journal.Dispatch{Role: "Editor", Recipe: journal.Made{Local: tt.made}}
		if got := r.asker.isStale(d); got != tt.want {
			t.Errorf("%+v: %t", tt, got)
		}
		r.stop()
	}
}
