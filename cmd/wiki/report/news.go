package report

import (
	"fmt"
	"io"
	"sync"
	"time"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/news"
)

// burstTime is how long after its last question a burst is still the same: that many at once are
// counted in a minute.
const burstTime = time.Minute

// NewsPrinter prints a line for each question that the engine takes up, and for what becomes of it;
// of a burst that waits a line for all.
type NewsPrinter struct {
	Output io.Writer

	mu     sync.Mutex           // guards bursts
	bursts map[string]time.Time // when the last question of one came, by vault
}

// Print prints what is new of one question.
func (p *NewsPrinter) Print(n news.Item) {
	if n.Event == news.Held && n.Kind == journal.ForBurst {
		p.printBurst(n)
		return
	}
	place := n.Vault + "/" + n.File
	if n.File == "" {
		place = "a question to " + n.Vault
	}
	if n.Line > 0 {
		place += fmt.Sprintf(", line %d", n.Line)
	}
	if n.Questions > 1 {
		place += fmt.Sprintf(" and %d more", n.Questions-1)
	}
	printable.Fprintf(p.Output, "wiki: %s: %s\n", place, newsText(n))
	PrintMend(p.Output, "hint: ", n.Mend)
}

// printBurst says once that questions of a vault wait, and how they are released together.
func (p *NewsPrinter) printBurst(n news.Item) {
	p.mu.Lock()
	defer p.mu.Unlock()
	last, now := p.bursts[n.Vault], time.Now()
	if p.bursts == nil {
		p.bursts = make(map[string]time.Time)
	}
	if p.bursts[n.Vault] = now; now.Sub(last) > burstTime {
		printable.Fprintf(p.Output, "wiki: %s: questions wait, %s the first: %s\nhint: wiki release --kind burst lists them and asks\n", n.Vault, n.File, n.Reason)
	}
}

// newsText says what became of a question.
func newsText(n news.Item) string {
	switch n.Event {
	case news.TakenUp:
		return "taken up, " + n.Role + " is asked"
	case news.Answered:
		if n.Reason != "" {
			return n.Reason
		}
		return "answered by " + n.Role
	case news.NoResult:
		return "no result from " + n.Role
	case news.Failed:
		if n.Stays {
			return fmt.Sprintf("not answered anew, %s; wiki retry --fresh %s asks again", n.Reason, n.Dispatch)
		}
		return fmt.Sprintf("not answered: %s; wiki retry %s asks again", n.Reason, n.Dispatch)
	case news.Delayed:
		return "not answered yet, and asked again: " + n.Reason
	case news.Held:
		return fmt.Sprintf("waits for you: %s; wiki release %s starts it", n.Reason, n.Dispatch)
	case news.Proposed:
		return fmt.Sprintf("answered, and for you to approve; wiki accept %s shows what it changes", n.Dispatch)
	case news.Kept:
		return fmt.Sprintf("answered, but its place is gone; wiki answers shows the answer (%s)", n.Reason)
	case news.Withdrawn:
		return "asked no more: " + n.Reason
	}
	return string(n.Event) + ": " + n.Reason
}
