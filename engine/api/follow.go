package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// firstWord is how long a follower waits for the first event, which may have to
	// wait for a look at the state.
	firstWord = lookTime + 5*time.Second

	// silence is how long it then waits for a word; a stream beats more often.
	silence = 2*heartbeat + 4*time.Second

	// mostFollowed is how many dispatches a follower keeps of those that have ended.
	mostFollowed = 200
)

var (
	errSilent = fmt.Errorf("the engine has stopped to answer: %w", context.DeadlineExceeded)
	errEnded  = errors.New("the engine has ended the stream of events")
)

// Follow follows the events: it calls tell with the status, soon, and again each
// time that has changed. What tell is given may be kept and must not be changed.
//
// It returns when the stream has ended, for whatever reason, and always with an
// error. After a [*StatusError] the status can still be asked for: the engine has no
// room for another stream, or is of a version without streams.
func (c *Client) Follow(ctx context.Context, tell func(Status)) error {
	stream, cut := context.WithCancel(ctx)
	defer cut()
	watch := newAlarm(firstWord, cut)
	defer watch.timer.Stop()
	resp, err := c.send(stream, http.MethodGet, "/vault-mind/events", nil)
	if err == nil {
		err = follow(stream, resp, tell, func() { watch.set(silence) })
	}
	if stream.Err() != nil && ctx.Err() == nil {
		return errSilent
	}
	return err
}

// alarm cuts a stream that is silent for too long. One that rings late has slept, and
// all of this program with it: what was said meanwhile is still to be read.
type alarm struct {
	cut   func()
	timer *time.Timer

	mu sync.Mutex // guards at
	at time.Time
}

// overslept is how long the reading of what was said in one's sleep may take to begin.
const overslept = 2 * time.Second

func newAlarm(d time.Duration, cut func()) *alarm {
	a := &alarm{cut: cut, at: time.Now().Add(d)}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = time.AfterFunc(d, a.ring)
	return a
}

// set has it ring after that time, and not before.
func (a *alarm) set(d time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.at = time.Now().Add(d)
	a.timer.Reset(d)
}

func (a *alarm) ring() {
	a.mu.Lock()
	late := time.Since(a.at)
	a.mu.Unlock()
	switch {
	case late > time.Second:
		a.set(overslept)
	case late >= 0:
		a.cut()
	}
}

// follow reads a stream to its end. heard is called for each of its lines.
func follow(ctx context.Context, resp *http.Response, tell func(Status), heard func()) error {
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return read(ctx, resp, &struct{}{})
	}
	if resp.Header.Get("Server") != product || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return ErrNotOurs
	}
	var now Status
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
			if err := now.apply(name, data); err != nil {
				return err
			}
			name, data, begun = "", nil, true
			heard()
			tell(now)
		}
	}
	if err := lines.Err(); err != nil {
		return callError(ctx, err)
	}
	return errEnded
}

// apply brings a status up to date by an event. One of a kind nobody knows yet
// changes nothing.
func (s *Status) apply(name string, data []byte) (err error) {
	switch name {
	case "snapshot":
		*s = Status{}
		err = json.Unmarshal(data, s)
	case "state":
		var c change
		err = json.Unmarshal(data, &c)
		s.Vaults, s.Watcher, s.Queue, s.Agents = c.Vaults, c.Watcher, c.Queue, c.Agents
		s.Index, s.Notices, s.Dashboard = c.Index, c.Notices, c.Dashboard
	case "dispatch":
		var d Dispatch
		err = json.Unmarshal(data, &d)
		s.Dispatches = put(s.Dispatches, d)
	}
	if err != nil {
		return fmt.Errorf("read an event of the engine: %w", err)
	}
	return nil
}

// put returns a list, the newest first, with a record in its place. Very old ones
// that have ended are left out.
func put(list []Dispatch, d Dispatch) []Dispatch {
	at := slices.IndexFunc(list, func(other Dispatch) bool { return other.ID == d.ID })
	if at >= 0 {
		list = slices.Clone(list)
		list[at] = d
		return list
	}
	at = slices.IndexFunc(list, func(other Dispatch) bool { return !other.CreatedAt.After(d.CreatedAt) })
	if at < 0 {
		at = len(list)
	}
	list = slices.Insert(slices.Clone(list), at, d)
	for i := len(list) - 1; i >= mostFollowed-1 && len(list) > mostFollowed; i-- {
		if i != at && list[i].Status != "queued" && list[i].Status != "processing" {
			list = slices.Delete(list, i, i+1)
		}
	}
	return list
}
