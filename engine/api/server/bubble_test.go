package server

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"vaultdispatcher/engine/api/peer"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// pipes is a listener whose clients come through pipes: the clock of a bubble of synctest stands still
// while somebody waits for a socket.
type pipes struct {
	net.Listener
	come  chan net.Conn
	ended chan struct{}
	end   func()
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.come:
		return conn, nil
	case <-p.ended:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { p.end(); return nil }

// pipe is a connection with the addresses of one of the loopback interface.
type pipe struct{ net.Conn }

func (pipe) LocalAddr() net.Addr  { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4747} }
func (pipe) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 50_000} }

// connect runs a server in a bubble, until that is ended, and returns a client's connection to it.
func connect(t *testing.T, s *Server) (client net.Conn, end func()) {
	t.Helper()
	s.peer = func(net.Addr, net.Addr) peer.Kind { return peer.Ours }
	p := &pipes{come: make(chan net.Conn), ended: make(chan struct{})}
	p.end = sync.OnceFunc(func() { close(p.ended) })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, p) }()
	client, server := net.Pipe()
	p.come <- pipe{server}
	end = func() {
		client.Close()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	}
	return client, end
}

// write sends what a client says to a server in a bubble.
func write(t *testing.T, client net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(client, strings.ReplaceAll(text, "PORT", "4747")); err != nil {
		t.Fatal(err)
	}
}

// moving returns a server whose state a test changes.
func moving(s *Server) *apitest.Moving {
	m := &apitest.Moving{Backend: s.backend.(*apitest.Backend)}
	s.backend = m
	return m
}
