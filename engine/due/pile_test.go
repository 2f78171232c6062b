package due

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
)

// TestPile: whoever needs what lies on the pile waits for what was taken from it, and handles the rest.
func TestPile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		p := NewPile[int](3)
		var got []string
		note := func(keys []int) { got = append(got, fmt.Sprint(keys)) }
		taken, goOn, needed := make(chan bool), make(chan bool), make(chan bool)
		first := true
		go p.Run(ctx, func(keys []int) {
			if first {
				first = false
				taken <- true
				<-goOn
			}
			note(keys)
		})
		p.Add(1)
		<-taken
		for _, key := range []int{2, 3, 2, 4, 5, 6} {
			p.Add(key)
		}
		go func() { p.HandleSome(note, 9); close(needed) }()
		synctest.Wait()
		if len(got) != 0 {
			t.Errorf("%v was handled beside what was taken before", got)
		}
		close(goOn)
		<-needed
		synctest.Wait()
		if got := fmt.Sprint(got); got != "[[1] [2 3 9] [4 5 6]]" && got != "[[1] [2 3 4] [5 6 9]]" {
			t.Errorf("handled %s", got)
		}
	})
}
