package queue

import (
	"context"
	"testing"

	"github.com/nats-io/nats.go"
)

// TestOnlyTheWordEndsAnything has a worker hear what the server can be made to send it for a stranger.
func TestOnlyTheWordEndsAnything(t *testing.T) {
	own, engine := Credentials{Name: "box", Seed: "its own"}, Credentials{Name: "engine", Seed: "the engine's"}
	ctx, end := context.WithCancelCause(t.Context())
	w := &Worker{Credentials: own, stopping: make(chan struct{}), running: map[string]atWork{"d1.0-00": {end, engine.cancelWord("d1.0-00")}, "d2.0-00": {end: end}}}
	hear := func(text string) {
		for _, key := range []string{"d1.0-00", "d2.0-00"} {
			w.hearCancel(&nats.Msg{Subject: "wiki.cancel.box." + key, Data: []byte(text)})
		}
		w.hearLeave(&nats.Msg{Subject: "wiki.drain.box", Data: []byte(text)})
	}
	for _, text := range []string{"", `{"stream":"WIKI_RESULTS","seq":1}`, engine.cancelWord("d2.0-00"), engine.leaveWord(), own.cancelWord("d1.0-00"), Credentials{}.leaveWord()} {
		hear(text)
		select {
		case <-w.stopping:
			t.Fatalf("%q has it leave", text)
		case <-ctx.Done():
			t.Fatalf("%q ends its agent", text)
		default:
		}
	}
	hear(engine.cancelWord("d1.0-00"))
	<-ctx.Done()
	hear(own.leaveWord())
	<-w.stopping
}

// TestResultsOfTwoMessages: the server drops a second message of the same id.
func TestResultsOfTwoMessages(t *testing.T) {
	if first, second := resultID("d1.0-00", 1), resultID("d1.0-00", 2); first == second {
		t.Errorf("the results of two messages have one id, %s", first)
	}
}
