package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Desk serves a library over HTTP, without sessions: every request is complete in itself, so a client continues after
// the engine was started anew. The guard of the HTTP interface is in front of it. It is safe for concurrent use.
type Desk struct {
	library Library
	version string
	handler http.Handler

	mu      sync.Mutex // guards what follows
	tickets map[[32]byte]Scope
}

// NewDesk returns the desk of a library.
func NewDesk(library Library, version string) *Desk {
	d := &Desk{library: library, version: version, tickets: make(map[[32]byte]Scope)}
	d.handler = sdk.NewStreamableHTTPHandler(d.serverFor, &sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	return d
}

// ticketMark begins every ticket, so that one which was given back is never taken for a token.
const ticketMark = "ticket-"

// Admit returns a ticket for one client, and what takes it back.
func (d *Desk) Admit(who Scope) (ticket string, leave func()) {
	ticket = ticketMark + rand.Text()
	key := sha256.Sum256([]byte(ticket))
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tickets[key] = who
	return ticket, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.tickets, key)
	}
}

// Knows reports whether a ticket opens the desk. It looks up a hash, so that the time taken says
// nothing about the tickets there are.
func (d *Desk) Knows(ticket string) bool {
	_, known := d.scopeOf(ticket)
	return known
}

// Read answers a tool that only reads, for the person whose notes they are: private ones too.
func (d *Desk) Read(ctx context.Context, tool string, arguments json.RawMessage) (any, error) {
	arguments, err := ReadArguments(tool, arguments)
	if err != nil {
		return nil, err
	}
	return d.library.Call(ctx, Scope{Private: true}, tool, arguments)
}

func (d *Desk) scopeOf(ticket string) (Scope, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	who, known := d.tickets[sha256.Sum256([]byte(ticket))]
	return who, known
}

// ServeHTTP answers a request that the guard has let in: by the token, whose holder says what it
// wants to see, or by a ticket.
func (d *Desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "the request was broken off", http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if wrong := checkMessage(body); wrong != nil && !bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) { // of lists the SDK knows more
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest) // as https://modelcontextprotocol.io/specification/2025-06-18/basic/transports says
		_ = json.NewEncoder(w).Encode(wrong) // a client that has gone needs no answer
		return
	}
	// The SDK leaves a request that ends without an answer, or with one, as it happens. So it sees one that
	// ends later; the call ends with the true one, and is answered.
	ctx, cancel := context.WithCancel(context.WithValue(context.WithoutCancel(r.Context()), trueRequest{}, r.Context()))
	defer cancel()
	defer context.AfterFunc(r.Context(), func() { time.AfterFunc(answerTime, cancel) })()
	d.handler.ServeHTTP(w, r.WithContext(ctx))
}

// answerTime is how long a call that was cut off may take to be answered.
const answerTime = 10 * time.Second

// trueRequest is the key of the context that ends with the request.
type trueRequest struct{}

func (d *Desk) serverFor(r *http.Request) *sdk.Server {
	_, bearer, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	who, known := Scope{Private: r.URL.Query().Get("private") == "1"}, true
	if bearer = strings.TrimSpace(bearer); strings.HasPrefix(bearer, ticketMark) {
		who, known = d.scopeOf(bearer)
	}
	if !known {
		return nil // it was given back meanwhile; the SDK refuses the request
	}
	ctx := r.Context().Value(trueRequest{}).(context.Context) // of ServeHTTP
	return New(Options{Library: request{d.library, ctx}, Scope: who, Version: d.version})
}

// request is the library as one request asks it: the SDK does not end a call with its request.
type request struct {
	Library
	ctx context.Context
}

// Call implements [Library].
func (r request) Call(ctx context.Context, who Scope, tool string, arguments json.RawMessage) (any, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(r.ctx, cancel)()
	found, err := r.Library.Call(ctx, who, tool, arguments)
	if err != nil && r.ctx.Err() != nil { // the SDK answers no call that says it was cancelled
		err = Refusal("The call was cut off: its time was over, or the engine stops.")
	}
	return found, err
}
