package fit

import (
	"fmt"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/wording"
)

// Space is what is left of what a model reads at once while its task is made. The question
// comes first, then the lines around it, passages, and the history.
type Space struct {
	tokens int      // that the model reads at once; 0 = not known, and so no bounds
	bytes  int      // still free
	cut    []string // the parts left out
}

// NewSpace returns the space of a task for a model that reads so many tokens at once, with so many bytes free.
func NewSpace(tokens, bytes int) *Space {
	return &Space{tokens: tokens, bytes: bytes - taskFrame}
}

// Holds reports whether the stored text of a task fits, its history included.
func (s *Space) Holds(text string) bool { return s.tokens == 0 || len(text) <= s.bytes }

// FitWindows cuts the lines around the questions until they fit, and takes the space of
// both. A question that alone is too long fails.
func (s *Space) FitWindows(d journal.Dispatch, g note.Group, windows []note.Window) ([]note.Window, error) {
	if s.tokens == 0 {
		return windows, nil
	}
	size := func() int {
		return len(agent.NewTask(d.ID, d.Vault, d.File, g, windows, agent.Reference{Place: d.Place}).Text)
	}
	if over := size() - s.bytes; over > 0 {
		all := 0
		for _, w := range windows {
			all += len(w.Text)
		}
		windows = append([]note.Window(nil), windows...)
		for i, w := range windows {
			windows[i].Text = fitContext(w.Text, max(0, all-over)*len(w.Text)/max(all, 1))
		}
		s.cut = append(s.cut, "lines around the question")
	}
	if s.bytes -= size(); s.bytes < 0 {
		return nil, &agent.Failure{Kind: agent.Permanent,
			Reason: fmt.Sprintf("the question is too long for the %d tokens that its model reads at once (contextTokens of the role)", s.tokens)}
	}
	return windows, nil
}

// FitPassages returns the passages that fit into half of the space, the best first.
func (s *Space) FitPassages(related []agent.Related) (fit []agent.Related) {
	if s.tokens == 0 {
		return related
	}
	half := s.bytes / 2
	for _, r := range related {
		if n := len(r.Link) + len(r.Why) + len(r.Text) + 8; n <= half {
			half -= n
			s.bytes -= n
			fit = append(fit, r)
		}
	}
	if n := len(related) - len(fit); n > 0 {
		s.cut = append(s.cut, wording.Count(n, "passage"))
	}
	return fit
}

// taskFrame is the bytes around the parts of a task: dates, names, sentences.
const taskFrame = 300

// Bytes of a history that are no exchange's: the sentence above it and its fence, and the
// words and the time of each.
const (
	historyFrame  = 250
	exchangeFrame = 40
)

// BoundHistory returns how many bytes of a history there is space for, at most most.
func (s *Space) BoundHistory(most int) int {
	if s.tokens == 0 {
		return most
	}
	return max(0, min(most, s.bytes-historyFrame))
}

// FitHistory takes the space of a history that would have wanted exchanges, and returns the ones that fit. It leaves
// out the oldest of many short ones that take more than their bytes.
func (s *Space) FitHistory(history []agent.Exchange, wanted int) []agent.Exchange {
	if s.tokens == 0 {
		return history
	}
	left, from := s.bytes-historyFrame, len(history)
	for from > 0 {
		x := history[from-1]
		if left -= len(x.Note) + len(x.Question) + len(x.Answer) + exchangeFrame; left < 0 {
			break
		}
		s.bytes = left
		from--
	}
	if n := wanted - (len(history) - from); n > 0 {
		s.cut = append(s.cut, wording.Count(n, "earlier question"))
	}
	return history[from:]
}

// FitPrevious cuts the answer before in a chain.
func (s *Space) FitPrevious(text string) string {
	if s.tokens == 0 || len(text)+historyFrame <= s.bytes {
		return text
	}
	s.cut = append(s.cut, "a part of the answer before")
	return wording.Shorten(text, max(1, (s.bytes-historyFrame)/4)) // a character has four bytes at most
}

// Spend takes the space of a text that is there already.
func (s *Space) Spend(text string) { s.bytes -= len(text) }

// Fit says how the task has come out.
func (s *Space) Fit() Fit {
	if len(s.cut) == 0 {
		return Fit{Tokens: s.tokens}
	}
	return Fit{Tokens: s.tokens, Cut: fmt.Sprintf("its last task was cut to fit %d tokens: without %s", s.tokens, strings.Join(s.cut, ", "))}
}
