package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// resultsConsumer delivers the results of an engine.
func resultsConsumer(name string) string { return "engine-" + token(name) }

const (
	// takeFor is how long one request for results waits.
	takeFor = 20 * time.Second

	// settleAfter is how soon a result is looked at again: to acknowledge it, when the journal has it.
	settleAfter = time.Second
)

// takeResults hands results over until ctx ends or the queue is not there any more.
func (c *Client) takeResults(ctx context.Context, js jetstream.JetStream, name string) error {
	consumer, err := js.Consumer(ctx, resultsStream, resultsConsumer(name))
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		if err := fetchMessages(ctx, consumer, 16, takeFor, func(m jetstream.Msg) { c.takeResult(ctx, m) }); err != nil {
			return fmt.Errorf("take results: %w", err)
		}
	}
	return nil
}

// fetchMessages asks a consumer once for messages and has each taken; that none came is no error. It ends with ctx.
func fetchMessages(ctx context.Context, consumer jetstream.Consumer, most int, wait time.Duration, take func(jetstream.Msg)) error {
	asking, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	batch, err := consumer.Fetch(most, jetstream.FetchContext(asking), jetstream.FetchHeartbeat(wait/4))
	if err != nil {
		return err
	}
	for m := range batch.Messages() {
		take(m)
	}
	if err := batch.Error(); err != nil && !isEmpty(err) {
		return err
	}
	return nil
}

// isEmpty reports whether a request has ended because nothing came.
func isEmpty(err error) bool {
	return errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// takeResult hands one result to the task that waits for it. The result is in the queue until the
// journal has no use for it any more, so that an engine that dies in between finds it again.
func (c *Client) takeResult(ctx context.Context, m jetstream.Msg) {
	_, key, _ := strings.Cut(strings.TrimPrefix(m.Subject(), resultsPrefix), ".")
	var r result
	meta, err := m.Metadata()
	if err != nil {
		c.opts.Log.Warn("a result cannot be read", "key", key, "error", err)
		_ = m.Term()
		return
	}
	dispatch, attempt := splitKey(key)
	var got, spent bool
	if c.isAwaited(key) { // else nothing of it is unpacked
		if err := unpackValue(m.Data(), &r, longestReply); err != nil {
			c.opts.Log.Warn("a result cannot be read", "key", key, "error", err)
			r = result{Failure: &failure{Reason: "the result of the worker cannot be read"}}
		}
		r.Worker = m.Headers().Get(workerHeader)
		got, spent = c.handOver(key, r.cutToBounds(time.Now()), meta.Timestamp)
	}
	used := spent || got && r.Failure != nil // an agent that has failed may be asked anew
	if !used && (got || c.opts.IsOpen(ctx, dispatch, attempt)) {
		_ = m.NakWithDelay(settleAfter) // if that is lost, it comes again all the same
		return
	}
	if m.DoubleAck(ctx) == nil {
		c.settleKey(key)
	}
}

// isAwaited reports whether a task waits for the result of a key now.
func (c *Client) isAwaited(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pending[key] != nil
}

// settleKey forgets a result that is out of the queue, and tells the task that waits for another one.
func (c *Client) settleKey(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a := c.pending[key]; a != nil && c.handed[key].recipient != a {
		select {
		case a.spent <- struct{}{}:
		default:
		}
	}
	delete(c.handed, key)
}

// splitKey takes a key apart, see [keyOf].
func splitKey(key string) (dispatch string, attempt int) {
	dispatch, rest, _ := strings.Cut(key, ".")
	_, _ = fmt.Sscanf(rest, "%d-", &attempt)
	return dispatch, attempt
}

// handOver gives a result to the task that waits for it. got means that this task has it now, spent
// that another task had it before and this one is asking again.
func (c *Client) handOver(key string, r result, at time.Time) (got, spent bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a, before := c.pending[key], c.handed[key]
	if a == nil || before.time.Equal(at) {
		return false, a != nil && before.recipient != a
	}
	select {
	case a.results <- r:
		c.handed[key] = handed{at, a}
		return true, false
	default:
		return false, false
	}
}
