package due

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
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
		p.Add(1, false)
		<-taken
		for _, key := range []int{2, 3, 2, 4, 5, 6} {
			p.Add(key, false)
		}
		go func() { p.HandleSome(ctx, note, 9); close(needed) }()
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

// Whoever waits no longer for what was taken leaves the key to the next who handles some.
func TestPileIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPile[int](3)
		goOn, ended := make(chan bool), make(chan bool)
		p.Add(1, false)
		go func() { p.HandleSome(t.Context(), func([]int) { <-goOn }); close(ended) }()
		synctest.Wait()
		soon, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		begun := time.Now()
		if p.HandleSome(soon, func(keys []int) { t.Errorf("%v was handled beside what was taken before", keys) }, 9) || time.Since(begun) != time.Second {
			t.Errorf("waited for %v", time.Since(begun))
		}
		close(goOn)
		<-ended
		var got []int
		if p.HandleSome(t.Context(), func(keys []int) { got = keys }); fmt.Sprint(got) != "[9]" {
			t.Errorf("%v was left", got)
		}
	})
}

// TestPileBehind: who waits for a key has what goes first handled with it, and of what is behind nothing where it does not fit;
// else what is behind has its share.
func TestPileBehind(t *testing.T) {
	p := NewPile[int](4)
	var got []string
	note := func(keys []int) { got = append(got, fmt.Sprint(keys)) }
	for i := range 6 {
		p.Add(100+i, true)
	}
	p.Add(1, false)
	p.Add(105, false) // goes first now
	p.Add(101, true)  // is there
	p.HandleSome(t.Context(), note, 9)
	for i := range 5 {
		p.Add(i, false)
	}
	for p.HandleSome(t.Context(), note) {
	}
	p.Add(100, true)
	p.HandleSome(t.Context(), note, 9)
	if got := fmt.Sprint(got); got != "[[1 105 9] [0 1 2 100] [3 4 101 102] [103 104] [100 9]]" {
		t.Errorf("handled %s", got)
	}
}
