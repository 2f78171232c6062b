package dispatches

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"vaultdispatcher/engine/api"
)

// All is all, also when there are more than one list holds; what cannot be acted on is
// tried once, and keeps nothing from those behind it as long as a list has room.
func TestActOnAll(t *testing.T) {
	const most = 10
	for name, c := range map[string]struct {
		held, stuck   int // so many dispatches, and every so manieth cannot be acted on
		done, refused int
	}{
		"none":           {held: 0, done: 0},
		"few":            {held: 3, done: 3},
		"one list":       {held: 10, done: 10},
		"many":           {held: 57, done: 57},
		"some refused":   {held: 57, stuck: 10, done: 52, refused: 5},
		"all refused":    {held: 7, stuck: 1, refused: 7},
		"a list refused": {held: 11, stuck: 1, refused: 10},
	} {
		t.Run(name, func(t *testing.T) {
			var held []api.Dispatch // the newest first
			for i := range c.held {
				held = append(held, api.Dispatch{ID: fmt.Sprint(c.held - i), Vault: "Notes"})
			}
			held = append(held, api.Dispatch{ID: "0", Vault: "Other"}) // the oldest, and not asked for
			tried, refused := map[string]int{}, 0
			b := batch{wanted: func(d api.Dispatch) bool { return d.Vault == "Notes" }, visited: make(map[string]bool), refused: func(api.Dispatch, string) { refused++ }}
			list := func() ([]api.Dispatch, error) {
				return slices.Clone(held[:min(len(held), most)]), nil
			}
			err := b.run(most, list, func(id string) (api.Dispatch, error) {
				tried[id]++
				var n int
				if _, err := fmt.Sscan(id, &n); err != nil {
					t.Fatal(err)
				}
				if c.stuck > 0 && n%c.stuck == 0 {
					return api.Dispatch{}, &api.StatusError{Code: "conflict"}
				}
				held = slices.DeleteFunc(held, func(d api.Dispatch) bool { return d.ID == id })
				return api.Dispatch{ID: id}, nil
			})
			if err != nil || len(b.results) != c.done || refused != c.refused || len(tried) != c.done+c.refused || b.partial != (c.held > most && c.stuck == 1) {
				t.Errorf("%d done, %d refused, %d tried, some left %v, error %v", len(b.results), refused, len(tried), b.partial, err)
			}
			for id, n := range tried {
				if n != 1 {
					t.Errorf("%s was tried %d times", id, n)
				}
			}
		})
	}
}

func TestActOnAllEndsWithTheEngine(t *testing.T) {
	gone := errors.New("nobody answers")
	b := batch{visited: make(map[string]bool)}
	list := func() ([]api.Dispatch, error) { return []api.Dispatch{{ID: "2"}, {ID: "1"}}, nil }
	err := b.run(2, list, func(string) (api.Dispatch, error) { return api.Dispatch{}, gone })
	if !errors.Is(err, gone) || len(b.visited) != 1 {
		t.Errorf("%d were tried, %v", len(b.visited), err)
	}
}

// The end or the beginning of an ID names its dispatch where it is the only one; nothing shorter than four characters does.
func TestPartOfAnID(t *testing.T) {
	list := func(context.Context, api.Filter) ([]api.Dispatch, error) {
		return []api.Dispatch{{ID: "1jsjnhg85h3y9"}, {ID: "1jsjnhg6zvnw0"}, {ID: "0p4y7k2m9x3td"}}, nil
	}
	for id, want := range map[string]string{"0p4y": "0p4y7k2m9x3td", "x3td": "0p4y7k2m9x3td", "vnw0": "1jsjnhg6zvnw0", "nhg6": "nhg6", "1jsjnhg8": "1jsjnhg85h3y9", "1jsjnhg6zvnw0": "1jsjnhg6zvnw0", "0p4": "0p4", "gone": "gone", "1jsj": ""} {
		if got, err := wholeID(t.Context(), list, id); got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v", id, got, err)
		}
	}
}
