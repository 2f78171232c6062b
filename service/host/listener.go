package host

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// sharedListener is one open port that several engines use one after another. A
// client that connects between two engines waits for the second one. It can move to
// another port under a running engine.
type sharedListener struct {
	mu      sync.Mutex // guards current, and wakes Accept when a turn ends
	current net.Listener
}

// next returns the listener of the next engine.
func (s *sharedListener) next() net.Listener {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setDeadline(time.Time{})
	return &turn{shared: s}
}

// move continues on another port and closes the previous one.
func (s *sharedListener) move(to net.Listener) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.current
	s.current = to
	return before.Close()
}

// port is the present port.
func (s *sharedListener) port() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	addr, ok := s.current.Addr().(*net.TCPAddr)
	if !ok {
		return 0
	}
	return addr.Port
}

// shutdown closes the port.
func (s *sharedListener) shutdown() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.current.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// setDeadline ends a waiting Accept, or lets Accept wait again.
func (s *sharedListener) setDeadline(t time.Time) {
	if tcp, ok := s.current.(*net.TCPListener); ok {
		tcp.SetDeadline(t) // fails only when the port is closed, which Accept reports too
	}
}

// turn is one engine's use of the port. Its end leaves the port open.
type turn struct {
	shared *sharedListener
	isOver atomic.Bool
}

// Accept implements [net.Listener].
func (t *turn) Accept() (net.Conn, error) {
	for {
		t.shared.mu.Lock()
		socket := t.shared.current
		t.shared.mu.Unlock()
		if t.isOver.Load() {
			return nil, net.ErrClosed
		}
		conn, err := socket.Accept()
		switch {
		case err == nil:
			return conn, nil
		case t.isOver.Load():
			return nil, net.ErrClosed
		case !t.hasMovedFrom(socket):
			return nil, err
		}
	}
}

// hasMovedFrom reports whether a socket is no longer the port.
func (t *turn) hasMovedFrom(socket net.Listener) bool {
	t.shared.mu.Lock()
	defer t.shared.mu.Unlock()
	return t.shared.current != socket
}

// Close implements [net.Listener].
func (t *turn) Close() error {
	t.shared.mu.Lock()
	defer t.shared.mu.Unlock()
	if !t.isOver.Swap(true) {
		t.shared.setDeadline(time.Unix(1, 0))
	}
	return nil
}

// Addr implements [net.Listener].
func (t *turn) Addr() net.Addr {
	t.shared.mu.Lock()
	defer t.shared.mu.Unlock()
	return t.shared.current.Addr()
}
