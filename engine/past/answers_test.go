package past

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// answering is a journal with an answer in a note: one that was written, or that is being written.
type answering struct {
	*journal.Journal
	block     string
	isWritten bool
}

func (a *answering) Claims(context.Context, string, string) ([]journal.Claim, error) {
	if a.isWritten || a.block == "" {
		return nil, nil
	}
	return []journal.Claim{{Answered: true}}, nil
}

func (a *answering) WrittenInto(context.Context, string, string) ([]journal.Dispatch, error) {
	if !a.isWritten {
		return nil, nil
	}
	return []journal.Dispatch{{Markers: []journal.Marker{{Block: note.Block{Text: []byte(a.block)}}}}}, nil
}

// The lines of an answer in a clipped note are nobody's news: what its person types beside it is asked. As many lines that nobody here
// has written bring their question with them, in a block like that of an answer too.
func TestAnswersAreNoNews(t *testing.T) {
	const page, ask = "---\nsource: https://example.com\n---\n\nThe page.\n", "\n> @agent-Miner and now?\n"
	block := "<!-- agent-response -->\n" + linesNumbered(0, 10) + "<!-- /agent-response -->\n"
	for _, c := range []struct {
		name      string
		answer    string // of the journal
		isWritten bool
		there     string // beside the question
		waits     bool
	}{
		{"an answer that was written", block, true, block, false},
		{"an answer that is being written", block, false, block, false},
		{"a block of somebody else", "", false, block, true},
		{"a block of somebody else, beside an answer", "another\n", true, block, true},
		{"lines of somebody else, beside an answer", block, true, block + linesNumbered(20, 10), true},
		{"lines of somebody else, while an answer is being written", block, false, block + linesNumbered(20, 10), true},
	} {
		_, disk := newOnDisk(t)
		j := &answering{Journal: disk.Journal, block: c.answer, isWritten: c.isWritten}
		m := New(Options{Journal: j, Root: "/vault", IsGone: func(string) bool { return true }, Return: time.Minute})
		var came Came
		for _, src := range []string{page, page + "\n" + c.there + ask} {
			l, err := m.Read(t.Context(), "n.md", note.NewPage([]byte(src)), nil)
			if err == nil {
				came, err = l.Arrive(t.Context(), Seen{Time: time.Now()})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := came.Holds(strings.TrimSpace(ask)); got != c.waits {
			t.Errorf("%s: the question waits: %s", c.name, fmt.Sprint(got))
		}
	}
}
