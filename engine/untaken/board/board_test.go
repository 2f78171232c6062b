package board

import (
	"fmt"
	"testing"
	"time"

	"vaultdispatcher/engine/untaken"
)

func TestBoard(t *testing.T) {
	var b Board
	row := func(line int, text string) untaken.Row {
		return untaken.Row{Kind: untaken.Miss, Line: line, Text: text}
	}
	now := time.Now()
	keep := func(vault, rel string, rows ...untaken.Row) []untaken.Row {
		news, _ := b.Keep(vault, rel, rows, now, now, 0)
		return news
	}
	told := func(vault string) string {
		n, first := b.List(vault)
		text := fmt.Sprint(n)
		for _, r := range first {
			text += fmt.Sprintf(" %s:%d", r.File, r.Line)
		}
		return text
	}
	keep("/v", "gone.md")
	old := row(3, "x")
	old.Old = true
	keep("/v", "b.md", old)
	if news := keep("/v", "b.md", row(9, "y"), row(4, "x")); len(news) != 1 || news[0].Line != 9 || news[0].File != "b.md" {
		t.Errorf("news are %+v", news)
	}
	if r := b.Of("/v", "b.md")[0]; r.Line != 4 || !r.Old {
		t.Errorf("a line that was moved is %+v", r)
	}
	keep("/v", "a.md", row(1, "x"))
	keep("/w", "c.md", row(2, "x"))
	if got := told("/v") + ", " + told("/w") + ", " + told("/none"); got != "3 a.md:1 b.md:4 b.md:9, 1 c.md:2, 0" {
		t.Error(got)
	}
	keep("/v", "b.md")
	if got := told("/v"); got != "1 a.md:1" {
		t.Error(got)
	}

	// What is hidden on purpose is told where it was just written, and not where it always stood.
	hidden := row(5, "code")
	hidden.Hidden = true
	keep("/w", "d.md", hidden)
	if got := told("/w"); got != "2 c.md:2 d.md:5" {
		t.Error(got)
	}
	keep("/w", "d.md")
	hidden.Old = true
	keep("/w", "d.md", hidden)
	if got := told("/w"); got != "1 c.md:2" || len(b.Of("/w", "d.md")) != 1 {
		t.Error(got)
	}
}

// However much is not taken up, it is counted, and little is kept.
func TestBoardIsBounded(t *testing.T) {
	var b Board
	var rows []untaken.Row
	for line := range 100 {
		rows = append(rows, untaken.Row{Kind: untaken.Miss, Line: line + 1, Text: fmt.Sprint(line)})
	}
	kept := 0
	for i := range 2 * mostNotes {
		name := fmt.Sprintf("n%05d.md", i)
		b.Keep("/v", name, rows, time.Time{}, time.Time{}, 0)
		b.Keep("/v", name, rows, time.Time{}, time.Time{}, 0)
		kept += len(b.Of("/v", name))
	}
	n, first := b.List("/v")
	if n != 200*mostNotes || kept != mostNotes*mostRows || len(first) != MostShown || first[0].File != "n00000.md" || first[19].Line != 20 {
		t.Errorf("%d of %d kept, %d shown: %+v", kept, n, len(first), first[0])
	}
}

// A line is told of when it has stood still, as long as a question settles: it may be typed.
func TestBoardWaitsForTyping(t *testing.T) {
	var b Board
	start := time.Now()
	at := func(first, after time.Duration, text string) (news int, next time.Duration, shown int) {
		rows, when := b.Keep("/v", "n.md", []untaken.Row{{Kind: untaken.Role, Line: 1, Text: text}}, start.Add(first), start.Add(after), 2500*time.Millisecond)
		shown, _ = b.List("/v")
		if !when.IsZero() {
			next = when.Sub(start)
		}
		return len(rows), next, shown
	}
	const s = time.Second
	for _, c := range []struct {
		after, late time.Duration // late is how long before that the save was noticed
		text        string
		news, shown int
		next        time.Duration
	}{
		{0, 0, "> @agent-Mi", 0, 0, 2500 * time.Millisecond},
		{2 * s, 0, "> @agent-Minr wh", 0, 0, 4500 * time.Millisecond},
		{4 * s, 0, "> @agent-Minr wh", 0, 0, 4500 * time.Millisecond},
		{5 * s, 0, "> @agent-Minr wh", 1, 1, 0},
		{6 * s, s, "> @agent-Minr wh", 0, 1, 0},
		{7 * s, 0, "> @agent-Minr what", 0, 0, 9500 * time.Millisecond},
		{9 * s, s, "> @agent-Minr what?", 0, 0, 10500 * time.Millisecond},
		{10500 * time.Millisecond, 0, "> @agent-Minr what?", 1, 1, 0},
	} {
		if news, next, shown := at(c.after-c.late, c.after, c.text); news != c.news || next != c.next || shown != c.shown {
			t.Errorf("after %s: %d news, next %s, %d shown", c.after, news, next, shown)
		}
	}
}
