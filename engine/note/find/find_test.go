package find

import (
	"slices"
	"testing"

	"vaultdispatcher/engine/note"
)

func TestMatch(t *testing.T) {
	const ask = "> @agent-Editor shorten the paragraph above\n"
	one := "# One\n\nalpha\n\n" + ask
	two := "# Two\n\nbeta\n\n" + ask
	traces := func(src string) (list []note.Trace) {
		for _, m := range note.Parse([]byte(src)).Markers {
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
			if got := Match(note.Parse([]byte(tt.after)).Markers, traces(tt.before)); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// An exact match wins, and of several that differ in white space none is taken.
func TestMatchFolded(t *testing.T) {
	const a, b, c = "> @agent-Miner a  b", "> @agent-Miner a b", "> @agent-Miner  a b"
	for name, tt := range map[string]struct {
		was, is string
		exact   bool // every byte counts
		want    []int
	}{
		"the same":                {a, a, false, []int{0}},
		"white space":             {a, b, false, []int{0}},
		"where every byte counts": {a, b, true, []int{-1}},
		"the exact one":           {a, b + "\n\n" + a, false, []int{1}},
		"two":                     {a, b + "\n\n" + c, false, []int{-1}},
		"two of two":              {a + "\n\nx\n\n" + a, b + "\n\nx\n\n" + b, false, []int{0, 1}},
		"two of two, moved":       {"p\n\n" + a + "\n\nq\n\n" + a + "\n\nr", "q\n\n" + b + "\n\nr\n\np\n\n" + b + "\n\nz", false, []int{1, 0}},
		"two of one":              {a + "\n\n" + a, b, false, []int{-1, -1}},
		"deeper":                  {a, "> " + a, false, []int{-1}},
		"into a list":             {a, "- x\n  " + b, false, []int{-1}},
		"out of a deep list":      {"- x\n    " + a, b, false, []int{-1}},
		"an item's indentation":   {"- x\n  " + a, "- x\n    " + b, false, []int{0}},
		"an item less deep":       {"- x\n  - " + a, "- " + b, false, []int{-1}},
		"several lines":           {a + "\n> and  c", b + " \n>and c", false, []int{0}},
		"one of several lines":    {a, b + "\n> and c", false, []int{-1}},
	} {
		t.Run(name, func(t *testing.T) {
			var traces []note.Trace
			for _, m := range note.Parse([]byte(tt.was)).Markers {
				trace := m.Trace()
				trace.Folds = !tt.exact
				traces = append(traces, trace)
			}
			if got := Match(note.Parse([]byte(tt.is)).Markers, traces); !slices.Equal(got, tt.want) {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
	first := note.Trace{Text: a, Folds: true}
	doc := ParseAs(note.NewPage([]byte(b+"\n> my words")), []note.Trace{first})
	if len(doc.Markers) != 1 || doc.Markers[0].Text != b {
		t.Errorf("as it was asked it is %+v", doc.Markers)
	}
}
