package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/modelhttp"
)

// maxStream bounds what is read of a streamed answer, of which each piece is wrapped in some
// hundred bytes. None of that is kept.
const maxStream = 8 * maxAnswer

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// askAloud asks for an answer that is heard while it is made. Not all servers can do that, and
// there is no status of its own for it.
func (m Model) askAloud(ctx context.Context, s server, key string, q question, said func(string)) (*completion, error) {
	if said == nil || m.Servers.isWhole(s.base) {
		return m.postQuestion(ctx, s, key, q, nil)
	}
	aloud := q
	aloud.Stream, aloud.Options = true, &streamOptions{IncludeUsage: true}
	c, err := m.postQuestion(ctx, s, key, aloud, said)
	if !isTurnedDown(err) {
		return c, err
	}
	if c, err = m.postQuestion(ctx, s, key, q, nil); err == nil {
		m.Servers.learnWhole(s.base)
	}
	return c, err
}

func (s *Servers) isWhole(base string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.whole[base]
}

func (s *Servers) learnWhole(base string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.whole[base] = true
}

// chunk is what is read of an event: https://platform.openai.com/docs/api-reference/chat-streaming
type chunk struct {
	Model   string
	Choices []struct {
		Index        int
		FinishReason string `json:"finish_reason"`
		Delta        words
	}
	Usage  *usage
	Error  json.RawMessage
	Object string
}

// complaint is a failure that a server reports in the middle of its answer.
type complaint struct{ refusal *modelhttp.Refusal }

func (c *complaint) Error() string { return c.refusal.Text }

// errDone is the end of a stream.
var errDone = errors.New("done")

// streamed is an answer as far as it has come.
type streamed struct {
	completion
	text, refusal strings.Builder
	said          func(string)
	key           string
}

// readStream reads the events of a streamed answer to their end, and tells what was said.
func readStream(resp *http.Response, key string, said func(string)) (*completion, error) {
	defer resp.Body.Close()
	body := &io.LimitedReader{R: resp.Body, N: maxStream}
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxAnswer)
	a := &streamed{said: said, key: key}
	var data []byte
	var err error
	for err == nil && lines.Scan() {
		line := lines.Bytes()
		if value, isData := bytes.CutPrefix(line, []byte("data:")); isData {
			data = append(append(data, value...), '\n')
		}
		switch {
		case len(data) > maxAnswer:
			err = modelhttp.ErrTooLong
		case len(line) == 0:
			err = a.takeEvent(data)
			data = data[:0]
		}
	}
	if err == nil {
		err = a.endStream(data, body.N, lines.Err())
	}
	if err != errDone {
		return nil, err
	}
	return a.whole(), nil
}

// endStream says what the end of a stream means that was not announced.
func (a *streamed) endStream(data []byte, left int64, err error) error {
	switch {
	case errors.Is(err, bufio.ErrTooLong), left <= 0:
		return modelhttp.ErrTooLong
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	}
	if err := a.takeEvent(data); err != nil {
		return err
	}
	if len(a.Choices) > 0 && a.Choices[0].FinishReason != "" {
		return errDone // some servers say no more
	}
	return &modelhttp.BrokenOff{Bytes: a.text.Len()}
}

// takeEvent adds what an event says to the answer.
func (a *streamed) takeEvent(data []byte) error {
	data = bytes.TrimSpace(data)
	switch {
	case len(data) == 0:
		return nil
	case bytes.Equal(data, []byte("[DONE]")):
		return errDone
	}
	var c chunk
	if err := forgiveTypes(json.Unmarshal(data, &c)); err != nil {
		return err
	}
	if c.Object == "error" || len(c.Error) > 0 && string(c.Error) != "null" {
		return &complaint{modelhttp.ReadComplaint(data, a.key)}
	}
	if c.Model != "" {
		a.Model = c.Model
	}
	if c.Usage != nil {
		a.Usage = *c.Usage // of all pieces so far
	}
	for _, piece := range c.Choices {
		if piece.Index == 0 {
			if err := a.addPiece(piece.Delta, piece.FinishReason); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *streamed) addPiece(piece words, finish string) error {
	if len(a.Choices) == 0 {
		a.Choices = make([]choice, 1)
	}
	first := &a.Choices[0]
	if finish != "" {
		first.FinishReason = finish
	}
	if len(piece.ToolCalls) > 0 {
		first.Message.ToolCalls = piece.ToolCalls
	}
	a.refusal.WriteString(piece.Refusal)
	a.text.WriteString(piece.Content)
	switch {
	case a.text.Len()+a.refusal.Len() > maxAnswer:
		return modelhttp.ErrTooLong
	case piece.Content == "" || a.text.Len() > replies.MaxBegun:
		return nil
	}
	a.said(a.text.String())
	return nil
}

// whole is the answer as a server would have given it at once.
func (a *streamed) whole() *completion {
	if len(a.Choices) > 0 {
		a.Choices[0].Message.Content, a.Choices[0].Message.Refusal = a.text.String(), a.refusal.String()
	}
	return &a.completion
}
