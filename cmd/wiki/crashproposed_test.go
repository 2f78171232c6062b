package main

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"vaultdispatcher/engine/api"
)

// startPerson has a person look at what is proposed, and accept it as it is shown, until the returned function is called. It is
// not killed with the engine, and does not know what an engine that was killed meanwhile has still done.
func (w *crashWorld) startPerson() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var person sync.WaitGroup
	person.Go(func() {
		for ctx.Err() == nil {
			out, _ := w.engine.command("proposed", "--json").Output() // fails while no engine runs
			var list []api.Proposal
			_ = json.Unmarshal(out, &list)
			for _, p := range list {
				if p.Seen != "" {
					_ = w.engine.command("accept", p.ID, "--seen", p.Seen).Run() // the note may have changed
				}
			}
			<-time.After(20 * time.Millisecond)
		}
	})
	return func() { cancel(); person.Wait() }
}
