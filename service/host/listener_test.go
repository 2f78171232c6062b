package host

import (
	"errors"
	"io"
	"net"
	"testing"
)

// A client that connects between two engines is served by the second one.
func TestSharedListener(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	shared := &sharedListener{current: ln}
	first := shared.next()
	waiting := make(chan error, 1)
	go func() { _, err := first.Accept(); waiting <- err }()
	if err := errors.Join(first.Close(), first.Close()); err != nil {
		t.Fatal(err)
	}
	if err := <-waiting; !errors.Is(err, net.ErrClosed) {
		t.Fatalf("the first ended with %v", err)
	}
	caller, err := net.Dial("tcp4", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer caller.Close()
	conn, err := shared.next().Accept()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "served"); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if got, err := io.ReadAll(caller); string(got) != "served" {
		t.Errorf("%q, %v", got, err)
	}
	if err := errors.Join(shared.shutdown(), shared.shutdown()); err != nil {
		t.Error(err)
	}
}

// An Accept that waits while the port moves continues on the new port.
func TestSharedListenerMoves(t *testing.T) {
	open := func() net.Listener {
		ln, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		return ln
	}
	before, after := open(), open()
	shared := &sharedListener{current: before}
	first := shared.next()
	type accepted struct {
		conn net.Conn
		err  error
	}
	waiting := make(chan accepted, 1)
	accept := func(ln net.Listener) { conn, err := ln.Accept(); waiting <- accepted{conn, err} }
	go accept(first)
	if err := shared.move(after); err != nil {
		t.Fatal(err)
	}
	caller, err := net.Dial("tcp4", after.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer caller.Close()
	got := <-waiting
	if got.err != nil {
		t.Fatal(got.err)
	}
	got.conn.Close()
	if _, err := net.Dial("tcp4", before.Addr().String()); err == nil {
		t.Error("the port of before is still open")
	}
	if first.Addr().String() != after.Addr().String() || shared.port() != after.Addr().(*net.TCPAddr).Port {
		t.Errorf("it is at %v, port %d", first.Addr(), shared.port())
	}
	go accept(first)
	first.Close()
	if got = <-waiting; !errors.Is(got.err, net.ErrClosed) {
		t.Errorf("the turn ended with %v", got.err)
	}
	go accept(shared.next())
	if err := shared.shutdown(); err != nil {
		t.Error(err)
	}
	if got = <-waiting; !errors.Is(got.err, net.ErrClosed) {
		t.Errorf("the port ended with %v", got.err)
	}
}
