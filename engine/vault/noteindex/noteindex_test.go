package noteindex

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"
)

func TestWith(t *testing.T) {
	x := New()
	x.Put("old/a.md", []string{"one", "two"})
	x.Put("older/deep/A.md", []string{"one"})
	x.Put("b.md", []string{"two"})
	x.Put("gone.md", []string{"one"})
	x.Put("gone.md", nil)
	x.Put("b.md", []string{"one"})
	for _, c := range []struct {
		key, end string
		want     string
	}{
		{"one", "", "[b.md old/a.md older/deep/A.md]"},
		{"one", "a.md", "[old/a.md older/deep/A.md]"},
		{"one", "deep/a.md", "[older/deep/A.md]"},
		{"two", "", "[old/a.md]"},
		{"two", "b.md", "[]"},
		{"three", "", "[]"},
	} {
		if got := fmt.Sprint(slices.Sorted(maps.Keys(x.With(c.key, c.end)))); got != c.want {
			t.Errorf("%q at %q: %s, want %s", c.key, c.end, got, c.want)
		}
	}
	for _, rel := range []string{"old/a.md", "older/deep/A.md", "b.md"} {
		x.Drop(rel)
	}
	if len(x.entries)+len(x.notes) > 0 {
		t.Errorf("left are %v and %v", x.entries, x.notes)
	}
}

func TestEnds(t *testing.T) {
	if got, want := Ends("Old/Deep/A.md"), []string{"old/deep/a.md", "deep/a.md", "a.md", ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Notes are dropped by their last time, and a note that is put again and again takes the room of one.
func TestPutAt(t *testing.T) {
	x, at := New(), time.Unix(0, 0)
	for i := range 10_000 {
		at = at.Add(time.Second)
		x.PutAt([]string{"a.md", "b.md", "c.md"}[i%3], []string{"key"}, at)
	}
	if len(x.puts) > 100 {
		t.Errorf("%d times are kept of 3 notes", len(x.puts))
	}
	if got := x.DropOlder(at); !slices.Equal(got, []string{"b.md", "c.md"}) || x.Len() != 1 {
		t.Errorf("dropped %q, %d left", got, x.Len())
	}
}
