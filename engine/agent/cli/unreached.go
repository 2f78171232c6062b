package cli

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/printed"
	"vaultdispatcher/engine/config/runners"
)

// lostAfter is how long complaints follow each other before a program is ended. The first tries of all of them come within it. It is a
// variable for tests.
var lostAfter = 4 * time.Second

// apart is when complaints do not follow each other: the program got through in between. The longest gap between two of gemini was
// measured as 10 s.
const apart = 15 * time.Second

// lostServer is why a run was ended: what the program said last of a server that it did not reach.
type lostServer struct{ message string }

func (e *lostServer) Error() string { return e.message }

// runWatched runs a program until it ends, or has complained for a while that it does not reach its server, or says nothing and none
// of its servers is found: some try that again for minutes, or for ever. The dispatch is tried again anyway.
func (p preset) runWatched(ctx context.Context, call agent.Program, servers []string) (agent.Ended, error) {
	run, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	lost, quiet := &complaints{}, silence{servers: servers, heard: make(chan struct{}, 1)}
	notice := func(line []byte, isError bool) {
		quiet.hear()
		if p.unreached == nil {
			return
		}
		if said := p.unreached(line, isError); said != "" && lost.last(time.Now()) {
			stop(&lostServer{said})
		}
	}
	hear := call.Hear
	call.Hear = func(line []byte) bool {
		notice(line, false)
		return hear != nil && hear(line)
	}
	call.HearErrors = func(line []byte) { notice(line, true) }
	var watching sync.WaitGroup
	if len(servers) > 0 {
		watching.Go(func() {
			if said := quiet.await(run); said != "" {
				stop(&lostServer{said})
			}
		})
	}
	ended, err := call.Run(run)
	stop(nil)
	watching.Wait()
	if lost, ok := errors.AsType[*lostServer](context.Cause(run)); ok && err != nil {
		said := p.read(ended.Output) // before that
		_, err = agent.Judge(agent.Completion{Speaker: p.speaker(), Text: printed.Plain(said.text), Usage: said.usage,
			Refusal: &endings.Refusal{Program: p.program, Words: lost.message}})
	}
	return ended, err
}

// complaints are those of a program that it does not reach its server.
type complaints struct {
	mu            sync.Mutex // guards the fields below: output and errors come side by side
	first, latest time.Time
}

// last takes note of one more, and reports whether there have been enough.
func (c *complaints) last(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(c.latest) > apart {
		c.first = now
	}
	c.latest = now
	return now.Sub(c.first) >= lostAfter
}

// ifUnreachable returns what a program says, if that is that it does not reach its server.
func ifUnreachable(program, said string) string {
	if (endings.Refusal{Program: program, Words: said}).Kind() != endings.Unreachable {
		return ""
	}
	return strings.TrimSpace(said)
}

// speaker is who a run is of.
func (p preset) speaker() agent.Speaker {
	return agent.Speaker{Name: p.program, LogIn: runners.HowToLogIn(p.program)}
}
