package tray

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

// board is a panel as the slowest of them is: a line that is told anything while it
// is hidden appears.
type board struct {
	t       *testing.T
	lines   map[string]*Item
	changes int
}

func newBoard(t *testing.T, items []Item) *board {
	b := &board{t: t, lines: make(map[string]*Item)}
	b.add(items)
	return b
}

func (b *board) add(items []Item) {
	for _, item := range items {
		b.lines[item.ID] = &item
		b.add(item.Sub)
	}
}

func (b *board) apply(all []edit) {
	b.changes += len(all)
	for _, e := range all {
		line := b.lines[e.item.ID]
		if e.disappears {
			line.Hidden = true
			continue
		}
		if line.Hidden && !e.appears {
			b.t.Fatalf("%s was told something while hidden", line.ID)
		}
		if e.label {
			line.Label = e.item.Label
		}
		if e.check {
			line.Checked = e.item.Checked
		}
		if e.able {
			line.Disabled = e.item.Disabled
		}
		if e.appears {
			line.Hidden = false
		}
	}
}

// From any menu to any other the edits lead, and from one to itself there are none.
func TestEdits(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	shown := Menu(View{})
	b := newBoard(t, shown)
	for range 500 {
		next := Menu(anyView(r))
		b.apply(compareMenus(shown, next))
		for _, group := range append([][]Item{next}, subs(next)...) {
			for _, want := range group {
				got := *b.lines[want.ID]
				same := got.Label == want.Label && got.Checked == want.Checked && got.Disabled == want.Disabled
				if got.Hidden != want.Hidden || !want.Hidden && !same {
					t.Fatalf("seed %d: %s is shown as %+v, not as %+v", seed, want.ID, got, want)
				}
			}
		}
		if again := compareMenus(next, next); len(again) != 0 {
			t.Fatalf("seed %d: %d edits of nothing", seed, len(again))
		}
		shown = next
	}
	if b.changes == 0 {
		t.Error("nothing was ever changed")
	}
}

// A line that appears is told everything anew.
func TestEditAppears(t *testing.T) {
	got := compareMenus([]Item{{ID: "a", Label: "x", Hidden: true}}, []Item{{ID: "a", Label: "x"}})
	if len(got) != 1 || !reflect.DeepEqual(got[0], edit{item: Item{ID: "a", Label: "x"}, label: true, check: true, able: true, appears: true}) {
		t.Errorf("%+v", got)
	}
}
