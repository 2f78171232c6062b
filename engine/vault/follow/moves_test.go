package follow

import (
	"fmt"
	"slices"
	"testing"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// claimed notes and found notes, as the journal and the disk have them.
func strayOf(file string, status journal.Status, src string, ids ...string) Stray {
	s := Stray{File: file}
	for i, m := range note.Parse([]byte(src)).Markers {
		s.Claims = append(s.Claims, journal.Claim{Dispatch: ids[min(i, len(ids)-1)], Status: status, Marker: journal.Marker{
			Trace: m.Trace(),
		}})
	}
	return s
}

func findOf(file, src string) Find {
	markers := note.Parse([]byte(src)).Markers
	return Find{file, markers, markers}
}

// TestFollowed says when a question has moved to another note and when that would
// be a guess.
func TestFollowed(t *testing.T) {
	const ask = "> @agent-Miner ask\n"
	const daily = "## Ask\n\n" + ask + "\n## Done\n"
	days := func(folder string) (strays []Stray) {
		for i := range 5 {
			file := fmt.Sprintf("%s%d.md", folder, i+1)
			strays = append(strays, strayOf(file, journal.Queued, daily, "was "+file+":"))
		}
		return strays
	}
	found := func(folder string) (finds []Find) {
		for i := range 5 {
			finds = append(finds, findOf(fmt.Sprintf("%s%d.md", folder, i+1), daily))
		}
		return finds
	}
	const two = "a\n\n> @agent-Miner one\n\nb\n\n> @agent-Miner two\n\nc\n"
	queued, cancelled := journal.Queued, journal.Cancelled
	for _, tt := range []struct {
		name   string
		strays []Stray
		finds  []Find
		want   []string
	}{
		{"renamed", []Stray{strayOf("a", queued, "x\n\n"+ask+"\ny\n", "d")}, []Find{findOf("b", "x\n\n"+ask+"\ny\n")}, []string{"d b"}},
		{"edited elsewhere", []Stray{strayOf("a", queued, "x\n\n"+ask+"\ny\n", "d")}, []Find{findOf("b", "new\nx\n\n"+ask+"\nchanged\n")}, []string{"d b"}},
		{"nothing but the line", []Stray{strayOf("a", queued, ask, "d")}, []Find{findOf("b", ask)}, []string{"d b"}},
		{"other surroundings", []Stray{strayOf("a", queued, "x\n\n"+ask+"\ny\n", "d")}, []Find{findOf("b", "p\n\n"+ask+"\nq\n")}, nil},
		{"another line", []Stray{strayOf("a", queued, "x\n\n"+ask+"\ny\n", "d")}, []Find{findOf("b", "x\n\n> @agent-Miner ask!\n\ny\n")}, nil},
		{"two new notes", []Stray{strayOf("a", queued, "x\n\n"+ask, "d")}, []Find{findOf("b", "x\n\n"+ask), findOf("c", "x\n\n"+ask)}, nil},
		{"two gone notes", []Stray{strayOf("a", queued, ask, "d"), strayOf("b", queued, ask, "e")}, []Find{findOf("c", ask)}, nil},
		{"two of each", []Stray{strayOf("a", queued, ask, "d"), strayOf("b", queued, "x\n"+ask, "e")},
			[]Find{findOf("c", ask), findOf("f", "x\n\n"+ask)}, []string{"d c", "e f"}},
		{"a group", []Stray{strayOf("a", queued, two, "d")}, []Find{findOf("b", two)}, []string{"d b"}},
		{"a group of which a line went", []Stray{strayOf("a", queued, two, "d")}, []Find{findOf("b", "a\n\n> @agent-Miner one\n\nb\n")}, nil},
		{"a cancelled group of which a line went", []Stray{strayOf("a", cancelled, two, "d")}, []Find{findOf("b", "a\n\n> @agent-Miner one\n\nb\n")}, []string{"d b"}},
		{"two dispatches", []Stray{strayOf("a", queued, two, "d", "e")}, []Find{findOf("b", two)}, []string{"d b", "e b"}},
		{"one of two dispatches", []Stray{strayOf("a", queued, two, "d", "e")}, []Find{findOf("b", "b\n\n> @agent-Miner two\n\nc\n")}, []string{"e b"}},
		{"a folder of daily notes", days("old/"), found("new/"), []string{"was old/1.md: new/1.md", "was old/2.md: new/2.md", "was old/3.md: new/3.md", "was old/4.md: new/4.md", "was old/5.md: new/5.md"}},
		{"the first of them that is seen", days("old/"), found("new/")[2:3], []string{"was old/3.md: new/3.md"}},
		{"folders of daily notes", append(days("old/a/"), days("old/b/")...), append(found("b/"), found("a/")[:1]...),
			[]string{"was old/a/1.md: a/1.md", "was old/b/1.md: b/1.md", "was old/b/2.md: b/2.md", "was old/b/3.md: b/3.md", "was old/b/4.md: b/4.md", "was old/b/5.md: b/5.md"}},
		{"a copy beside a move", days("old/")[:1], []Find{findOf("copy.md", daily), findOf("new/1.md", daily)}, []string{"was old/1.md: new/1.md"}},
		{"a name that was given twice", days("old/")[:1], append(found("x/")[:1], found("y/")[:1]...), nil},
		{"equal lines", []Stray{strayOf("a", queued, ask+"\n"+ask, "d", "e")}, []Find{findOf("b", ask+"\n"+ask)}, []string{"d b", "e b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, m := range MatchMoves(tt.strays, tt.finds) {
				got = append(got, fmt.Sprint(m.Dispatch, " ", tt.finds[m.Target].File))
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("followed %q, want %q", got, tt.want)
			}
		})
	}
}

// TestSelection says which dispatches go along with a selection into a new note.
func TestSelection(t *testing.T) {
	const ask, two = "> @agent-Miner ask\n", "> @agent-Miner one\n\n> @agent-Miner two\n"
	queued := journal.Queued
	for name, tt := range map[string]struct {
		left []Stray
		to   string
		want []string
	}{
		"its line alone":           {[]Stray{strayOf("a", queued, "x\n\n"+ask+"\ny\n", "d")}, ask, []string{"d"}},
		"among other words":        {[]Stray{strayOf("a", queued, "x\n\n"+ask, "d")}, "p\n\n> @agent-Miner  ask\n\nq\n", []string{"d"}},
		"another line":             {[]Stray{strayOf("a", queued, ask, "d")}, "> @agent-Miner asks\n", nil},
		"a deeper quote":           {[]Stray{strayOf("a", queued, ask, "d")}, "> " + ask, nil},
		"one that failed":          {[]Stray{strayOf("a", journal.Failed, ask, "d")}, "> @agent-Miner  ask\n", nil},
		"a group":                  {[]Stray{strayOf("a", queued, two, "d")}, two, []string{"d"}},
		"half of a group":          {[]Stray{strayOf("a", queued, two, "d")}, "> @agent-Miner one\n", nil},
		"one of two dispatches":    {[]Stray{strayOf("a", queued, two, "d", "e")}, "> @agent-Miner two\n", []string{"e"}},
		"two that fit one marker":  {[]Stray{strayOf("a", queued, ask, "d"), strayOf("b", queued, ask, "e")}, ask, nil},
		"two beside two":           {[]Stray{strayOf("a", queued, two, "d", "e")}, two, []string{"d", "e"}},
		"two that it may be, here": {[]Stray{strayOf("a", queued, ask, "d")}, "> @agent-Miner  ask\n\n>@agent-Miner ask\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, m := range MatchSelection(tt.left, findOf("new", tt.to)) {
				got = append(got, m.Dispatch)
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("taken along %q, want %q", got, tt.want)
			}
		})
	}
}
