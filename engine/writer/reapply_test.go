package writer

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
)

// wrote is a done dispatch that answered these markers of a note.
func wrote(t *testing.T, id, src string, answer string, at ...int) (journal.Dispatch, string) {
	t.Helper()
	d := journal.Dispatch{ID: id, Status: journal.Done}
	markers := note.Parse([]byte(src)).Markers
	var edits []note.Edit
	for _, i := range at {
		m := markers[i]
		e := note.Respond([]byte(src), m, answer+"\n"+id)
		edits = append(edits, e)
		d.Markers = append(d.Markers, journal.Marker{
			Trace: m.Trace(), Written: true,
			Block: note.Block{Text: e.New, Before: []byte(m.Before), After: []byte(m.After)},
		})
	}
	next, err := note.Apply([]byte(src), edits)
	if err != nil {
		t.Fatal(err)
	}
	return d, string(next)
}

func TestOverwritten(t *testing.T) {
	const q = "> @agent-A q\n"
	const base = "one\n\n" + q + "\ntwo\n\n> @agent-A r\n\nthree\n"
	d, written := wrote(t, "d", base, "yes", 0, 1)
	block := "<!-- agent-response -->\nyes\nd\n<!-- /agent-response -->\n"
	for name, c := range map[string]struct {
		now  string
		lost []int
		rest int
	}{
		"nothing":                    {written, nil, 0},
		"the old text":               {base, []int{0, 1}, 0},
		"and more at the end":        {base + "\nfour\n", []int{0, 1}, 0},
		"with one neighbour edited":  {strings.Replace(base, "two", "two and a half", 1), []int{0, 1}, 0},
		"with windows line ends":     {strings.ReplaceAll(base, "\n", "\r\n"), []int{0, 1}, 0},
		"only one of two":            {strings.Replace(base, "> @agent-A r\n", block, 1), []int{0}, 0},
		"asked again below":          {written + "\n" + q, nil, 1},
		"beside the edited answer":   {strings.Replace(written, "yes\nd\n<!-- /agent-response -->\n", "yes, I say\n<!-- /agent-response -->\n"+q, 1), nil, 1},
		"above the edited answer":    {strings.Replace(strings.Replace(written, "yes\n", "no\n", 1), "one\n\n", "one\n\n"+q, 1), nil, 1},
		"elsewhere, the answer gone": {"other\n\n" + q + "\nplace\n", nil, 1},
		"another question":           {strings.Replace(base, "q\n", "quite another\n", 1), []int{1}, 1},
		"twice, one where it stood":  {base + "\n" + q, []int{0, 1}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			markers := note.Parse([]byte(c.now)).Markers
			lost, rest := findOverwritten([]byte(c.now), markers, []journal.Dispatch{d})
			if !slices.Equal(lost["d"], c.lost) || len(rest) != c.rest {
				t.Errorf("lost %v and %d left, want %v and %d, in\n%s", lost, len(rest), c.lost, c.rest, c.now)
			}
			for _, m := range rest {
				if !slices.Contains(markers, m) {
					t.Errorf("%+v is none of the note's", m)
				}
			}
		})
	}
}

// Of two dispatches each gets its own line back.
func TestOverwrittenOfTwo(t *testing.T) {
	const base = "> @agent-A q\n\nmiddle\n\n> @agent-A q\n"
	first, _ := wrote(t, "first", base, "same", 0)
	second, _ := wrote(t, "second", base, "same", 1)
	lost, rest := findOverwritten([]byte(base), note.Parse([]byte(base)).Markers, []journal.Dispatch{second, first})
	if len(rest) != 0 || !maps.EqualFunc(lost, map[string][]int{"first": {0}, "second": {0}}, slices.Equal) {
		t.Errorf("lost %v, %d left", lost, len(rest))
	}
}

func TestReapplyAt(t *testing.T) {
	now := time.Now()
	for n, want := range []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second} {
		if got := timeToReapply(now, n); got.Sub(now) != want {
			t.Errorf("after %d: in %v, want %v", n, got.Sub(now), want)
		}
	}
	if got := timeToReapply(now, 5); !got.IsZero() {
		t.Errorf("a sixth time: %v", got)
	}
}
