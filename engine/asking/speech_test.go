package asking

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"vaultdispatcher/engine/journal"
)

// hearing is somebody who waits for the dispatch "a" in the state that is there.
func hearing(ctx context.Context, w *Waiters, state *atomic.Value, said func(string)) <-chan error {
	ended := make(chan error, 1)
	go func() {
		_, _, err := w.Await(ctx, "a", said, func(context.Context, string) (journal.Dispatch, error) {
			return journal.Dispatch{ID: "a", Status: state.Load().(journal.Status), Asked: journal.AskedTold}, nil
		}, nil)
		ended <- err
	}()
	return ended
}

// TestSpeech: who waits hears all that was said so far, each time there is more, until there is an answer.
func TestSpeech(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w Waiters
		var state atomic.Value
		state.Store(journal.Queued)
		w.Say("a", "On") // before anybody listens
		var heard []string
		ended := hearing(t.Context(), &w, &state, func(text string) { heard = append(heard, text) })
		deaf := hearing(t.Context(), &w, &state, nil)
		for _, step := range []func(){
			func() { w.Say("b", "another") },
			func() { w.Say("a", "On Friday. ") },
			func() { w.Say("a", "On Friday. ") },
			func() { state.Store(journal.Processing); w.Wake("a") },
			func() { w.Say("a", "On Friday. \nOr") },
			func() { w.Forget("a") }, // and the agent is asked again
			func() { w.Say("a", "{") },
			func() { w.Say("a", `{"responses":[{"request":1,"answer":"Monday"}]}`) },
			func() { w.Say("a", "Monday") },
		} {
			synctest.Wait()
			step()
		}
		synctest.Wait()
		state.Store(journal.Done)
		w.Wake("a")
		if err := errors.Join(<-ended, <-deaf); err != nil || !slices.Equal(heard, []string{"On", "On Friday.", "On Friday. \nOr", "Monday"}) {
			t.Errorf("%v, heard %q", err, heard)
		}
		w.Forget("b")
		if len(w.speech)+len(w.changed) > 0 {
			t.Errorf("%d texts and %d dispatches are kept", len(w.speech), len(w.changed))
		}
	})
}

// TestSlowListener: who takes their time holds nobody up and hears the latest, and who leaves hears no more.
func TestSlowListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w Waiters
		var state atomic.Value
		state.Store(journal.Processing)
		ctx, leave := context.WithCancel(t.Context())
		heard, goOn := []string{}, make(chan struct{})
		ended := hearing(ctx, &w, &state, func(text string) { heard = append(heard, text); <-goOn })
		var text strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&text, "%d ", i)
			w.Say("a", text.String())
			if i == 0 {
				synctest.Wait()
			}
		}
		goOn <- struct{}{}
		synctest.Wait()
		leave()
		close(goOn)
		if err := <-ended; err != context.Canceled || len(heard) != 2 || heard[0] != "0" || !strings.HasSuffix(heard[1], " 999") {
			t.Errorf("%v, heard %d times", err, len(heard))
		}
		ended = hearing(t.Context(), &w, &state, nil)
		synctest.Wait()
		w.End()
		if err := <-ended; err == nil || !strings.Contains(err.Error(), "stopping") {
			t.Errorf("%v", err)
		}
	})
}
