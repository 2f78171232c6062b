package host

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"vaultdispatcher/engine/api"
)

// answerWaiting answers each call on the port with why the start waits, until end is called. The port is open before
// the engine is, so that no other program takes it. A call without an answer would wait as long as the start does.
func (s *sharedListener) answerWaiting(why string, log *slog.Logger) (end func()) {
	text, err := json.Marshal(api.Problem{Error: "The engine is starting, and waits: " + why + ".", Code: "busy"})
	if err != nil {
		return func() {} // words can always be written
	}
	server := &http.Server{
		ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 5 * time.Second, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Server", api.Product) // a client tells us from strangers by it
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			w.Header().Set("X-Content-Type-Options", "nosniff")
			w.Header().Set("Retry-After", "5")
			w.Header().Set("Connection", "close") // the next call is the engine's
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write(text)
		}),
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(s.next())
	}()
	return func() {
		_ = server.Close() // which ends its turn, not the port
		<-ended
		s.resume()
	}
}

// resume lets those accept calls again that a turn's end has woken.
func (s *sharedListener) resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setDeadline(time.Time{})
}
