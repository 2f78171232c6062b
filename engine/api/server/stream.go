package server

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	"vaultdispatcher/engine/api"
)

// openEvents answers with a stream of server-sent events: "snapshot" with the status,
// then "dispatch" with each record that is new or has changed, and "state" with
// the rest of the status when that has; or again "snapshot" where much has. A client
// that reads too slowly is dropped, comes again, and gets a snapshot.
func (s *Server) openEvents(c Call) (any, error) {
	if c.Session != nil {
		s.countViewer(1)
	}
	l, err := s.feed.addListener(c.Request.Context())
	if err != nil {
		if c.Session != nil {
			s.countViewer(-1)
		}
		return nil, fmt.Errorf("open an event stream: %w", err)
	}
	return &stream{server: s, listener: l, session: c.Session}, nil
}

// countViewer counts the pages of the dashboard that follow the events.
func (s *Server) countViewer(more int32) {
	s.viewers.Add(more)
	s.Changed()
}

// stream is an answer that sends messages until its client leaves.
type stream struct {
	server   *Server
	listener *listener
	session  Session // nil for a client with the token
}

func (a *stream) Respond(w http.ResponseWriter, r *http.Request) {
	defer a.server.feed.removeListener(a.listener)
	if a.session != nil {
		defer a.server.countViewer(-1)
	}
	a.copyMessages(r.Context(), a.server.beginStream(w))
}

// beginStream begins a stream of events, and returns what sends a message and reports whether it went out.
func (s *Server) beginStream(w http.ResponseWriter) (send func(text []byte) bool) {
	control := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	return func(text []byte) bool {
		if control.SetWriteDeadline(time.Now().Add(s.limits.write)) != nil {
			return false
		}
		_, err := w.Write(text)
		return err == nil && control.Flush() == nil
	}
}

// copyMessages sends messages and heartbeats until the listener is dropped, the client
// is gone or its session has ended.
func (a *stream) copyMessages(ctx context.Context, send func([]byte) bool) {
	beat := time.NewTicker(api.Heartbeat)
	defer beat.Stop()
	for text := []byte("retry: 2000\n\n"); ; {
		if a.session != nil && !a.session.Alive(time.Now()) || !send(text) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case m, ok := <-a.listener.messages:
			if !ok {
				return
			}
			text = m.eventText()
		case <-beat.C:
			text = []byte(": still here\n\n")
		}
	}
}

// eventText is a message as the stream has it. JSON as we write it has no line breaks.
func (m message) eventText() []byte {
	return bytes.Join([][]byte{[]byte("event: " + m.name), append([]byte("data: "), m.data...), nil, nil}, []byte("\n"))
}
