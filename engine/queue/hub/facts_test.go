package hub_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"vaultdispatcher/engine/queue"
)

// facts is what stays as it is while nobody does harm.
type facts struct {
	Streams   map[string]jetstream.StreamConfig
	Consumers map[string]string // by stream and name: configuration, and of lanes that are not evil's what was delivered
	Tasks     map[string]uint64
	Results   []string
	List      map[string][]string // lanes by worker
	Asked     map[string]int
	Ended     []string
	Said      []string
	Answered  []string
}

func (s *scene) look() facts {
	s.t.Helper()
	f := facts{Streams: make(map[string]jetstream.StreamConfig), Consumers: make(map[string]string), List: make(map[string][]string)}
	for info := range s.js.ListStreams(s.t.Context()).Info() {
		f.Streams[info.Config.Name] = info.Config
		stream, err := s.js.Stream(s.t.Context(), info.Config.Name)
		if err != nil || strings.HasPrefix(info.Config.Name, "KV_") {
			continue // engines watch it with consumers of no fixed name
		}
		for c := range stream.ListConsumers(s.t.Context()).Info() {
			text, _ := json.Marshal(c.Config)
			if c.Name == miner || c.Name == third {
				text = fmt.Appendf(text, " %d delivered, %d pending, %d at work, %d again", c.Delivered.Stream, c.NumPending, c.NumAckPending, c.NumRedelivered)
			}
			f.Consumers[info.Config.Name+" "+c.Name] = string(text)
		}
	}
	ownTask, ownResult := s.subject["own"], ".own."
	f.Tasks = s.messagesOf("WIKI_TASKS")
	delete(f.Tasks, ownTask)
	for subject := range s.messagesOf("WIKI_RESULTS") {
		if !strings.Contains(subject, ownResult) {
			f.Results = append(f.Results, subject)
		}
	}
	if bucket, err := s.js.KeyValue(s.t.Context(), "wiki_workers"); err == nil {
		names, _ := bucket.Keys(s.t.Context())
		for _, name := range names {
			var i queue.Info
			if e, err := bucket.Get(s.t.Context(), name); err == nil && json.Unmarshal(e.Value(), &i) == nil {
				f.List[name] = i.Lanes
			}
		}
	}
	if slices.Equal(f.List["evil"], []string{writer}) || len(f.List["evil"]) == 0 {
		delete(f.List, "evil") // it may be there or away, with what it may take
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Asked, f.Ended, f.Said = maps.Clone(s.asked), withoutOwn(s.ended), withoutOwn(s.said)
	delete(f.Asked, "own")
	for id, came := range s.came {
		if id != "own" && len(came) > 0 {
			f.Answered = append(f.Answered, id)
		}
	}
	return f
}

// differFrom names what is not as it was.
func (f facts) differFrom(before facts) string {
	var list []string
	now, was := reflect.ValueOf(f), reflect.ValueOf(before)
	for i := range now.NumField() {
		if a, b := now.Field(i).Interface(), was.Field(i).Interface(); !reflect.DeepEqual(a, b) {
			list = append(list, fmt.Sprintf("%s are %v and were %v", now.Type().Field(i).Name, a, b))
		}
	}
	return strings.Join(list, "; ")
}

// withoutOwn returns what is of other tasks; nothing is nil, so that it is the same as before anything was said.
func withoutOwn(list []string) []string {
	return append([]string(nil), slices.DeleteFunc(slices.Clone(list), isOwn)...)
}

// isOwn reports whether something is of the task that the hostile worker was given.
func isOwn(text string) bool { return strings.HasPrefix(text, "own") }
