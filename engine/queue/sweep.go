package queue

import (
	"context"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// sweepQueue removes the tasks of an engine whose answers are no longer wanted: tasks that were given
// up while the hub was away, or that its last run had left for a next one.
func (c *Client) sweepQueue(ctx context.Context, js jetstream.JetStream, name string) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	stream, err := js.Stream(ctx, tasksStream)
	if err != nil {
		return err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(tasksPrefix+"*."+token(name)+".>"))
	if err != nil {
		return err
	}
	for subject := range info.State.Subjects {
		parts := strings.SplitN(strings.TrimPrefix(subject, tasksPrefix), ".", 3) // lane, engine, key
		if len(parts) < 3 || c.isOpen(ctx, parts[2]) {
			continue
		}
		if err := stream.Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
			return err
		}
	}
	return nil
}

// isOpen reports whether a task waits for the result of a key, or will.
func (c *Client) isOpen(ctx context.Context, key string) bool {
	dispatch, attempt := splitKey(key)
	return c.isAwaited(key) || c.opts.IsOpen(ctx, dispatch, attempt)
}
