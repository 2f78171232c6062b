package engine

import (
	"fmt"
	"slices"
	"testing"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// claimed notes and found notes, as the journal and the disk have them.
func strayOf(file string, status journal.Status, src string, ids ...string) stray {
	s := stray{file: file}
	for i, m := range note.Parse([]byte(src)).Markers {
		s.claims = append(s.claims, journal.Claim{Dispatch: ids[min(i, len(ids)-1)], Status: status, Marker: journal.Marker{
			Text: []byte(m.Text), Line: m.Line, Ordinal: m.Ordinal, Before: []byte(m.Before), After: []byte(m.After),
		}})
	}
	return s
}

func findOf(file, src string) find {
	markers := note.Parse([]byte(src)).Markers
	return find{file, markers, markers}
}

// TestFollowed says when a question has moved to another note and when that would
// be a guess.
func TestFollowed(t *testing.T) {
	const ask = "> @agent-Miner ask\n"
	const two = "a\n\n> @agent-Miner one\n\nb\n\n> @agent-Miner two\n\nc\n"
	queued, cancelled := journal.Queued, journal.Cancelled
	for _, tt := range []struct {
		name   string
		strays []stray
		finds  []find
		want   []string
	}{
		{"renamed", []stray{strayOf("a", queued, "x\n\n"+ask+"\ny\n", "d")}, []find{findOf("b", "x\n\n"+ask+"\ny\n")}, []string{"d b"}},
		{"edited elsewhere", []stray{strayOf("a", queued, "x\n\n"+ask+"\ny\n", "d")}, []find{findOf("b", "new\nx\n\n"+ask+"\nchanged\n")}, []string{"d b"}},
		{"nothing but the line", []stray{strayOf("a", queued, ask, "d")}, []find{findOf("b", ask)}, []string{"d b"}},
		{"other surroundings", []stray{strayOf("a", queued, "x\n\n"+ask+"\ny\n", "d")}, []find{findOf("b", "p\n\n"+ask+"\nq\n")}, nil},
		{"another line", []stray{strayOf("a", queued, "x\n\n"+ask+"\ny\n", "d")}, []find{findOf("b", "x\n\n> @agent-Miner ask!\n\ny\n")}, nil},
		{"two new notes", []stray{strayOf("a", queued, "x\n\n"+ask, "d")}, []find{findOf("b", "x\n\n"+ask), findOf("c", "x\n\n"+ask)}, nil},
		{"two gone notes", []stray{strayOf("a", queued, ask, "d"), strayOf("b", queued, ask, "e")}, []find{findOf("c", ask)}, nil},
		{"two of each", []stray{strayOf("a", queued, ask, "d"), strayOf("b", queued, "x\n"+ask, "e")},
			[]find{findOf("c", ask), findOf("f", "x\n\n"+ask)}, []string{"d c", "e f"}},
		{"a group", []stray{strayOf("a", queued, two, "d")}, []find{findOf("b", two)}, []string{"d b"}},
		{"a group of which a line went", []stray{strayOf("a", queued, two, "d")}, []find{findOf("b", "a\n\n> @agent-Miner one\n\nb\n")}, nil},
		{"a cancelled group of which a line went", []stray{strayOf("a", cancelled, two, "d")}, []find{findOf("b", "a\n\n> @agent-Miner one\n\nb\n")}, []string{"d b"}},
		{"two dispatches", []stray{strayOf("a", queued, two, "d", "e")}, []find{findOf("b", two)}, []string{"d b", "e b"}},
		{"one of two dispatches", []stray{strayOf("a", queued, two, "d", "e")}, []find{findOf("b", "b\n\n> @agent-Miner two\n\nc\n")}, []string{"e b"}},
		{"equal lines", []stray{strayOf("a", queued, ask+"\n"+ask, "d", "e")}, []find{findOf("b", ask+"\n"+ask)}, []string{"d b", "e b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, m := range followed(tt.strays, tt.finds) {
				got = append(got, fmt.Sprint(m.dispatch, " ", tt.finds[m.to].file))
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("followed %q, want %q", got, tt.want)
			}
		})
	}
}
