package queue

import (
	"context"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// withKey returns credentials with a key of their own.
func withKey(t *testing.T, name string) Credentials {
	t.Helper()
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := pair.Seed()
	if err != nil {
		t.Fatal(err)
	}
	return Credentials{Name: name, Seed: string(seed)}
}

// TestOnlyTheWordEndsAnything has a worker hear what a stranger can guess.
func TestOnlyTheWordEndsAnything(t *testing.T) {
	own, engine := withKey(t, "box"), withKey(t, "engine")
	ctx, end := context.WithCancelCause(t.Context())
	w := &Worker{Credentials: own, stopping: make(chan struct{}), running: map[string]atWork{"d1.0-00": {end, engine.taskWord("d1.0-00")}, "d2.0-00": {end: end}}}
	hear := func(text string) {
		for _, key := range []string{"d1.0-00", "d2.0-00"} {
			w.hearCancel(&nats.Msg{Subject: "wiki.cancel.box." + key, Data: []byte(text)})
		}
		w.hearLeave(&nats.Msg{Subject: "wiki.drain.box", Data: []byte(text)})
	}
	for _, text := range []string{"", `{"stream":"WIKI_RESULTS","seq":1}`, engine.taskWord("d2.0-00"), engine.leaveWord(), own.taskWord("d1.0-00"), Credentials{}.leaveWord()} {
		hear(text)
		select {
		case <-w.stopping:
			t.Fatalf("%q has it leave", text)
		case <-ctx.Done():
			t.Fatalf("%q ends its agent", text)
		default:
		}
	}
	hear(engine.taskWord("d1.0-00"))
	<-ctx.Done()
	hear(own.leaveWord())
	<-w.stopping
}

// TestWordsOfTasks: a word is good for one task and shows whose task it is; it is the same after a restart.
func TestWordsOfTasks(t *testing.T) {
	engine, other := withKey(t, "engine"), withKey(t, "other")
	word := engine.taskWord("d1.0-00")
	if word == "" || word != engine.taskWord("d1.0-00") || word == other.taskWord("d1.0-00") {
		t.Fatalf("the word is %q", word)
	}
	public, signature, _ := strings.Cut(word, ".")
	if read, ok := readWord(word, taskPurpose("d1.0-00")); !ok || read != public {
		t.Errorf("the word is read as %q, %t", read, ok)
	}
	key, err := engine.keyPair()
	if err != nil {
		t.Fatal(err)
	}
	bare, err := key.Sign([]byte(taskPurpose("d1.0-00"))) // as it signs what a server asks it to
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{"", ".", word + "A", word[:len(word)-2], strings.ToLower(word), public, public + ".", "." + signature,
		engine.taskWord("d1.1-00"), engine.leaveWord(), public + "." + string(bare), other.taskWord("d1.0-00")[:len(public)] + "." + signature} {
		if _, ok := readWord(wrong, taskPurpose("d1.0-00")); ok {
			t.Errorf("%q is taken for a word of the task", wrong)
		}
	}
}

// TestResultsOfTwoMessages: the server drops a second message of the same id.
func TestResultsOfTwoMessages(t *testing.T) {
	first, second := given{target: "e.d1.0-00", worker: "box", meta: &nats.MsgMetadata{}}, given{target: "e.d1.0-00", worker: "box", meta: &nats.MsgMetadata{}}
	if second.meta.Sequence.Stream = 1; first.resultID() == second.resultID() {
		t.Errorf("the results of two messages have one id, %s", first.resultID())
	}
}
