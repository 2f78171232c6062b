package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Drain tells a running worker to leave, and returns how many tasks it has at work.
func Drain(c Credentials) (running int, err error) {
	conn, err := c.dial(nats.RetryOnFailedConnect(false))
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	answer, err := conn.Request(drainPrefix+token(c.Name), []byte(c.leaveWord()), 5*time.Second)
	if err != nil {
		return 0, err
	}
	_, err = fmt.Sscan(string(answer.Data), &running)
	return running, err
}

// Workers lists who is there now.
func Workers(ctx context.Context, c Credentials) ([]Info, error) {
	conn, err := c.dial(nats.RetryOnFailedConnect(false))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	bucket, err := js.KeyValue(ctx, workersBucket)
	if err != nil {
		return nil, err
	}
	names, err := bucket.Keys(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil, err
	}
	var list []Info
	for _, name := range names {
		var info Info
		entry, err := bucket.Get(ctx, name)
		if err != nil || json.Unmarshal(entry.Value(), &info) != nil {
			continue // it has just left
		}
		info.Name, info.Seen = name, entry.Created()
		list = append(list, info)
	}
	slices.SortFunc(list, func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}
