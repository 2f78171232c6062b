package queue

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// place is where a message waits, and the consumer that delivers it.
type place struct{ stream, subject, consumer string }

// findMessage returns the message that waits at a place, or nil.
func (p place) findMessage(ctx context.Context, js jetstream.JetStream) (*jetstream.RawStreamMsg, error) {
	stream, err := js.Stream(ctx, p.stream)
	if err != nil {
		return nil, err
	}
	found, err := stream.GetLastMsgForSubject(ctx, p.subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	return found, err
}

// reviveForgotten publishes a message once more that its consumer will never deliver. JetStream writes
// the state of a consumer beside that of its stream: after a kill it may take a message for
// acknowledged that the stream still has, and would never deliver it. A message that is just being
// acknowledged looks the same for a moment, so it is checked twice. It is for one goroutine.
func (a *asking) reviveForgotten(ctx context.Context, js jetstream.JetStream, p place, m *jetstream.RawStreamMsg) error {
	before := a.doubted
	a.doubted = 0
	consumer, err := js.Consumer(ctx, p.stream, p.consumer)
	if err != nil || consumer.CachedInfo().AckFloor.Stream < m.Sequence {
		return err
	}
	if before != m.Sequence {
		a.doubted = m.Sequence
		return nil
	}
	again := &nats.Msg{Subject: p.subject, Header: m.Header, Data: m.Data}
	if _, err := js.PublishMsg(ctx, again, jetstream.WithMsgID(nuid.Next())); err != nil {
		return err
	}
	stream, err := js.Stream(ctx, p.stream)
	if err != nil {
		return err
	}
	return stream.Purge(ctx, jetstream.WithPurgeSubject(p.subject), jetstream.WithPurgeSequence(m.Sequence+1))
}
