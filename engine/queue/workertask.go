package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/due"
)

// This file is what a worker does with one task.

// workOn carries one task to its result.
func (w *Worker) workOn(ctx context.Context, m *nats.Msg) {
	parts := strings.SplitN(strings.TrimPrefix(m.Subject, tasksPrefix), ".", 3) // lane, engine, key
	meta, err := m.Metadata()
	if err != nil || len(parts) != 3 {
		w.Log.Warn("what the hub gave is no task", "error", err)
		return
	}
	key := parts[2]
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	if !w.beginTask(key, atWork{end, m.Header.Get(wordHeader)}) {
		return // it is at work here already
	}
	defer w.endTask(key)
	w.point("taken")
	w.tellEngine(m, said{})
	stopTelling := w.keepAlive(ctx, m)
	reply, err := w.askAgent(ctx, m, meta.NumDelivered)
	stopTelling()
	switch {
	case errors.Is(context.Cause(ctx), errWithdrawn):
		w.tellEngine(m, said{Final: true}) // which has taken the task out
	case errors.Is(context.Cause(ctx), errLeaving):
		_ = w.ask(context.WithoutCancel(ctx), w.about("back", m, nil)) // else the next worker gets it after AckWait
	default:
		w.giveResult(ctx, m, newResult(reply, err))
	}
}

// about is what the worker says to the gate of a task that it was given.
func (w *Worker) about(what string, m *nats.Msg, data []byte) *nats.Msg {
	return &nats.Msg{Subject: w.place(what + "." + strings.TrimPrefix(m.Subject, tasksPrefix)), Data: data,
		Header: nats.Header{wordHeader: {m.Header.Get(wordHeader)}, placeHeader: {m.Reply}}}
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
func (w *Worker) askAgent(ctx context.Context, m *nats.Msg, delivered uint64) (agent.Reply, error) {
	var asked message
	if err := unpackValue(m.Data, &asked, longestTask); err != nil {
		return agent.Reply{}, &agent.Failure{Kind: agent.Permanent, Reason: "the worker cannot read the task; is wiki there of the same version"}
	}
	if delivered > deliveries {
		return agent.Reply{}, &agent.Failure{Kind: agent.Permanent,
			Reason: fmt.Sprintf("%d workers have taken it and none of them has answered; see what ended them", deliveries)}
	}
	w.point("asked")
	task := asked.toTask()
	task.Tell = func(progress string) { w.tellEngine(m, said{Tell: progress}) }
	if asked.Listens {
		var last time.Time
		task.Listener = func(text string) {
			if now := time.Now(); now.Sub(last) >= 200*time.Millisecond { // each is all that was said so far
				last = now
				w.tellEngine(m, said{Speech: text})
			}
		}
	}
	return w.Answer(ctx, task)
}

// tellEngine reports the progress of the agent, and keeps the task at work. A lost report does no
// harm.
func (w *Worker) tellEngine(m *nats.Msg, s said) {
	if data, err := packValue(s); err == nil {
		_ = w.conn.PublishMsg(w.about("say", m, data))
	}
}

// keepAlive says that the task is at work, until it is stopped.
func (w *Worker) keepAlive(ctx context.Context, m *nats.Msg) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for due.Sleep(ctx, cmp.Or(w.keeping, AckWait/3)) == nil {
			w.tellEngine(m, said{})
		}
	}()
	return func() { cancel(); <-done }
}

// headerRoom is the most that the headers of a result have, from any sender.
const headerRoom = 4 << 10

// giveResult gives the result, however long the hub is away; the gate then takes the task out of the queue.
func (w *Worker) giveResult(ctx context.Context, m *nats.Msg, r result) {
	if text, _ := json.Marshal(r); len(text) >= longestReply {
		r = newResult(agent.Reply{}, &agent.Failure{Reason: "the reply is longer than an engine takes", Usage: r.Reply.Usage})
	}
	data, err := packValue(r)
	if err != nil {
		w.Log.Error("a result cannot be written", "error", err)
		return
	}
	if int64(len(data)) > w.conn.MaxPayload()-headerRoom {
		data, _ = packValue(newResult(agent.Reply{}, &agent.Failure{Reason: "the reply is larger than the hub takes", Usage: r.Reply.Usage})) // strings and numbers
	}
	stop := w.keepAlive(ctx, m)
	defer stop()
	w.point("answered")
	for context.Cause(ctx) == nil {
		err = w.ask(ctx, w.about("give", m, data))
		if _, refused := errors.AsType[refusal](err); err == nil || refused {
			break
		}
		w.Log.Warn("the hub does not take a result yet", "error", err)
		_ = due.Sleep(ctx, tryAgain) // the loop asks
	}
	if err != nil && context.Cause(ctx) == nil {
		w.Log.Error("the hub refuses a result", "error", err)
	}
	w.point("given")
}

func (w *Worker) point(name string) {
	if w.reached != nil {
		w.reached(name)
	}
}
