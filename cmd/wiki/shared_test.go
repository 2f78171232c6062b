package main

import (
	"errors"
	"io"
	"net"
	"testing"
)

// Who connects between two engines is served by the second.
func TestSharedListener(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	shared := &sharedListener{Listener: ln}
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
	if err := errors.Join(shared.end(), shared.end()); err != nil {
		t.Error(err)
	}
}
