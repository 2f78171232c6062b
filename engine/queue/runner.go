package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"vaultdispatcher/engine/agent"
)

// Runner returns the [agent.Runner] whose agent is whichever worker takes a lane.
func (c *Client) Runner(lane string) agent.Runner { return runner{c, lane} }

type runner struct {
	client *Client
	lane   string
}

const (
	// lookAgain is how often it is seen whether a task or its result is still in the queue.
	lookAgain = 15 * time.Second

	// patience is how long a task holds its slot while no worker takes its lane.
	patience = time.Minute

	// farewell is how long a cancelled agent has to say that it has ended.
	farewell = 3 * time.Second
)

// Run implements [agent.Runner]. An engine that stops leaves its task in the queue, where the next one
// finds it or its result.
func (r runner) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	c := r.client
	if c == nil {
		return agent.Reply{}, &agent.Failure{Reason: "a worker is asked by the running engine alone; ask it with wiki ask"}
	}
	key, m := keyOf(task), newMessage(task)
	a := c.awaitResult(key)
	defer c.forgetKey(key)
	awaySince := time.Time{}
	for {
		back, err := r.ensureQueued(ctx, key, m, a)
		if failed, ok := errors.AsType[*agent.Failure](err); ok {
			return agent.Reply{}, failed
		}
		if ctx.Err() == nil {
			c.keepTrouble(r.lane, err)
		}
		awaySince = r.sinceAway(awaySince, err)
		if !awaySince.IsZero() && time.Since(awaySince) > patience {
			return agent.Reply{}, fmt.Errorf("%s: %w", cmp.Or(c.WhyAway(r.lane), "the hub takes no question"), agent.ErrNoTurn)
		}
		done, ended := r.listenOnce(ctx, a, task, back)
		switch {
		case done != nil:
			r.cleanTask(key)
			return done.toOutcome()
		case ended && errors.Is(context.Cause(ctx), agent.ErrStopping):
			return agent.Reply{}, ctx.Err()
		case ended:
			r.cancelTask(key, a)
			return agent.Reply{}, ctx.Err()
		}
	}
}

// sinceAway returns since when no worker takes the lane, or the queue does not take the task; zero =
// both work.
func (r runner) sinceAway(before time.Time, err error) time.Time {
	switch {
	case err == nil && r.client.WhyAway(r.lane) == "":
		return time.Time{}
	case before.IsZero():
		return time.Now()
	}
	return before
}

// listenOnce waits for the result and passes on what is said meanwhile, until it is time to look again.
func (r runner) listenOnce(ctx context.Context, a *asking, task agent.Task, back <-chan struct{}) (done *result, ended bool) {
	again := time.NewTimer(r.client.interval)
	defer again.Stop()
	for {
		select {
		case result := <-a.results:
			return &result, false
		case <-ctx.Done():
			return nil, true
		case <-back:
			return nil, false
		case <-a.spent:
			return nil, false
		case <-again.C:
			return nil, false
		case s := <-a.speech:
			if task.Listener != nil && s.Speech != "" {
				task.Listener(s.Speech)
			}
			if task.Tell != nil && s.Tell != "" {
				task.Tell(s.Tell)
			}
		}
	}
}

// awaitResult has results of a key handed over.
func (c *Client) awaitResult(key string) *asking {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := &asking{results: make(chan result, 1), speech: make(chan said, 64), spent: make(chan struct{}, 1)}
	c.pending[key] = a
	return a
}

// workerOf is the worker that was heard of a task, "" if none was.
func (c *Client) workerOf(a *asking) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return a.worker
}

func (c *Client) forgetKey(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, key)
}

// currentQueue is the connection there is, or none, and what is closed when there is another.
func (c *Client) currentQueue() (js jetstream.JetStream, conn *nats.Conn, own Credentials, back <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.js, c.conn, c.identity, c.reconnection
}

// callTime is how long one call to the queue may take.
const callTime = 10 * time.Second

// ensureQueued puts the task into the queue unless it or its result is there. If it cannot do so now,
// it is called again.
func (r runner) ensureQueued(ctx context.Context, key string, m message, a *asking) (back <-chan struct{}, err error) {
	js, _, own, back := r.client.currentQueue()
	if js == nil {
		return back, nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	if err := r.client.prepareLane(ctx, js, r.lane); err != nil {
		return back, err
	}
	// The worker publishes its result before it takes its task out, so one of the two is there unless
	// both were used or lost.
	name := token(own.Name)
	subject := tasksPrefix + r.lane + "." + name + "." + key
	for _, p := range []place{{tasksStream, subject, r.lane}, {resultsStream, resultsPrefix + name + "." + key, resultsConsumer(own.Name)}} {
		found, err := p.findMessage(ctx, js)
		if err != nil {
			return back, err
		}
		if found != nil {
			return back, a.reviveForgotten(ctx, js, p, found)
		}
	}
	if len(a.results) > 0 { // it was used just now, and the agent is not asked for nothing
		return back, nil
	}
	word := own.taskWord(key)
	second, err := publishMessage(ctx, js, subject, key, word, m)
	if err == nil && second { // the queue remembers one that was used
		_, err = publishMessage(ctx, js, subject, key+"-"+nuid.Next(), word, m)
	}
	return back, err
}

// publishMessage puts a message into the queue; second says that one of its id was there before.
func publishMessage(ctx context.Context, js jetstream.JetStream, subject, id, word string, m message) (second bool, err error) {
	data, err := packValue(m)
	if err != nil {
		return false, err
	}
	ack, err := js.PublishMsg(ctx, &nats.Msg{Subject: subject, Header: nats.Header{wordHeader: {word}}, Data: data}, jetstream.WithMsgID(id))
	if errors.Is(err, nats.ErrMaxPayload) {
		return false, &agent.Failure{Reason: fmt.Sprintf("the task has %d bytes, and the hub takes fewer; shorten the context or the history", len(data))}
	}
	if err != nil {
		return false, err
	}
	return ack.Duplicate, nil
}

// prepareLane makes the lane's consumer, once for each connection.
func (c *Client) prepareLane(ctx context.Context, js jetstream.JetStream, lane string) error {
	c.mu.Lock()
	known := c.lanes[lane]
	c.mu.Unlock()
	if known {
		return nil
	}
	err := Prepare(ctx, js, lane)
	if err == nil {
		c.mu.Lock()
		c.lanes[lane] = true
		c.mu.Unlock()
	}
	return err
}

// cleanTask takes a task out of the queue that has its result: a lost acknowledgement must not make a
// worker ask once more.
func (r runner) cleanTask(key string) {
	js, _, own, _ := r.client.currentQueue()
	if js == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	if stream, err := js.Stream(ctx, tasksStream); err == nil {
		_ = stream.Purge(ctx, jetstream.WithPurgeSubject(tasksPrefix+r.lane+"."+token(own.Name)+"."+key))
	}
}

// cancelTask has the worker end its agent, and waits for its word that it has. A worker may have the task whose first
// word is still on its way; it is told as soon as that comes.
func (r runner) cancelTask(key string, a *asking) {
	_, conn, own, _ := r.client.currentQueue()
	if conn == nil {
		return
	}
	taken := r.isTaken(key)
	r.cleanTask(key) // before the worker is told, else another one may get it
	ended := time.NewTimer(farewell)
	defer ended.Stop()
	for told := false; ; {
		worker := r.client.workerOf(a)
		if worker == "" && !taken {
			return
		}
		if worker != "" && !told {
			told = tellCancelled(conn, own, worker, key) == nil
		}
		select {
		case <-ended.C:
			return
		case <-a.results:
			return
		case s := <-a.speech:
			if s.Final {
				return
			}
		}
	}
}

// isTaken reports whether a worker was given the task, or may have been: the queue does not say. A
// worker that gets it right after that is told at its next word, see [Client.hearSaid].
func (r runner) isTaken(key string) bool {
	js, _, own, _ := r.client.currentQueue()
	if js == nil {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	found, err := place{tasksStream, tasksPrefix + r.lane + "." + token(own.Name) + "." + key, r.lane}.findMessage(ctx, js)
	if err != nil || found == nil {
		return true
	}
	consumer, err := js.Consumer(ctx, tasksStream, r.lane)
	return err != nil || consumer.CachedInfo().Delivered.Stream >= found.Sequence
}

// tellCancelled has a worker end the agent of a task.
func tellCancelled(conn *nats.Conn, own Credentials, worker, key string) error {
	return conn.Publish(cancelPrefix+token(worker)+"."+key, []byte(own.taskWord(key)))
}
