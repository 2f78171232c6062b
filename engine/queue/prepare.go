package queue

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	// AckWait is how long a task waits for a word of the worker that has it, before another one gets it.
	// The worker gives one three times as often.
	AckWait = 30 * time.Second

	// deliveries is how many workers a task may outlive.
	deliveries = 3

	// beat is how often a worker says that it is there, and silence when it is thought to be gone.
	beat    = 10 * time.Second
	silence = 35 * time.Second

	duplicates = 10 * time.Minute    // how long a second message of the same id is known as that
	longest    = 14 * 24 * time.Hour // an unwanted message expires by itself
	mostBytes  = 2 << 30             // of the tasks, and of the results; more is refused
	mostAlike  = 4                   // results of one task; the oldest is removed
)

// Prepare makes the missing parts of the queue, and does not change the others.
func Prepare(ctx context.Context, js jetstream.JetStream, lanes ...string) error {
	for _, s := range []jetstream.StreamConfig{
		{Name: tasksStream, Subjects: []string{tasksPrefix + ">"}, Retention: jetstream.WorkQueuePolicy, Duplicates: duplicates, MaxAge: longest,
			MaxBytes: mostBytes, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew},
		{Name: resultsStream, Subjects: []string{resultsPrefix + ">"}, Retention: jetstream.WorkQueuePolicy, Duplicates: duplicates, MaxAge: longest,
			MaxBytes: mostBytes, MaxMsgsPerSubject: mostAlike, Discard: jetstream.DiscardNew},
		// A bucket of keys and values, as the library makes it but without rollup, which has no use
		// here.
		{Name: "KV_" + workersBucket, Subjects: []string{"$KV." + workersBucket + ".>"}, MaxMsgsPerSubject: 1, MaxAge: silence, Duplicates: silence,
			Storage: jetstream.MemoryStorage, Discard: jetstream.DiscardNew, DenyDelete: true, AllowDirect: true, MaxMsgSize: 16 << 10, MaxBytes: 4 << 20},
	} {
		if _, err := js.CreateStream(ctx, s); err != nil && !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			return err
		}
	}
	for _, lane := range lanes {
		if err := prepareConsumer(ctx, js, tasksStream, lane, tasksPrefix+lane+".>"); err != nil {
			return err
		}
	}
	return nil
}

// prepareConsumer makes a durable consumer, unless there is one of this name.
func prepareConsumer(ctx context.Context, js jetstream.JetStream, stream, name, subject string) error {
	_, err := js.Consumer(ctx, stream, name)
	if !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return err
	}
	_, err = js.CreateConsumer(ctx, stream, jetstream.ConsumerConfig{
		Durable: name, FilterSubject: subject, AckPolicy: jetstream.AckExplicitPolicy, AckWait: AckWait, MaxDeliver: -1,
	})
	if errors.Is(err, jetstream.ErrConsumerExists) {
		return nil
	}
	return err
}
