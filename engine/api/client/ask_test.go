package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/api"
)

// Who leaves in the moment in which the engine takes the question up is told which dispatch to take back.
func TestLeftBeforeTheDispatchIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, leave := context.WithCancel(t.Context())
		c := clientOf(t, func(w http.ResponseWriter, r *http.Request) {
			leave()
			time.Sleep(lastWord - time.Millisecond)
			sayEvent(w, `event: accepted`+"\n"+`data: {"dispatch":"d1"}`)
			<-r.Context().Done()
		})
		told := ""
		_, err := c.Ask(ctx, api.AskRequest{Question: "q"}, func(id string) { told = id }, nil)
		if told != "d1" || !errors.Is(err, context.Canceled) {
			t.Errorf("told %q, ended with %v", told, err)
		}
	})
}

// Where the engine does not say it, nobody waits for longer.
func TestLeftAndNeverTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, leave := context.WithCancel(t.Context())
		c := clientOf(t, func(_ http.ResponseWriter, r *http.Request) {
			leave()
			<-r.Context().Done()
		})
		begin := time.Now()
		_, err := c.Ask(ctx, api.AskRequest{Question: "q"}, func(id string) { t.Errorf("told %q", id) }, nil)
		if waited := time.Since(begin); !errors.Is(err, context.Canceled) || waited != lastWord {
			t.Errorf("ended after %v with %v", waited, err)
		}
	})
}

func sayEvent(w http.ResponseWriter, text string) {
	w.Header().Set("Server", api.Product)
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, text+"\n\n")
	_ = http.NewResponseController(w).Flush()
}

// clientOf is a client whose calls are answered in memory, so that the time of a bubble goes on.
func clientOf(t *testing.T, answer http.HandlerFunc) *Client {
	t.Helper()
	calls := &inMemory{made: make(chan net.Conn)}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a server hears that its client has left once it has read everything
		answer(w, r)
	})}
	go server.Serve(calls) // ends with its listener
	c := New(1, "")
	c.http = &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		calls.made <- theirs
		return ours, nil
	}}}
	t.Cleanup(func() { c.http.CloseIdleConnections(); server.Close() })
	return c
}

// inMemory is a listener of pipes.
type inMemory struct{ made chan net.Conn }

func (l *inMemory) Accept() (net.Conn, error) {
	if conn, ok := <-l.made; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (l *inMemory) Close() error { close(l.made); return nil }

func (l *inMemory) Addr() net.Addr { return &net.TCPAddr{} }
