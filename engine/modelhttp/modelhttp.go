// Package modelhttp asks a model behind an HTTP server: one POST with JSON, the
// server's own words where it refuses, and an answer that is read within bounds.
//
// Most callers need two calls: [Client.Post] sends a question, and [ReadJSON] reads
// a whole answer. A caller that streams reads the body of the response itself.
//
// # Promises
//
// A request is sent to the address it names and to no other: no proxy of the environment, no redirect. The key is
// sent there alone and is in no error, even if the server repeats it, whole or in part, in any spelling
// ([secret.Redactor]). Nothing is sent about this machine. Nothing is tried again: when to ask again is the caller's
// decision.
package modelhttp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"time"

	"vaultdispatcher/engine/files"
)

// maxComplaint bounds what is read of a refusal, which is held in memory.
const maxComplaint = 64 << 10

// ErrRedirect says that a server sends its callers elsewhere.
var ErrRedirect = errors.New("redirect")

// Client holds the connections to servers. It is safe for concurrent use.
type Client struct{ http http.Client }

// NewClient returns a client that keeps that many idle connections.
func NewClient(idle int) *Client {
	return &Client{http.Client{
		Transport:     &http.Transport{MaxIdleConns: idle, IdleConnTimeout: 30 * time.Second}, // no proxy
		CheckRedirect: func(*http.Request, []*http.Request) error { return ErrRedirect },
	}}
}

// Post sends a question as JSON and returns the answer, whose body the caller reads and closes. An answer other than
// 2xx is a [Refusal]; gateways pass on a 201 from the servers behind them
// (https://github.com/E-xyza/codicil/issues/4). An empty key is not sent.
func (c *Client) Post(ctx context.Context, url, key string, question any) (*http.Response, error) {
	data, err := json.Marshal(question)
	if err != nil {
		return nil, fmt.Errorf("write the question: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	return c.sendRequest(req, key)
}

// Get asks for what is at an address; the rest is as with Post.
func (c *Client) Get(ctx context.Context, url, key string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return c.sendRequest(req, key)
}

func (c *Client) sendRequest(req *http.Request, key string) (*http.Response, error) {
	req.Header.Set("User-Agent", "vault-dispatcher")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 != 2 {
		defer resp.Body.Close()
		return nil, readRefusal(resp, key)
	}
	return resp, nil
}

// ErrTooLong says that an answer has more bytes than its reader takes.
var ErrTooLong = errors.New("the answer is too long")

// BrokenOff says that an answer ended in its middle, after so many bytes.
type BrokenOff struct{ Bytes int }

func (b *BrokenOff) Error() string {
	return fmt.Sprintf("the answer was broken off after %d bytes", b.Bytes)
}

// ReadJSON reads an answer of at most limit bytes and closes it. An answer that
// ends in its middle is [BrokenOff]; other errors are those of the connection and
// of encoding/json.
func ReadJSON(resp *http.Response, limit int, into any) error {
	defer resp.Body.Close()
	body, isWhole, err := files.ReadLimited(resp.Body, int64(limit))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &BrokenOff{len(body)}
	case err != nil:
		return err
	case !isWhole:
		return ErrTooLong
	}
	err = json.Unmarshal(body, into)
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok && wrong.Offset >= int64(len(body)) {
		return &BrokenOff{len(body)}
	}
	return err
}

// IsNotRunning reports whether an error means that no program listens at the
// address.
func IsNotRunning(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || strings.Contains(err.Error(), "refused")
}

// RootCause returns the innermost error of a chain.
func RootCause(err error) error {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err
}
