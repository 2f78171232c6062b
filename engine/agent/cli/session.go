package cli

import (
	"os"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/pisession"
)

// seedSession writes the project history as a session of pi, in a folder that lasts as
// long as the run, and returns the options that make pi fork it; seeded is false
// where there is no history and nothing to fork.
func seedSession(task agent.Task, dir, scratch string) (args []string, seeded bool, err error) {
	if len(task.History) == 0 {
		return []string{"--no-session"}, false, nil
	}
	sessions := filepath.Join(scratch, "sessions")
	if err := os.Mkdir(sessions, 0o700); err != nil {
		return nil, false, err
	}
	file := filepath.Join(scratch, "history.jsonl")
	err = os.WriteFile(file, pisession.Print(task.History, turnOf, dir, time.Now()), 0o600)
	return []string{"--session-dir", sessions, "--fork", file}, true, err
}

// turnOf is an exchange as pi's session file has it.
func turnOf(e agent.Exchange) pisession.Turn { return pisession.Turn(e) }
