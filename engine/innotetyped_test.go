package engine

import (
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
)

// The yes counts where no line end follows it, as many editors leave the last line, also below a question that had none.
func TestDecidedInTheLastLine(t *testing.T) {
	t.Parallel()
	r := startMet(t, t.TempDir(), &echoes{}, decidedInNote)
	for name, asked := range map[string]string{"n.md": proposing[:strings.Index(proposing, "1?\n")+3], "m.md": proposing[:strings.Index(proposing, "1?\n")+2]} {
		r.types(name, asked)
		r.types(name, strings.TrimSuffix(r.shows(name, asked, canDecide), "\n")+"\n> @agent-Miner yes")
	}
	for r.count(journal.Done) != 2 {
		r.pause()
	}
}

// On a vault that is polled a save is looked at twice, as a second one may have left the same times; the yes counts there too.
func TestDecidedOnAPolledVault(t *testing.T) {
	t.Parallel()
	r := startMet(t, t.TempDir(), &echoes{}, decidedInNote, func(c *config.Config) { c.Watch.Mode, c.Settle = "poll", 4*time.Second })
	r.types("n.md", proposing)
	r.types("n.md", below(r.shows("n.md", proposing, canDecide), "> @agent-Miner yes"))
	for r.count(journal.Done) != 1 {
		if strings.Contains(r.until("n.md", ""), cannotDecide) {
			t.Fatal("the line decides nothing")
		}
		r.pause()
	}
}
