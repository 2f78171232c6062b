package writer

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
)

// A question is typed again when its answer has left the note in an earlier save than the one that
// brings it back, by more than a debounce; and not of two equal answers of which one stands.
func TestRemovals(t *testing.T) {
	const base = "one\n\n> @agent-A q\n\ntwo\n"
	d, written := wrote(t, "d", base, "yes", 0)
	out := strings.Replace(written, string(d.Markers[0].Block.Text)+"\n\n", "", 1)
	twice := strings.Replace(written, "two", string(d.Markers[0].Block.Text)+"\n\ntwo", 1)
	same := journal.Dispatch{ID: "same", Status: journal.Done, Markers: d.Markers}
	start := time.Now()
	d.Finished, same.Finished = start, start
	type look struct {
		at  time.Duration
		src string
	}
	for name, c := range map[string]struct {
		all   []journal.Dispatch
		looks []look
		then  time.Duration
		old   bool // the question is taken for old text
	}{
		"never gone":                   {all: []journal.Dispatch{d}, looks: []look{{0, written}}, then: time.Minute, old: true},
		"gone":                         {all: []journal.Dispatch{d}, looks: []look{{0, written}, {time.Second, out}}, then: 2 * time.Second},
		"gone within the debounce":     {all: []journal.Dispatch{d}, looks: []look{{0, out}}, then: time.Second - 1, old: true},
		"gone, and typed for a while":  {all: []journal.Dispatch{d}, looks: []look{{0, out}, {time.Second, base}}, then: 2 * time.Second},
		"back meanwhile":               {all: []journal.Dispatch{d}, looks: []look{{0, out}, {time.Second, written}}, then: 2 * time.Second, old: true},
		"an empty note":                {all: []journal.Dispatch{d}, looks: []look{{0, "\ufeff\n"}}, then: time.Minute, old: true},
		"not written yet":              {all: []journal.Dispatch{d}, looks: []look{{0, base}}, then: time.Minute, old: true},
		"edited":                       {all: []journal.Dispatch{d}, looks: []look{{0, strings.Replace(written, "yes", "no", 1)}}, then: time.Minute, old: true},
		"one of two equal ones is out": {all: []journal.Dispatch{d, same}, looks: []look{{0, twice}, {time.Second, written}}, then: time.Minute, old: true},
		"both are out":                 {all: []journal.Dispatch{d, same}, looks: []look{{0, twice}, {time.Second, out}}, then: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			for _, look := range c.looks {
				for _, changed := range findRemoved([]byte(look.src), find.NewText([]byte(look.src)), c.all, start.Add(look.at)) {
					i := slices.IndexFunc(c.all, func(d journal.Dispatch) bool { return d.ID == changed.ID })
					c.all[i] = changed
				}
			}
			markers := note.Parse([]byte(base)).Markers
			lost, _ := findOverwritten(find.NewText([]byte(base)), markers, leaveOutRemoved(c.all, time.Second, start.Add(c.then)))
			if old := len(lost) > 0; old != c.old {
				t.Errorf("old text is %v", old)
			}
		})
	}
}
