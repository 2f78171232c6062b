package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
)

// A note that another program never stops writing into delays no other note: the slot
// of its agent is free when its answer is there. Where the machine stops for so long that
// the busy note was at rest, that tells nothing, and other notes are tried.
func TestBusyNoteDelaysNoOther(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), &echoes{}, func(c *config.Config) { c.Dispatch.Concurrency = 1 })
	const tries = 5
	for i := range tries {
		ended := answersBesideBusy(r, i)
		if ended == "" {
			return
		}
		t.Logf("try %d: the quiet note was answered after the busy one was %s", i+1, ended)
	}
	t.Errorf("in %d tries the quiet note waited for the busy one", tries)
}

// answersBesideBusy has a quiet note answered while another program writes into a busy one, and returns
// what the busy one's dispatch had come to by then, if it was no longer waiting.
func answersBesideBusy(r *running, try int) (ended string) {
	r.t.Helper()
	busyNote, quietNote := fmt.Sprintf("busy%d.md", try), fmt.Sprintf("quiet%d.md", try)
	r.save(busyNote, question(2*try+1))
	ctx, stop := context.WithCancel(r.t.Context())
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for ctx.Err() == nil {
			f, err := os.OpenFile(filepath.Join(r.vault, busyNote), os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				_, _ = f.WriteString("another line\n")
				f.Close()
			}
			<-time.After(10 * time.Millisecond)
		}
	}()
	busy := r.dispatchOf(busyNote)
	for ; !busy.Answered; busy = r.dispatchOf(busyNote) {
		r.pause()
	}
	r.save(quietNote, question(2*try+2))
	r.until(quietNote, answer(2*try+2))
	steps, err := r.journal.Steps(r.t.Context(), busy.ID)
	if err != nil {
		r.t.Error(err)
	}
	for _, s := range steps {
		if s.Name == "requeued" || s.Name == "written" {
			ended = s.Name
		}
	}
	stop()
	<-stopped
	r.until(busyNote, answer(2*try+1))
	return ended
}

// dispatchOf returns the newest dispatch of a note; none has no ID.
func (r *running) dispatchOf(rel string) journal.Dispatch {
	r.t.Helper()
	list, err := r.journal.List(r.t.Context(), journal.Filter{File: rel, Limit: 1})
	if err != nil {
		r.t.Fatal(err)
	}
	if len(list) == 0 {
		return journal.Dispatch{}
	}
	return list[0]
}
