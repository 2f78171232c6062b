package main

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// sharedListener is one open port that several engines use one after the other.
// Who connects between two of them waits for the second. It can move to another
// port under a running engine.
type sharedListener struct {
	mu  sync.Mutex // guards now, and that a turn which ends wakes who waits there
	now net.Listener
}

// next returns the listener of the next engine.
func (s *sharedListener) next() net.Listener {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deadline(time.Time{})
	return &turn{shared: s}
}

// move goes on at another port, and closes the one before.
func (s *sharedListener) move(to net.Listener) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.now
	s.now = to
	return before.Close()
}

// port is the one it has now.
func (s *sharedListener) port() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	addr, ok := s.now.Addr().(*net.TCPAddr)
	if !ok {
		return 0
	}
	return addr.Port
}

// end closes the port.
func (s *sharedListener) end() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.now.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// deadline ends a wait for callers, or lets them be waited for again.
func (s *sharedListener) deadline(t time.Time) {
	if tcp, ok := s.now.(*net.TCPListener); ok {
		tcp.SetDeadline(t) // fails only when the port is closed, which Accept says too
	}
}

// turn is one engine's use of the port. Its end leaves the port open.
type turn struct {
	shared *sharedListener
	over   atomic.Bool
}

// Accept implements [net.Listener].
func (t *turn) Accept() (net.Conn, error) {
	for {
		t.shared.mu.Lock()
		socket := t.shared.now
		t.shared.mu.Unlock()
		if t.over.Load() {
			return nil, net.ErrClosed
		}
		conn, err := socket.Accept()
		switch {
		case err == nil:
			return conn, nil
		case t.over.Load():
			return nil, net.ErrClosed
		case !t.moved(socket):
			return nil, err
		}
	}
}

// moved reports whether a socket is the port no more.
func (t *turn) moved(socket net.Listener) bool {
	t.shared.mu.Lock()
	defer t.shared.mu.Unlock()
	return t.shared.now != socket
}

// Close implements [net.Listener].
func (t *turn) Close() error {
	t.shared.mu.Lock()
	defer t.shared.mu.Unlock()
	if !t.over.Swap(true) {
		t.shared.deadline(time.Unix(1, 0))
	}
	return nil
}

// Addr implements [net.Listener].
func (t *turn) Addr() net.Addr {
	t.shared.mu.Lock()
	defer t.shared.mu.Unlock()
	return t.shared.now.Addr()
}
