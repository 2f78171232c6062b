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

// Workers lists the present workers.
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
		info.Name, info.LastContact = name, entry.Created()
		list = append(list, info)
	}
	slices.SortFunc(list, func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
	gone, err := findGone(ctx, conn, list)
	return slices.DeleteFunc(list, func(i Info) bool { return slices.Contains(gone, i.Name) }), err
}

// findGone returns the names of the workers that have no connection to the hub any more. The list of
// workers keeps the last word of a killed worker until it runs out; the hub reports at once that a
// subject has no subscriber, before it answers a ping that came later
// (https://docs.nats.io/nats-concepts/core-nats/reqreply#no-responders).
func findGone(ctx context.Context, conn *nats.Conn, list []Info) (gone []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	inbox := conn.NewInbox()
	answers := make(chan *nats.Msg, len(list))
	heard, err := conn.ChanSubscribe(inbox+".*", answers)
	if err != nil {
		return nil, err
	}
	defer heard.Unsubscribe() //nolint:errcheck // the connection ends as well
	for _, i := range list {
		if err := conn.PublishRequest(drainPrefix+i.Name, inbox+"."+i.Name, nil); err != nil {
			return nil, err
		}
	}
	if err := conn.FlushWithContext(ctx); err != nil {
		return nil, err
	}
	for len(answers) > 0 {
		if m := <-answers; m.Header.Get("Status") == noResponders {
			gone = append(gone, strings.TrimPrefix(m.Subject, inbox+"."))
		}
	}
	return gone, nil
}

// noResponders is the status of a message about a request without a subscriber.
const noResponders = "503"
