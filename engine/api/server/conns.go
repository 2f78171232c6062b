package server

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"vaultdispatcher/engine/api"
)

// connections is a listener with room for so many connections. When there is
// none left, the one that has been idle longest gives way; if all are busy the
// next client waits in the system's queue.
type connections struct {
	net.Listener
	most int

	mu     sync.Mutex // guards what follows
	change *sync.Cond // something below has changed
	open   int
	idle   []net.Conn // longest first
	closed bool
	busy   int // have come and not gone, nor become something else than HTTP
}

func newConnections(ln net.Listener, most int) *connections {
	c := &connections{Listener: ln, most: most}
	c.change = sync.NewCond(&c.mu)
	return c
}

// Accept waits until there is room, then for a client.
func (c *connections) Accept() (net.Conn, error) {
	c.mu.Lock()
	for c.open >= c.most && !c.closed {
		if len(c.idle) == 0 {
			c.change.Wait()
			continue
		}
		oldest := c.idle[0]
		c.idle = c.idle[1:]
		c.mu.Unlock()
		oldest.Close()
		c.mu.Lock()
	}
	c.open++
	c.mu.Unlock()
	conn, err := c.Listener.Accept()
	if err != nil {
		c.leave()
		return nil, err
	}
	return &connection{Conn: conn, leave: sync.OnceFunc(c.leave)}, nil
}

func (c *connections) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open--
	c.change.Signal()
}

// Close ends the listener and any Accept that waits for room.
func (c *connections) Close() error {
	c.mu.Lock()
	c.closed = true
	c.change.Broadcast()
	c.mu.Unlock()
	return c.Listener.Close()
}

// state follows what http.Server says about its connections.
func (c *connections) state(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, idle := range c.idle {
		if idle == conn {
			c.idle = append(c.idle[:i:i], c.idle[i+1:]...)
			break
		}
	}
	switch state {
	case http.StateNew:
		c.busy++
	case http.StateIdle:
		c.idle = append(c.idle, conn)
		c.change.Signal()
	case http.StateClosed, http.StateHijacked:
		c.busy--
		c.change.Broadcast()
	}
}

// quiet waits until http.Server has no connection left, or ctx ends. Nobody is
// accepted meanwhile.
func (c *connections) quiet(ctx context.Context) {
	defer context.AfterFunc(ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.change.Broadcast()
	})()
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.busy > 0 && ctx.Err() == nil {
		c.change.Wait()
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

// Write puts what net/http itself says to a malformed request into the form of
// all our failures. It says that in one write, with a head no handler writes.
func (c *connection) Write(p []byte) (int, error) {
	problem, ok := rawProblem(p)
	if !ok {
		return c.Conn.Write(p)
	}
	if _, err := c.Conn.Write(problem); err != nil {
		return 0, err
	}
	return len(p), nil
}

func rawProblem(p []byte) ([]byte, bool) {
	line, rest, ok := bytes.Cut(p, []byte("\r\n"))
	head := []byte("Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
	if !ok || len(line) < len("HTTP/1.1 400") || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return nil, false
	}
	status, code, text := http.StatusBadRequest, "bad_request", "This is not a request that HTTP allows."
	switch said := string(line[9:12]); {
	case said == "417" && !bytes.Contains(rest, []byte("Content-Type")):
		status, code, text = http.StatusExpectationFailed, "bad_request", "Send the request without Expect."
	case !bytes.HasPrefix(rest, head):
		return nil, false
	case said == "431":
		status, code, text = http.StatusRequestHeaderFieldsTooLarge, "headers_too_large", "The headers are larger than 16 KiB."
	}
	body, err := encode(api.Problem{Error: text, Code: code})
	if err != nil {
		return nil, false
	}
	return []byte(strings.Join([]string{
		fmt.Sprintf("HTTP/1.1 %d %s", status, http.StatusText(status)),
		"Server: " + api.Product,
		"Content-Type: application/json; charset=utf-8",
		"X-Content-Type-Options: nosniff",
		"Connection: close",
		fmt.Sprintf("Content-Length: %d", len(body)),
		"", string(body)}, "\r\n")), true
}
