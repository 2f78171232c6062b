package queue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"vaultdispatcher/engine/agent"
)

// TestTroubleIsSaid: a queue that takes no task is a reason to wait elsewhere than in a slot.
func TestTroubleIsSaid(t *testing.T) {
	var log bytes.Buffer
	c := NewClient(Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	c.js = struct{ jetstream.JetStream }{}
	c.workers["box"] = Info{Lanes: []string{"one", "two"}, LastContact: time.Now().Add(time.Hour)}
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

// TestTroubleIsInWords: what the system says reaches nobody in its own words; the log keeps the error.
func TestTroubleIsInWords(t *testing.T) {
	locked := fmt.Errorf("read the key: %w", &fs.PathError{Op: "open", Path: "hub.json", Err: syscall.EACCES})
	full := fmt.Errorf("make a folder: %w", &fs.PathError{Op: "mkdir", Path: "run", Err: syscall.EEXIST})
	c := NewClient(Options{Log: slog.New(slog.DiscardHandler)})
	c.keepFailure(locked)
	away := c.WhyAway("one")
	c.js = struct{ jetstream.JetStream }{}
	c.keepTrouble("one", locked)
	for name, tt := range map[string]struct{ got, want string }{
		"the hub":               {away, "read the key: this user may not use hub.json"},
		"a task":                {c.WhyAway("one"), "the hub takes no question: read the key: this user may not use hub.json"},
		"an agent":              {failureOf(newResult(agent.Reply{}, full)), "make a folder: run is there already (worker box)"},
		"an agent that says so": {failureOf(newResult(agent.Reply{}, agent.NoFolder(locked))), "no folder can be made for the run: read the key: this user may not use hub.json (worker box)"},
		"with a detail":         {failureOf(newResult(agent.Reply{}, &agent.Failure{Reason: "it failed: " + full.Error(), Cause: full, Detail: "line"})), "it failed: make a folder: run is there already (worker box): line"},
		"a limit":               {failureOf(newResult(agent.Reply{}, agent.Fail(&agent.RateLimited{Program: "claude"}))), (&agent.RateLimited{Program: "claude"}).Error() + " (worker box)"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q; want %q", name, tt.got, tt.want)
		}
	}
}

func failureOf(r result) string {
	r.Worker = "box"
	_, err := r.toOutcome()
	return err.Error()
}

// TestDialingEnds: who stops does not wait for a hub that says nothing.
func TestDialingEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (dialer{ctx}).Dial("tcp", "192.0.2.1:4222"); !errors.Is(err, context.Canceled) {
		t.Errorf("dialing ended with %v", err)
	}
}
