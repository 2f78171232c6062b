package openai

import (
	"flag"
	"io"
	"net/http"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/testdata/wires"
)

var wireRounds = flag.Int("wires", 1, "in how many ways each cut of a recorded answer comes in pieces")

// TestWires: an answer that is not whole is never read as one, and one that is whole is read to the byte, wherever it is cut, whatever
// it is called, in whatever pieces it comes.
func TestWires(t *testing.T) {
	t.Parallel()
	var list []wires.Wire
	for _, w := range wires.Read(t, "testdata/wires.txtar") {
		list = append(list, w, w.With("behind a mark", func(s string) string { return "\ufeff" + s }))
		if !strings.HasPrefix(w.Body, "{") {
			list = append(list,
				w.With("CR LF", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }),
				w.With("CR", func(s string) string { return strings.ReplaceAll(s, "\n", "\r") }),
				w.With("comments", func(s string) string { return strings.ReplaceAll(": hi\n"+s, "\n\n", "\n\n: ping\n\n") }))
		}
	}
	types := []string{"application/json", "text/event-stream", "text/plain; charset=utf-8", "", "application/octet-stream", "text/html"}
	if testing.Short() {
		types = types[:3]
	}
	wires.Bend(t, list, wires.Options{Types: types, Rounds: *wireRounds, Ends: 200}, func(b wires.Bent) (string, error) {
		a := collected{listener: func(text string) {
			if !strings.HasPrefix(b.Answer, text) {
				t.Errorf("%q was heard of %q", text, b.Answer)
			}
		}}
		if err := a.collect(&http.Response{Header: http.Header{"Content-Type": {b.Type}}, Body: io.NopCloser(b.Reader())}); err != nil {
			return "", err
		}
		reply, err := agent.Judge(*a.completion())
		return reply.Text, err
	})
}
