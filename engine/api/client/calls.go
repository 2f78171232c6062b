package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/peer"
	"vaultdispatcher/engine/files"
)

// This file makes the calls, and reads what comes of them.

func get[T any](ctx context.Context, c *Client, path string, q url.Values) (T, error) {
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return call[T](ctx, c, http.MethodGet, path, nil)
}

func post[T any](ctx context.Context, c *Client, path string, body any) (answer T, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return answer, fmt.Errorf("write the request: %w", err)
	}
	return call[T](ctx, c, http.MethodPost, path, text)
}

func call[T any](ctx context.Context, c *Client, method, path string, body []byte) (answer T, err error) {
	resp, err := c.sendRequest(ctx, method, path, body)
	if err != nil {
		return answer, err
	}
	defer resp.Body.Close()
	err = c.nameState(readAnswer(ctx, resp, &answer))
	return answer, err
}

// sendRequest makes a request; the caller closes the body of the answer.
func (c *Client) sendRequest(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	return c.sendFor(ctx, method, path, body, "")
}

// sendFor is sendRequest for an answer in a certain form.
func (c *Client) sendFor(ctx context.Context, method, path string, body []byte, form string) (*http.Response, error) {
	if peer.OfListener(c.port) == peer.Other {
		return nil, api.ErrNotOurs
	}
	target := "http://127.0.0.1:" + strconv.Itoa(c.port) + path
	req, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	if form != "" {
		req.Header.Set("Accept", form)
	}
	if c.token != "" && path != "/vault-mind/ping" && path != "/vault-mind/status" && path != "/vault-mind/scan" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, callError(ctx, err)
	}
	return resp, nil
}

// callError tells a port without a listener from a port of another program, and from a slow
// engine.
func callError(ctx context.Context, err error) error {
	var op *net.OpError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("ask the engine: %w", ctx.Err())
	case errors.As(err, &op) && op.Op == "dial" && op.Timeout() && !isFree(op.Addr):
		return fmt.Errorf("ask the engine: %w", context.DeadlineExceeded) // it has no room for another caller
	case errors.As(err, &op) && op.Op == "dial":
		return api.ErrNotRunning
	case strings.Contains(err.Error(), "malformed HTTP"):
		return api.ErrNotOurs
	}
	return fmt.Errorf("ask the engine: %w", err)
}

// isFree reports whether no program listens at an address. Windows tries a closed port several
// times, which takes longer than the client waits.
func isFree(addr net.Addr) bool {
	ln, err := net.Listen("tcp4", addr.String())
	return err == nil && ln.Close() == nil
}

// readAnswer takes an answer apart. What does not look like an answer of ours is the
// answer of another program.
func readAnswer(ctx context.Context, resp *http.Response, into any) error {
	if resp.Header.Get("Server") != api.Product || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		return api.ErrNotOurs
	}
	text, isWhole, err := files.ReadLimited(resp.Body, maxAnswer)
	switch {
	case err != nil:
		return callError(ctx, err)
	case !isWhole:
		return fmt.Errorf("the engine's answer is larger than %d MiB", maxAnswer>>20)
	}
	if resp.StatusCode == http.StatusOK {
		if err := json.Unmarshal(text, into); err != nil {
			return fmt.Errorf("read the engine's answer: %w", err)
		}
		return nil
	}
	var p api.Problem
	if err := json.Unmarshal(text, &p); err != nil || p.Code == "" {
		return api.ErrNotOurs
	}
	if p.Code == api.WrongUser { // an engine of another user
		return fmt.Errorf("%w: %s", api.ErrNotOurs, p.Error)
	}
	after, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
	return &api.StatusError{Status: resp.StatusCode, Code: p.Code, Text: p.Error, Diff: p.Diff, Seen: p.Seen, RetryAfter: time.Duration(after) * time.Second}
}

// nameState says of a token that was refused which folder it is of.
func (c *Client) nameState(err error) error {
	if refused, ok := errors.AsType[*api.StatusError](err); ok && refused.Status == http.StatusUnauthorized && c.state != "" {
		return &OtherState{Port: c.port, State: c.state, refused: refused}
	}
	return err
}
