// Package fakentfy is a server that speaks as much of ntfy as the engine and a phone use
// (https://docs.ntfy.sh/publish/, https://docs.ntfy.sh/subscribe/api/), and as badly as a test wants.
package fakentfy

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Action is a button of a message.
type Action struct {
	Action, Label, URL, Body string
	Clear                    bool
}

// Event is a line of a subscription.
type Event struct {
	ID      string   `json:"id"`
	Time    int64    `json:"time"`
	Event   string   `json:"event"`
	Topic   string   `json:"topic"`
	Title   string   `json:"title,omitempty"`
	Message string   `json:"message,omitempty"`
	Actions []Action `json:"actions,omitempty"`
}

// Server keeps what was published. Without a token everybody may do all; with one, only its owner may read, and publish but to
// Replies.
type Server struct {
	Token   string
	Replies string // the topic to which everybody may publish

	// Fate is asked before each event that a subscriber gets: how often it comes, and whether the connection breaks behind it. nil
	// = once, and it does not.
	Fate func() (times int, breaks bool)

	mu     sync.Mutex // guards what follows
	events []Event
	come   chan struct{} // closed when there is another
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{$}", s.publishJSON)
	mux.HandleFunc("POST /{topic}", s.publish)
	mux.HandleFunc("GET /{topic}/auth", func(w http.ResponseWriter, r *http.Request) { s.allow(w, r) })
	mux.HandleFunc("GET /{topic}/json", s.subscribe)
	mux.ServeHTTP(w, r)
}

func (s *Server) allow(w http.ResponseWriter, r *http.Request) bool {
	if s.Token == "" || r.Header.Get("Authorization") == "Bearer "+s.Token {
		return true
	}
	w.WriteHeader(http.StatusForbidden)
	_, _ = io.WriteString(w, `{"code":40301,"http":403,"error":"forbidden"}`)
	return false
}

func (s *Server) publishJSON(w http.ResponseWriter, r *http.Request) {
	var e Event
	if !s.allow(w, r) {
		return
	}
	if err := json.NewDecoder(io.LimitReader(r.Body, 2*4096)).Decode(&e); err != nil || len(e.Message) > 4096 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.Add(e)
}

func (s *Server) publish(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("topic") != s.Replies && !s.allow(w, r) {
		return
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	s.Add(Event{Topic: r.PathValue("topic"), Message: string(text)})
}

// Add publishes a message.
func (s *Server) Add(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e.ID, e.Time, e.Event = fmt.Sprintf("id%010d", len(s.events)), time.Now().Unix(), "message"
	s.events = append(s.events, e)
	if s.come != nil {
		close(s.come)
	}
	s.come = nil
}

// Of returns what was published to a topic, and a channel that is closed when there is more.
func (s *Server) Of(topic string) ([]Event, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.come == nil {
		s.come = make(chan struct{})
	}
	return slices.DeleteFunc(slices.Clone(s.events), func(e Event) bool { return e.Topic != topic }), s.come
}

func (s *Server) subscribe(w http.ResponseWriter, r *http.Request) {
	if !s.allow(w, r) {
		return
	}
	topic, since := r.PathValue("topic"), r.URL.Query().Get("since")
	lines := json.NewEncoder(w)
	send := func(e Event) bool { return lines.Encode(e) == nil && http.NewResponseController(w).Flush() == nil }
	if !send(Event{ID: "open", Time: time.Now().Unix(), Event: "open", Topic: topic}) {
		return
	}
	events, more := s.Of(topic)
	sent := 1 + slices.IndexFunc(events, func(e Event) bool { return e.ID == since }) // an unknown one, and a time, get all
	for {
		for ; sent < len(events); sent++ {
			times, breaks := 1, false
			if s.Fate != nil {
				times, breaks = s.Fate()
			}
			for range times {
				if !send(events[sent]) {
					return
				}
			}
			if breaks {
				return
			}
		}
		if r.URL.Query().Get("poll") != "" {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-more:
		}
		events, more = s.Of(topic)
	}
}

// Read asks a server what was published to a topic.
func Read(address, topic, token string) (events []Event, err error) {
	req, err := http.NewRequest(http.MethodGet, address+"/"+topic+"/json?poll=1", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	for lines := json.NewDecoder(resp.Body); ; {
		var e Event
		if lines.Decode(&e) != nil {
			return events, nil
		}
		events = append(events, e)
	}
}
