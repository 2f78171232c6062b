package main

import (
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// sharedListener is one open port that several engines use one after the other.
// Who connects between two of them waits for the second.
type sharedListener struct{ net.Listener }

// next returns the listener of the next engine.
func (s *sharedListener) next() net.Listener {
	s.deadline(time.Time{})
	return &turn{shared: s}
}

// end closes the port.
func (s *sharedListener) end() error {
	if err := s.Listener.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// deadline ends a wait for callers, or lets them be waited for again.
func (s *sharedListener) deadline(t time.Time) {
	if tcp, ok := s.Listener.(*net.TCPListener); ok {
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
	conn, err := t.shared.Accept()
	if t.over.Load() && errors.Is(err, os.ErrDeadlineExceeded) {
		err = net.ErrClosed
	}
	return conn, err
}

// Close implements [net.Listener].
func (t *turn) Close() error {
	if !t.over.Swap(true) {
		t.shared.deadline(time.Unix(1, 0))
	}
	return nil
}

// Addr implements [net.Listener].
func (t *turn) Addr() net.Addr { return t.shared.Listener.Addr() }
