package engine

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/config"
)

// A note that another program never stops writing into delays no other note: the slot
// of its agent is free when its answer is there.
func TestBusyNoteDelaysNoOther(t *testing.T) {
	r := startEngine(t, t.TempDir(), &echoes{}, func(c *config.Config) { c.Dispatch.Concurrency = 1 })
	r.save("busy.md", question(1))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			f, err := os.OpenFile(filepath.Join(r.vault, "busy.md"), os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				_, _ = f.WriteString("another line\n")
				f.Close()
			}
			<-time.After(10 * time.Millisecond)
		}
	}()
	for list := r.unfinished(); len(list) == 0 || !list[0].Answered; list = r.unfinished() {
		r.pause()
	}
	busy := r.unfinished()[0].ID
	r.save("quiet.md", question(2))
	r.until("quiet.md", answer(2))
	steps, err := r.journal.Steps(t.Context(), busy)
	if err != nil {
		t.Error(err)
	}
	for _, s := range steps {
		if s.Name == "requeued" || s.Name == "written" {
			t.Errorf("the quiet note was answered after the busy one was %s", s.Name)
		}
	}
	stop()
	<-ended
	r.until("busy.md", answer(1))
}
