package queue_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/queue"
)

// A hub that was killed may still have a message of which its consumer believes that it was acknowledged, and delivers
// it to nobody: a question waits for ever, while all workers are idle.
func TestForgottenMessages(t *testing.T) {
	t.Parallel()
	for name, stream := range map[string]string{"a task": "WIKI_TASKS", "a result": "WIKI_RESULTS"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			runs := 0
			work := func(name string) (stop func()) {
				return s.work(&queue.Worker{Credentials: s.join(name, lane), Lanes: []string{lane}, Answer: func(context.Context, agent.Task) (agent.Reply, error) {
					runs++
					return agent.Reply{Text: "an answer"}, nil
				}})
			}
			c, stop := s.client()
			ctx, cancel := context.WithCancelCause(within(t))
			came := run(ctx, c, "d1")
			await(t, func() bool { return s.left("WIKI_TASKS") == 1 })
			cancel(agent.ErrStopping)
			<-came
			stop()
			if stream == "WIKI_RESULTS" { // it is answered while the engine is away
				leave := work("early")
				await(t, func() bool { return s.left(stream) == 1 })
				leave()
			}
			s.forget(stream)
			leave := func() {}
			if stream == "WIKI_TASKS" {
				leave = work("late")
			}
			c, _ = s.client()
			c.LookEvery(100 * time.Millisecond)
			reply, err := c.Runner(lane).Run(within(t), aTask("d1"))
			leave()
			if err != nil || reply.Text != "an answer" || runs != 1 {
				t.Errorf("the reply is %+v, %v, after %d runs", reply, err, runs)
			}
		})
	}
}

// forget leaves what a kill may leave: the messages of a stream as they are now, and of its consumers what they knew
// when these had been acknowledged.
func (s *site) forget(name string) {
	s.t.Helper()
	folder, before := filepath.Join(queue.HubFolder(s.folder), "queue"), filepath.Join(s.t.TempDir(), "queue")
	s.end()
	err := os.CopyFS(before, os.DirFS(folder))
	s.start()
	stream, serr := s.admin().Stream(s.t.Context(), name)
	if err = errors.Join(err, serr); err != nil {
		s.t.Fatal(err)
	}
	for info := range stream.ListConsumers(s.t.Context()).Info() {
		consumer, err := stream.Consumer(s.t.Context(), info.Name)
		if err != nil {
			s.t.Fatal(err)
		}
		got, err := consumer.Fetch(1, jetstream.FetchMaxWait(30*time.Second))
		if err != nil {
			s.t.Fatal(err)
		}
		for m := range got.Messages() {
			if err := m.DoubleAck(s.t.Context()); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	s.end()
	consumers := filepath.Join("jetstream", "$G", "streams", name, "obs")
	for _, err := range []error{
		os.RemoveAll(filepath.Join(before, consumers)),
		os.CopyFS(filepath.Join(before, consumers), os.DirFS(filepath.Join(folder, consumers))),
		os.RemoveAll(folder),
		os.Rename(before, folder),
	} {
		if err != nil {
			s.t.Fatal(err)
		}
	}
	s.start()
	if s.left(name) != 1 {
		s.t.Fatalf("%s has %d messages, want the one that was forgotten", name, s.left(name))
	}
}
