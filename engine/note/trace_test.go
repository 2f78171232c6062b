package note

import (
	"slices"
	"testing"
)

func TestMatch(t *testing.T) {
	const ask = "> @agent-Editor shorten the paragraph above\n"
	one := "# One\n\nalpha\n\n" + ask
	two := "# Two\n\nbeta\n\n" + ask
	traces := func(src string) (list []Trace) {
		for _, m := range Parse([]byte(src)).Markers {
			list = append(list, m.Trace())
		}
		return list
	}
	for _, tt := range []struct {
		name   string
		before string
		after  string
		want   []int
	}{
		{"as it was", one + "\n" + two, one + "\n" + two, []int{0, 1}},
		{"an equal line above it", "# One\n\nalpha\n\n" + two, one + "\n" + two, []int{1}},
		{"an equal line below it", one, one + "\n" + two, []int{0}},
		{"the first of two is gone", one + "\n" + two, "# One\n\nalpha\n\n" + two, []int{-1, 0}},
		{"sections changed places", one + "\n" + two, two + "\n" + one, []int{1, 0}},
		{"both neighbours edited", one + "\nend\n", "# One\n\nalpha, longer\n\n" + ask + "\nthe end\n", []int{0}},
		{"sections of a quote changed places", "> one\n>\n> > @agent-Miner why?\n>\n> end of one\n\n> two\n>\n> > @agent-Miner why?\n>\n> end of two\n",
			"> two\n>\n> > @agent-Miner why?\n>\n> end of two\n\n> one\n>\n> > @agent-Miner why?\n>\n> end of one\n", []int{1, 0}},
		{"moved down", one, "new\n\nnew\n\n" + one, []int{0}},
		{"edited", one, "# One\n\nalpha\n\n> @agent-Editor shorten it\n", []int{-1}},
		{"nothing left", one + "\n" + two, "", []int{-1, -1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Match(Parse([]byte(tt.after)).Markers, traces(tt.before)); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
