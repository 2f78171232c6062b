package client

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine/api"
)

const (
	// firstWord is how long a follower waits for the first event, which may have to
	// wait for a look at the state.
	firstWord = api.LookTime + 5*time.Second

	// silence is how long it then waits for a word; a stream beats more often.
	silence = 2*api.Heartbeat + 4*time.Second
)

var (
	errSilent = fmt.Errorf("the engine has stopped to answer: %w", context.DeadlineExceeded)
	errEnded  = errors.New("the engine has ended the stream of events")
)

// Follow follows the events: it calls tell with the status, soon, and again each
// time that has changed. What tell is given may be kept and must not be changed.
//
// It returns when the stream has ended, for whatever reason, and always with an
// error. After a [*api.StatusError] the status can still be asked for: the engine has no
// room for another stream, or is of a version without streams.
func (c *Client) Follow(ctx context.Context, tell func(api.Status)) error {
	stream, cut := context.WithCancel(ctx)
	defer cut()
	watch := newAlarm(firstWord, cut)
	defer watch.timer.Stop()
	resp, err := c.sendRequest(stream, http.MethodGet, "/vault-mind/events", nil)
	if err == nil {
		err = followStream(stream, resp, tell, func() { watch.setAfter(silence) })
	}
	if stream.Err() != nil && ctx.Err() == nil {
		return errSilent
	}
	return err
}

// alarm cuts a stream that is silent for too long. An alarm that rings late has slept with
// the whole machine: what was sent meanwhile is still to be read.
type alarm struct {
	cut   func()
	timer *time.Timer

	mu   sync.Mutex // guards time
	time time.Time
}

// overslept is how long a stream has, after a sleep of the machine, to deliver what was
// sent meanwhile.
const overslept = 2 * time.Second

func newAlarm(d time.Duration, cut func()) *alarm {
	a := &alarm{cut: cut, time: time.Now().Add(d)}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = time.AfterFunc(d, a.cutIfSilent)
	return a
}

// setAfter has it ring after that time, and not before.
func (a *alarm) setAfter(d time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.time = time.Now().Add(d)
	a.timer.Reset(d)
}

func (a *alarm) cutIfSilent() {
	a.mu.Lock()
	late := time.Since(a.time)
	a.mu.Unlock()
	switch {
	case late > time.Second:
		a.setAfter(overslept)
	case late >= 0:
		a.cut()
	}
}

// followStream reads a stream of the status to its end. heard is called for each of its lines.
func followStream(ctx context.Context, resp *http.Response, tell func(api.Status), heard func()) error {
	var now api.Status
	return readEvents(ctx, resp, heard, func(name string, data []byte) (last bool, err error) {
		if err := now.Apply(name, data); err != nil {
			return true, err
		}
		tell(now)
		return false, nil
	})
}

// readEvents reads a stream until its last event, or its end, which is an error. heard is called for each
// of its lines, once there was an event.
func readEvents(ctx context.Context, resp *http.Response, heard func(), tell func(name string, data []byte) (last bool, err error)) error {
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return readAnswer(ctx, resp, &struct{}{})
	}
	if resp.Header.Get("Server") != api.Product || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return api.ErrNotOurs
	}
	var name string
	var data []byte
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, maxAnswer)
	for begun := false; lines.Scan(); {
		if begun {
			heard()
		}
		switch field, value, _ := bytes.Cut(lines.Bytes(), []byte(": ")); string(field) {
		case "event":
			name = string(value)
		case "data":
			data = append(data, value...)
		case "":
			if len(lines.Bytes()) > 0 || name == "" {
				continue // it beats, or says something else
			}
			if last, err := tell(name, data); last || err != nil {
				return err
			}
			name, data, begun = "", nil, true
			heard()
		}
	}
	if err := lines.Err(); err != nil {
		return callError(ctx, err)
	}
	return errEnded
}
