package server

import (
	"context"
	"net"
	"sync"

	"vaultdispatcher/engine/api/peer"
)

// connections is a listener that has room for so many connections at a time and
// accepts none of another user. While there is no room the next client waits in the
// system's queue.
type connections struct {
	net.Listener
	room chan struct{} // holds one token for each connection that is open
	end  chan struct{} // closed by Close

	// isLetIn decides about a connection when it is accepted, while the client cannot
	// have closed it long ago.
	isLetIn func(net.Conn) bool
	close   func() error
}

func newConnections(ln net.Listener, most int, isLetIn func(net.Conn) bool) *connections {
	c := &connections{Listener: ln, room: make(chan struct{}, most), end: make(chan struct{}), isLetIn: isLetIn}
	c.close = sync.OnceValue(func() error {
		close(c.end)
		return ln.Close()
	})
	return c
}

// Accept waits until there is room, then for a client.
func (c *connections) Accept() (net.Conn, error) {
	select {
	case c.room <- struct{}{}:
	case <-c.end:
		return nil, net.ErrClosed
	}
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			<-c.room
			return nil, err
		}
		if c.isLetIn(conn) {
			return &connection{Conn: conn, leave: sync.OnceFunc(func() { <-c.room })}, nil
		}
		conn.Close()
	}
}

// Close ends the listener and an Accept that waits for room.
func (c *connections) Close() error { return c.close() }

// waitEmpty waits until every connection is closed, or ctx ends. It is called after
// Close.
func (c *connections) waitEmpty(ctx context.Context) {
	for range cap(c.room) {
		select {
		case c.room <- struct{}{}:
		case <-ctx.Done():
			return
		}
	}
}

// connection gives its room back when it is closed.
type connection struct {
	net.Conn
	leave func()
}

func (c *connection) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// CloseWrite closes the sending half. net/http does so where it refuses a request, so
// that the client can read why (closeWriteAndWait in
// https://go.dev/src/net/http/server.go).
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// isLetIn reports whether a connection comes from this computer, and from a user who
// is ours or root.
// Where the user is not known the connection is let in, and the status says so.
func (s *Server) isLetIn(conn net.Conn) bool {
	if from, ok := conn.RemoteAddr().(*net.TCPAddr); !ok || !from.IP.IsLoopback() {
		return false
	}
	switch s.peer(conn.RemoteAddr(), conn.LocalAddr()) {
	case peer.Gone:
		return false
	case peer.Other:
		s.Refusals.remember(errWrongUser())
		return false
	case peer.Unknown:
		s.Refusals.noteUnknownPeer()
	}
	return true
}
