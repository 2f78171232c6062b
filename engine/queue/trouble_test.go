package queue

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// TestTroubleIsSaid: a queue that takes no task is a reason to wait elsewhere than in a slot.
func TestTroubleIsSaid(t *testing.T) {
	var log bytes.Buffer
	c := NewClient(Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	c.js = struct{ jetstream.JetStream }{}
	c.workers["box"] = Info{Lanes: []string{"one", "two"}, Seen: time.Now().Add(time.Hour)}
	full := errors.New("maximum bytes exceeded")
	for range 3 {
		c.keepTrouble("one", full)
	}
	if why := c.WhyAway("one"); !strings.Contains(why, full.Error()) || c.WhyAway("two") != "" {
		t.Errorf("away are %q and %q", why, c.WhyAway("two"))
	}
	if n := strings.Count(log.String(), "\n"); n != 1 {
		t.Errorf("it is logged %d times", n)
	}
	c.keepTrouble("one", nil)
	r := runner{c, "one"}
	if why := c.WhyAway("one"); why != "" || !r.sinceAway(time.Time{}, nil).IsZero() {
		t.Errorf("it is over and still away: %q", why)
	}
	if r.sinceAway(time.Time{}, full).IsZero() {
		t.Error("a task that the queue does not take holds its slot for ever")
	}
}

// TestDialingEnds: who stops does not wait for a hub that says nothing.
func TestDialingEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (dialer{ctx}).Dial("tcp", "192.0.2.1:4222"); !errors.Is(err, context.Canceled) {
		t.Errorf("dialing ended with %v", err)
	}
}
