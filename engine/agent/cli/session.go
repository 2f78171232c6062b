package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/agent"
)

// seed writes the project history as a session of pi, in a folder that lasts as
// long as the run, and returns the options that make pi fork it; seeded is false
// where there is no history and nothing to fork.
func seed(task agent.Task, dir, scratch string) (args []string, seeded bool, err error) {
	if len(task.History) == 0 {
		return []string{"--no-session"}, false, nil
	}
	sessions := filepath.Join(scratch, "sessions")
	if err := os.Mkdir(sessions, 0o700); err != nil {
		return nil, false, err
	}
	file := filepath.Join(scratch, "history.jsonl")
	err = os.WriteFile(file, session(task.History, dir, time.Now()), 0o600)
	return []string{"--session-dir", sessions, "--fork", file}, true, err
}

// session prints the history in pi's form, version 3: a header, then one message
// a line, each naming the one before it.
func session(history []agent.Exchange, dir string, now time.Time) []byte {
	var lines []byte
	add := func(entry map[string]any) {
		line, _ := json.Marshal(entry) // strings and numbers; cannot fail
		lines = append(append(lines, line...), '\n')
	}
	add(map[string]any{"type": "session", "version": 3, "id": "00000000-0000-4000-8000-000000000000",
		"timestamp": stamp(now), "cwd": dir})
	var parent any
	message := func(n int, at time.Time, message map[string]any) {
		id := fmt.Sprintf("%08x", n)
		message["timestamp"] = at.UnixMilli()
		add(map[string]any{"type": "message", "id": id, "parentId": parent, "timestamp": stamp(at), "message": message})
		parent = id
	}
	for i, e := range history {
		at := e.At
		if at.IsZero() {
			at = now
		}
		message(2*i, at, map[string]any{"role": "user", "content": []any{text(asked(e))}})
		message(2*i+1, at, map[string]any{"role": "assistant", "content": []any{text(e.Answer)},
			"api": "history", "provider": "history", "model": "history", "stopReason": "stop", "usage": noUsage})
	}
	return lines
}

// asked is an earlier question, with where it stood.
func asked(e agent.Exchange) string { return e.Question + "\n(asked in the note " + e.Note + ")" }

func text(s string) map[string]any { return map[string]any{"type": "text", "text": s} }

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// noUsage is what the message of a model has to carry.
var noUsage = map[string]any{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 0,
	"cost": map[string]any{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}}
