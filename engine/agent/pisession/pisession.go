// Package pisession writes files of the program pi, for the two runners that start it:
// [Print] turns a history into a session, [PrintGuard] is the extension that keeps an agent
// that reads to what a vault shows. The format of a session:
// https://github.com/earendil-works/pi/blob/main/packages/coding-agent/docs/session-format.md
package pisession

import (
	"encoding/json"
	"fmt"
	"time"
)

// Turn is an earlier question and its answer. Note is the question's note, if known.
type Turn struct {
	Note, Question, Answer string
	At                     time.Time
}

// Print prints a history as a session file of pi, version 3: a header, then one
// message a line, each naming the one before it. turn makes a turn of each exchange of
// the history. What has no time happened now; dir is the folder that the session says
// it was held in.
func Print[E any](history []E, turn func(E) Turn, dir string, now time.Time) []byte {
	var lines []byte
	add := func(entry map[string]any) {
		line, _ := json.Marshal(entry) // strings and numbers; cannot fail
		lines = append(append(lines, line...), '\n')
	}
	add(map[string]any{"type": "session", "version": 3, "id": "00000000-0000-4000-8000-000000000000",
		"timestamp": formatTime(now), "cwd": dir})
	var parent any
	message := func(n int, at time.Time, message map[string]any) {
		id := fmt.Sprintf("%08x", n)
		message["timestamp"] = at.UnixMilli()
		add(map[string]any{"type": "message", "id": id, "parentId": parent, "timestamp": formatTime(at), "message": message})
		parent = id
	}
	for i, exchange := range history {
		e := turn(exchange)
		at := e.At
		if at.IsZero() {
			at = now
		}
		message(2*i, at, map[string]any{"role": "user", "content": []any{textPart(printQuestion(e))}})
		message(2*i+1, at, map[string]any{"role": "assistant", "content": []any{textPart(e.Answer)},
			"api": "history", "provider": "history", "model": "history", "stopReason": "stop", "usage": noUsage})
	}
	return lines
}

// printQuestion returns an earlier question, with its note if known.
func printQuestion(e Turn) string {
	if e.Note == "" {
		return e.Question
	}
	return e.Question + "\n(asked in the note " + e.Note + ")"
}

func textPart(s string) map[string]any { return map[string]any{"type": "text", "text": s} }

func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// noUsage is what the message of a model has to carry.
var noUsage = map[string]any{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 0,
	"cost": map[string]any{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}}
