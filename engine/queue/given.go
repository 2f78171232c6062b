package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// This file is what a gate does for a worker that was given a task.

// given is one delivery of a task to a worker that has the word of the task.
type given struct {
	gate                 *Gate
	worker, lane, target string // target: engine, dispatch, attempt
	meta                 *nats.MsgMetadata
}

// readGiven reads which task a worker speaks of, and refuses one that it was not given.
func (g *Gate) readGiven(worker, lane, to string, m *nats.Msg) (given, error) {
	engine, key, _ := strings.Cut(to, ".")
	public, ok := readWord(m.Header.Get(wordHeader), taskPurpose(key))
	if name, known := g.rights.Engine(public); !ok || !known || token(name) != engine {
		return given{}, refusal("the worker was not given this task")
	}
	meta, err := (&nats.Msg{Reply: m.Header.Get(placeHeader), Sub: m.Sub}).Metadata()
	if err != nil || meta.Stream != tasksStream || meta.Consumer != lane {
		return given{}, refusal("the delivery of the task cannot be read")
	}
	return given{g, worker, lane, to, meta}, nil
}

// isThere reports whether the delivered message is still in the queue. The number of the delivery is the worker's word;
// that it is one of this task is seen by its subject.
func (t given) isThere(ctx context.Context) (bool, error) {
	m, err := t.gate.tasks.GetMsg(ctx, t.meta.Sequence.Stream)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	return err == nil && m.Subject == tasksPrefix+t.lane+"."+t.target, err
}

// tellConsumer tells JetStream what becomes of the delivery
// (https://docs.nats.io/nats-concepts/jetstream/consumers#ackpolicy), if the task is still in the queue.
func (t given) tellConsumer(ctx context.Context, what string) error {
	there, err := t.isThere(ctx)
	if err != nil || !there {
		return err
	}
	return t.gate.conn.Publish(fmt.Sprintf("$JS.ACK.%s.%s.%d.%d.%d.%d.%d", tasksStream, t.lane, t.meta.NumDelivered,
		t.meta.Sequence.Stream, t.meta.Sequence.Consumer, t.meta.Timestamp.UnixNano(), t.meta.NumPending), []byte(what))
}

// say keeps the task at work, and passes on what is said: also of a task that the engine has taken out, so that the
// engine says that it is over.
func (t given) say(ctx context.Context, data []byte) error {
	err := t.tellConsumer(ctx, "+WPI")
	return errors.Join(err, t.gate.conn.PublishMsg(&nats.Msg{Subject: saidPrefix + t.target, Header: nats.Header{workerHeader: {t.worker}}, Data: data}))
}

// give puts the result into the queue, and then takes the task out: if that fails, the engine does.
func (t given) give(ctx context.Context, data []byte) error {
	m := &nats.Msg{Subject: resultsPrefix + t.target, Header: nats.Header{workerHeader: {t.worker}}, Data: data}
	if _, err := t.gate.js.PublishMsg(ctx, m, jetstream.WithMsgID(t.resultID())); err != nil {
		return err
	}
	if there, err := t.isThere(ctx); err == nil && there {
		_ = t.gate.tasks.DeleteMsg(ctx, t.meta.Sequence.Stream)
	}
	return nil
}

// resultID is that of the result of one message: a task that is published anew has another result.
func (t given) resultID() string {
	return fmt.Sprintf("%s-%d-%s", t.target, t.meta.Sequence.Stream, t.worker)
}

// giveBack has the next worker get the task at once.
func (t given) giveBack(ctx context.Context) error { return t.tellConsumer(ctx, "-NAK") }
