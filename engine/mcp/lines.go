package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// The SDK ends a conversation at the first message that it cannot read. So what is no message is answered here, as JSON-RPC
// has it (https://www.jsonrpc.org/specification#error_object), and the SDK sees the others.

// complaint is the answer to what is no message.
type complaint struct {
	Version string        `json:"jsonrpc"`
	ID      any           `json:"id"`
	Error   jsonrpc.Error `json:"error"`
}

// checkMessage returns why a text is no message, or nil.
func checkMessage(text []byte) *complaint {
	c := &complaint{Version: "2.0", Error: jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "this is no JSON; a client of the Model Context Protocol is expected, which wiki mcp install sets up"}}
	if !json.Valid(text) {
		return c // https://www.jsonrpc.org/specification#error_object
	}
	if _, err := jsonrpc.DecodeMessage(text); err == nil {
		return nil
	}
	var named struct{ ID any }
	_ = json.Unmarshal(text, &named) // only an object has an id
	switch named.ID.(type) {
	case string, float64:
		c.ID = named.ID
	}
	c.Error = jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "this is JSON, but no message of JSON-RPC 2.0"}
	return c
}

// lines are the messages of a client, one a line. Lines that are no messages are left out.
type lines struct {
	io.Closer
	reader *bufio.Reader
	output io.Writer // where complaints go
	rest   []byte    // of what was checked
}

// Read implements [io.Reader].
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.readLine()
		if err == nil || len(line) > 0 {
			err = l.takeLine(bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff"))))
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// readLine reads a line; of one that is longer than it may be its beginning.
func (l *lines) readLine() (line []byte, err error) {
	for {
		part, err := l.reader.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// takeLine takes a line for the SDK, or answers it. Of a list of messages, which only one version of the protocol knows, it
// takes each by itself.
func (l *lines) takeLine(line []byte) error {
	var list []json.RawMessage
	if json.Unmarshal(line, &list) != nil || len(list) == 0 {
		list = []json.RawMessage{line}
	}
	for _, message := range list {
		if len(message) == 0 {
			continue
		}
		wrong := checkMessage(message)
		if wrong == nil {
			l.rest = append(append(l.rest, message...), '\n')
			continue
		}
		answer, err := marshalLine(wrong)
		if err == nil {
			_, err = io.WriteString(l.output, answer+"\n")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// shared is a writer for several goroutines, and has no end.
type shared struct {
	mu sync.Mutex // one message at a time
	w  io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}

func (s *shared) Close() error { return nil }
