package acp

import (
	"bytes"
	"flag"
	"io"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/testdata/wires"
)

var everyWire = flag.Bool("wires.all", false, "cut the conversations at every byte")

// A turn that has not ended, or not as it should, brings no answer, and one that has brings it to the byte, wherever the conversation
// is cut and in whatever pieces it comes.
func TestWires(t *testing.T) {
	t.Parallel()
	var list []wires.Wire
	for _, w := range wires.Read(t, "testdata/wires.txtar") {
		list = append(list, w,
			w.With("CR LF", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }),
			w.With("lines between", func(s string) string { return "fake agent 1.0\n" + strings.ReplaceAll(s, "\n", "\n[1,2]\n\n") }))
	}
	o := wires.Options{Rounds: 1, Ends: 20, Step: 11}
	if *everyWire {
		o = wires.Options{Rounds: 1, Ends: 200}
	}
	wires.Bend(t, list, o, func(b wires.Bent) (string, error) {
		over := make(chan struct{})
		defer close(over)
		asked := make(chan struct{}, 16)
		a := Agent{Command: []string{"agent"}}
		s := &session{agent: a, task: agent.Task{Text: "the task"}, client: newClient(a, "")}
		if err := s.talk(t.Context(), t.Context(), asking(asked), &saying{Reader: b.Reader(), rest: b.Text, asked: asked, over: over}); err != nil {
			return "", err
		}
		reply, err := s.takeReply()
		return reply.Text, err
	})
}

// asking takes note of each request.
type asking chan struct{}

func (a asking) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(`"id":`)) {
		a <- struct{}{}
	}
	return len(p), nil
}

// saying says what comes behind an answer of the agent when the next request was made.
type saying struct {
	io.Reader
	rest        string // that has not begun
	line        int    // as much as is left of a line
	waits       bool   // for a request
	begun       bool
	asked, over chan struct{}
}

func (s *saying) Read(p []byte) (int, error) {
	if s.line == 0 {
		if !s.begun || s.waits && s.rest != "" {
			select {
			case <-s.asked:
			case <-s.over:
				return 0, io.EOF
			}
		}
		line, _, _ := strings.Cut(s.rest, "\n")
		s.line = min(len(line)+1, len(s.rest))
		s.begun, s.waits, s.rest = true, strings.Contains(line, `"id":`), s.rest[s.line:]
	}
	n, err := s.Reader.Read(p[:max(1, min(len(p), s.line))])
	s.line -= n
	return n, err
}
