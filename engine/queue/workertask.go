package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/due"
)

// This file is what a worker does with one task.

// workOn carries one task to its result.
func (w *Worker) workOn(ctx context.Context, m jetstream.Msg, ackWait time.Duration) {
	var task message
	meta, err := m.Metadata()
	if err == nil {
		err = unpackValue(m.Data(), &task, longestTask)
	}
	address := strings.SplitN(strings.TrimPrefix(m.Subject(), tasksPrefix), ".", 2) // lane, and where the result goes
	if err != nil || len(address) != 2 {
		w.Log.Warn("a task cannot be read", "error", err)
		_ = m.TermWithReason("it cannot be read")
		return
	}
	to := address[1]
	_, key, _ := strings.Cut(to, ".")
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	if !w.beginTask(key, atWork{end, task.Cancel}) {
		_ = m.NakWithDelay(ackWait) // it is at work here already
		return
	}
	defer w.endTask(key)
	w.point("taken")
	w.tellEngine(to, said{})
	stopTelling := w.keepAlive(ctx, m, to, ackWait)
	reply, err := w.askAgent(ctx, task, to, meta.NumDelivered)
	stopTelling()
	switch {
	case errors.Is(context.Cause(ctx), errWithdrawn):
		w.tellEngine(to, said{Ended: true})
		_ = m.Term()
	case errors.Is(context.Cause(ctx), errLeaving):
		_ = m.Nak()
	default:
		w.giveResult(ctx, m, to, resultID(task.ID, meta.Sequence.Stream), newResult(w.Credentials.Name, reply, err), ackWait)
	}
}

func (w *Worker) beginTask(key string, at atWork) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, is := w.running[key]; is {
		return false
	}
	w.running[key] = at
	return true
}

func (w *Worker) endTask(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running, key)
}

// askAgent asks the agent, unless the task has outlived too many workers.
func (w *Worker) askAgent(ctx context.Context, m message, to string, delivered uint64) (agent.Reply, error) {
	if delivered > deliveries {
		return agent.Reply{}, &agent.Failure{Kind: agent.Permanent,
			Reason: fmt.Sprintf("%d workers have taken it and none of them has answered; see what ended them", deliveries)}
	}
	w.point("asked")
	task := m.toTask()
	task.Tell = func(progress string) { w.tellEngine(to, said{Tell: progress}) }
	if m.Listens {
		var last time.Time
		task.Said = func(text string) {
			if now := time.Now(); now.Sub(last) >= 200*time.Millisecond { // each is all that was said so far
				last = now
				w.tellEngine(to, said{Said: text})
			}
		}
	}
	return w.Answer(ctx, task)
}

// tellEngine says how far the agent is. What is lost of that is no harm.
func (w *Worker) tellEngine(to string, s said) {
	s.Worker = w.Credentials.Name
	if data, err := packValue(s); err == nil {
		_ = w.conn.Publish(saidPrefix+to, data)
	}
}

// keepAlive tells the queue and the engine that the task is at work, until it is stopped.
func (w *Worker) keepAlive(ctx context.Context, m jetstream.Msg, to string, ackWait time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for due.Sleep(ctx, ackWait/3) == nil {
			_ = m.InProgress()
			w.tellEngine(to, said{})
		}
	}()
	return func() { cancel(); <-done }
}

// resultID is that of the result of one message: a task that is published anew has another result, also when
// it has the same id.
func resultID(id string, sequence uint64) string { return fmt.Sprintf("%s-%d", id, sequence) }

// giveResult publishes the result, however long the hub is away, and then takes the task out of the queue.
func (w *Worker) giveResult(ctx context.Context, m jetstream.Msg, to, id string, r result, ackWait time.Duration) {
	if text, _ := json.Marshal(r); len(text) >= longestReply {
		r = newResult(w.Credentials.Name, agent.Reply{}, &agent.Failure{Reason: "the reply is longer than an engine takes", Usage: r.Reply.Usage})
	}
	data, err := packValue(r)
	if err != nil {
		w.Log.Error("a result cannot be written", "error", err)
		return
	}
	stop := w.keepAlive(ctx, m, to, ackWait)
	defer stop()
	w.point("answered")
	for {
		_, err = w.js.Publish(ctx, resultsPrefix+to, data, jetstream.WithMsgID(id))
		if err == nil || context.Cause(ctx) != nil {
			break
		}
		if errors.Is(err, nats.ErrMaxPayload) {
			data, _ = packValue(newResult(w.Credentials.Name, agent.Reply{}, &agent.Failure{Reason: "the reply is larger than the hub takes", Usage: r.Reply.Usage}))
			continue
		}
		w.Log.Warn("the hub does not take a result yet", "error", err)
		_ = due.Sleep(ctx, tryAgain) // the loop asks
	}
	w.point("given")
	if err == nil {
		_ = m.DoubleAck(ctx) // if that is lost, the engine takes the task out
	}
	w.point("acknowledged")
}

func (w *Worker) point(name string) {
	if w.reached != nil {
		w.reached(name)
	}
}
