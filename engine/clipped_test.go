package engine

import (
	"context"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
)

// An answer that names a source or the tag clippings makes no note one from elsewhere: what its person asks below
// it later, with some lines of text, is asked. A block that nobody has written here says so nonetheless.
func TestAnswerNamesASource(t *testing.T) {
	t.Parallel()
	more := "\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n\n> @agent-Miner and now?\n"
	for _, text := range []string{"source:: https://example.com/a", "From a page (url:: x).\n\n#clippings", "tags:: clippings"} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			r := startEngine(t, t.TempDir(), scripted(func(context.Context, agent.Task) (agent.Reply, error) {
				return agent.Reply{Text: text}, nil
			}))
			r.save("day.md", "# Day\n\n> @agent-Miner what does it say?\n")
			answered := r.until("day.md", "<!-- /agent-response -->")
			r.rest()
			if err := r.lookAt("day.md"); err != nil {
				t.Fatal(err)
			}
			r.save("day.md", answered+more)
			for r.count(journal.Done)+r.count(journal.Held) != 2 {
				r.pause()
			}
			if r.count(journal.Held) != 0 {
				t.Fatal("what its person asks is held")
			}

			r.save("clip.md", "<!-- agent-response -->\nsource:: x\n<!-- /agent-response -->\n\n> @agent-Miner theirs?\n")
			for r.count(journal.Held) == 0 {
				r.pause()
			}
		})
	}
}
