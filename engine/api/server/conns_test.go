package server

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/peer"
	"vaultdispatcher/engine/api/testdata/apitest"
)

func (r *running) dial(t *testing.T) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp4", r.Host())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(apitest.Patience))
	return conn
}

func (r *running) say(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, strings.ReplaceAll(text, "PORT", r.PortText())); err != nil {
		t.Fatal(err)
	}
}

func TestSlowHeadersAreCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := newServer(t)
		s.limits = defaultLimits()
		conn, end := connect(t, s)
		defer end()
		began := time.Now()
		write(t, conn, "GET /vault-mind/status HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nX-")
		rest, err := io.ReadAll(conn)
		if err != nil || time.Since(began) != s.limits.header {
			t.Errorf("after %v: %q, %v", time.Since(began), rest, err)
		}
	})
}

func TestSlowBodyIs408(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := newServer(t)
		s.limits = defaultLimits()
		conn, end := connect(t, s)
		defer end()
		began := time.Now()
		write(t, conn, "POST /vault-mind/scan HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"file\":")
		a := apitest.ReadReply(t, conn)
		if a.Status != 408 || a.Code != "body_timeout" || time.Since(began) != s.limits.read {
			t.Errorf("after %v: %d %s", time.Since(began), a.Status, a.Code)
		}
		if rest, err := io.ReadAll(conn); len(rest) > 0 || err != nil {
			t.Errorf("the connection goes on: %q, %v", rest, err)
		}
	})
}

func TestBrokenOffBodyIs400(t *testing.T) {
	r := start(t)
	conn := r.dial(t)
	r.say(t, conn, "POST /vault-mind/scan HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"file\":")
	conn.(*net.TCPConn).CloseWrite()
	if a := apitest.ReadReply(t, conn); a.Status != 400 || a.Code != "bad_request" {
		t.Errorf("%d %s", a.Status, a.Code)
	}
}

// TestHalfOpenConnections: a crowd that never finishes its requests delays
// others by the header's time at most.
func TestHalfOpenConnections(t *testing.T) {
	t.Parallel()
	r := start(t, func(s *Server) { s.limits.header = 400 * time.Millisecond })
	for range 200 {
		r.say(t, r.dial(t), "GET / HTTP/1.1\r\n")
	}
	began := time.Now()
	st, err := client.New(r.Port, "").Status(t.Context())
	if err != nil || !st.Running {
		t.Fatalf("behind the crowd: %v", err)
	}
	t.Logf("answered after %v behind 200 half-open connections", time.Since(began))
}

func TestConnectionLimit(t *testing.T) {
	block := make(chan struct{})
	const most = 64
	r := start(t, func(s *Server) { s.backend.(*apitest.Backend).Block, s.limits.idle = block, 100*time.Millisecond })
	busy := make([]net.Conn, most)
	for i := range busy {
		busy[i] = r.dial(t)
		r.say(t, busy[i], apitest.Request("POST", "/vault-mind/rescan", apitest.Bearer, ""))
	}
	apitest.WaitFor(t, "all to be busy", func() bool { return len(r.backend.Called()) == most })
	late := r.dial(t)
	r.say(t, late, apitest.Request("GET", "/vault-mind/status", nil, ""))
	late.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	if n, err := late.Read(make([]byte, 1)); n > 0 || err == nil {
		t.Errorf("connection %d was served beside %d busy ones", most+1, most)
	}
	close(block)
	late.SetReadDeadline(time.Now().Add(apitest.Patience))
	if a := apitest.ReadReply(t, late); a.Status != 200 {
		t.Errorf("once there is room: %d", a.Status)
	}
}

// TestIdleConnectionsEnd: connections that are kept but not used lock nobody out for
// longer than they may be idle.
func TestIdleConnectionsEnd(t *testing.T) {
	r := start(t, func(s *Server) { s.limits.connections, s.limits.idle = 4, 100*time.Millisecond })
	for range 4 {
		conn := r.dial(t)
		r.say(t, conn, apitest.Request("GET", "/vault-mind/status", nil, ""))
		if a := apitest.ReadReply(t, conn); a.Status != 200 {
			t.Fatalf("status %d", a.Status)
		}
	}
	for i := range 3 {
		if a := r.Raw(t, apitest.Request("GET", "/vault-mind/status", nil, "")); a.Status != 200 {
			t.Errorf("client %d: %d", i, a.Status)
		}
	}
}

// TestForeignConnectionsTakeNoRoom: another user's connections are closed at once,
// however many there are.
func TestForeignConnectionsTakeNoRoom(t *testing.T) {
	var foreign atomic.Bool
	foreign.Store(true)
	r := start(t, func(s *Server) {
		s.limits.connections = 4
		s.peer = func(net.Addr, net.Addr) peer.Kind {
			if foreign.Load() {
				return peer.Other
			}
			return peer.Ours
		}
	})
	for range 20 {
		conn := r.dial(t)
		r.say(t, conn, "GET / HTTP/1.1\r\n")
		if rest, _ := io.ReadAll(conn); len(rest) > 0 { // closed, or reset
			t.Fatalf("another user reads %q", rest)
		}
	}
	foreign.Store(false)
	if a := r.Raw(t, apitest.Request("GET", "/vault-mind/status", nil, "")); a.Status != 200 {
		t.Errorf("behind them: %d", a.Status)
	}
	if refused := r.Refusals.Last(); refused == nil || refused.Code != api.WrongUser {
		t.Errorf("the status says %+v", refused)
	}
}

// TestCallAfterTheEnd: a call that was accepted but has not begun when the server
// ends is refused in its own words and reaches nothing behind it.
func TestCallAfterTheEnd(t *testing.T) {
	reached := 0
	c := &calls{handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { reached++ })}
	c.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/vault-mind/status", nil))
	c.waitAndRefuse()
	w := httptest.NewRecorder()
	c.ServeHTTP(w, httptest.NewRequest("POST", "/vault-mind/rescan", nil))
	var body struct{ Code, Error string }
	err := json.Unmarshal(w.Body.Bytes(), &body)
	if w.Code != http.StatusServiceUnavailable || err != nil || body.Code != "stopping" || body.Error == "" || reached != 1 {
		t.Errorf("%d %s, %v; reached %d times", w.Code, w.Body, err, reached)
	}
}

// Who is just sending a request when the server ends has an answer: a browser that
// follows its own form meets an engine that gives way to another.
func TestEndAnswersWhoIsSending(t *testing.T) {
	come := make(chan struct{}, 1)
	r := start(t, func(s *Server) {
		s.limits.drain = apitest.Patience
		known := s.peer
		s.peer = func(client, server net.Addr) peer.Kind {
			select {
			case come <- struct{}{}:
			default:
			}
			return known(client, server)
		}
	})
	conn := r.dial(t)
	request := strings.ReplaceAll(apitest.Request("GET", "/vault-mind/status", nil, ""), "PORT", r.PortText())
	if _, err := io.WriteString(conn, request[:len(request)-2]); err != nil {
		t.Fatal(err)
	}
	<-come
	ended := make(chan error, 1)
	go func() { ended <- r.stop() }()
	for until := time.Now().Add(apitest.Patience); time.Now().Before(until); {
		other, err := net.Dial("tcp4", r.Host())
		if err != nil {
			break // it has begun to end
		}
		other.Close()
		<-time.After(time.Millisecond)
	}
	if _, err := io.WriteString(conn, request[len(request)-2:]); err != nil {
		t.Fatal(err)
	}
	if a := apitest.ReadReply(t, conn); a.Status != http.StatusOK {
		t.Errorf("%d %v", a.Status, a.Body)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
