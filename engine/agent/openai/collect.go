package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/modelhttp"
)

// maxStream limits the bytes of a streamed answer, with the wrapping of some hundred bytes around each piece. The
// wrapping is not kept.
const maxStream = 8 * maxAnswer

// collected is an answer as far as it has come.
type collected struct {
	reply                   agent.Completion
	text, thoughts, refusal strings.Builder
	listener                func(string) // nil = no listener
	key                     string
	isPieces                bool   // it comes in pieces
	hasChoices              bool   // some of it is an answer
	foreign                 []byte // the first value that is not part of an answer
	isEnded                 bool   // the protocol's own end has come
}

// collect reads an answer, as JSON or as a stream of events: its first letter tells which, whatever its type is called.
// The error says why nothing of it counts; an answer that was broken off is no error.
func (a *collected) collect(resp *http.Response) error {
	defer resp.Body.Close()
	limited := &io.LimitedReader{R: resp.Body, N: maxStream}
	body := bufio.NewReader(limited)
	first, err := peekLetter(body)
	switch {
	case err != nil: // nothing was said
	case first == '{' || first == '[':
		err = a.readValues(io.LimitReader(body, maxAnswer+1), true)
	case first == '<':
		return &garbled{fmt.Sprintf("answers with %q where JSON was asked for", resp.Header.Get("Content-Type"))}
	default:
		err = a.readEvents(body)
	}
	if limited.N <= 0 || errors.Is(err, bufio.ErrTooLong) {
		return modelhttp.ErrTooLong
	}
	if errors.Is(err, modelhttp.ErrTooLong) || isGarbled(err) {
		return err
	}
	if err != io.EOF {
		a.reply.Cause = err
	}
	return nil
}

// peekLetter returns the first byte that says something, behind a byte order mark and space, and leaves it to be read.
func peekLetter(body *bufio.Reader) (byte, error) {
	if mark, _ := body.Peek(1); len(mark) == 1 && mark[0] == 0xef {
		_, _ = body.Discard(len("\ufeff"))
	}
	for {
		c, err := body.ReadByte()
		if err != nil || !strings.ContainsRune(" \t\r\n", rune(c)) {
			_ = body.UnreadByte()
			return c, err
		}
	}
}

// readValues takes the JSON values of a text, one after the other, up to one that cannot be read. A single one that is
// all of an answer has an end by being whole.
func (a *collected) readValues(text io.Reader, isAnswer bool) error {
	counted := &countingReader{r: text}
	values := json.NewDecoder(counted)
	for n := 0; ; n++ {
		var value json.RawMessage
		err := values.Decode(&value)
		if counted.n > maxAnswer {
			return modelhttp.ErrTooLong
		}
		if err != nil {
			_, isBent := errors.AsType[*json.SyntaxError](err)
			a.isEnded = a.isEnded || isAnswer && n == 1 && !a.isPieces && !isBent
			return err
		}
		if err := a.takeChunk(value); err != nil {
			return err
		}
	}
}

// countingReader counts what was read.
type countingReader struct {
	r io.Reader
	n int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

// readEvents takes the events of a stream up to its end (https://html.spec.whatwg.org/multipage/server-sent-events.html).
func (a *collected) readEvents(body io.Reader) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxAnswer)
	lines.Split(splitLines())
	var e event
	isStream := false
	for !a.isEnded && lines.Scan() {
		known := e.addLine(lines.Bytes())
		isStream = isStream || known
		switch {
		case !isStream:
			return &garbled{"answers with neither JSON nor a stream"}
		case len(e.data) > maxAnswer:
			return modelhttp.ErrTooLong
		case len(lines.Bytes()) == 0:
			if err := a.takeEvent(e); err != nil {
				return err
			}
			e = event{}
		}
	}
	if err := lines.Err(); err != nil {
		return errors.Join(err, a.takeEvent(e))
	}
	return a.takeEvent(e)
}

// splitLines cuts at every end of a line there is: CR LF, LF, and CR alone, behind which nothing is waited for.
func splitLines() bufio.SplitFunc {
	wasCR := false
	return func(data []byte, atEOF bool) (int, []byte, error) {
		skip := 0
		if wasCR && len(data) > 0 {
			if wasCR = false; data[0] == '\n' {
				skip = 1
			}
		}
		end := bytes.IndexAny(data[skip:], "\r\n")
		if end >= 0 {
			wasCR = data[skip+end] == '\r'
			return skip + end + 1, data[skip : skip+end], nil
		}
		if atEOF && len(data) > skip {
			return len(data), data[skip:], nil
		}
		return skip, nil, nil
	}
}

// event is an event of a stream as far as it was read.
type event struct {
	name string
	data []byte
}

// addLine adds a line and reports whether streams have such lines. No JSON begins a line with a colon: that is the comment of
// another stream, which a gateway has wrapped (https://github.com/mnfst/llm-gateway/issues/2053).
func (e *event) addLine(line []byte) bool {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		if !bytes.HasPrefix(value, []byte(":")) {
			e.data = append(append(e.data, value...), '\n')
		}
	case "error": // https://github.com/ggml-org/llama.cpp/pull/16104
		e.name, e.data = "error", append(append(e.data, value...), '\n')
	case "event":
		e.name = string(value)
	case "", "id", "retry":
	default:
		return false
	}
	return true
}

// takeEvent adds an event to the answer. Its data is empty, an end, or JSON; some servers forget the blank line
// behind JSON.
func (a *collected) takeEvent(e event) error {
	data := bytes.TrimSpace(e.data)
	data, isDone := bytes.CutSuffix(data, []byte("[DONE]"))
	if e.name == "error" && len(data) > 0 {
		a.refuse(data)
	}
	err := a.readValues(bytes.NewReader(data), false)
	if err != io.EOF {
		return err
	}
	a.isEnded = a.isEnded || isDone
	return nil
}

// takeChunk adds what a JSON value says to the answer. A list is read as its items, as some servers wrap a failure.
func (a *collected) takeChunk(data []byte) error {
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil {
		for _, one := range list {
			if err := a.takeChunk(one); err != nil {
				return err
			}
		}
		return nil
	}
	var c chunk
	if err := forgiveTypes(json.Unmarshal(data, &c)); err != nil {
		return err
	}
	if c.Object == "error" || isSet(c.Error) || isSet(c.Told) {
		a.refuse(data)
	}
	if c.Model != "" {
		a.reply.Usage.Model = c.Model
	}
	if c.Usage != nil { // of all pieces so far; some routers report the price as well
		a.reply.Usage.Input, a.reply.Usage.Output = c.Usage.PromptTokens, c.Usage.CompletionTokens
		a.reply.Usage.Cost, _ = strconv.ParseFloat(string(c.Usage.Cost), 64) // no number: not known
	}
	if a.hasChoices = a.hasChoices || len(c.Choices) > 0; !a.hasChoices && a.foreign == nil {
		a.foreign = bytes.Clone(data)
	}
	for _, one := range c.Choices {
		if one.Index == 0 {
			if err := a.takeChoice(one); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeChoice adds a piece, or all that was said where no piece came before.
func (a *collected) takeChoice(c choice) error {
	if isSet(c.Error) {
		a.refuse([]byte(`{"error":` + string(c.Error) + `}`))
	}
	piece := c.Delta
	a.isPieces = a.isPieces || piece != nil
	if c.Message != nil && a.text.Len() == 0 && (piece == nil || piece.Content == parts{}) {
		piece = c.Message
	}
	if strings.Contains(string(c.Native), "error") {
		c.FinishReason = c.Native
	}
	if c.FinishReason != "" && (a.reply.Word == "" || a.reply.End == endings.Good) { // a cut answer remains cut, whatever comes behind it
		a.reply.Word, a.reply.End = string(c.FinishReason), ends.Find(string(c.FinishReason))
	}
	if piece == nil {
		return nil
	}
	a.reply.Tools = a.reply.Tools || len(piece.ToolCalls) > 0 || isSet(piece.Function)
	a.refusal.WriteString(piece.Refusal.all())
	a.thoughts.WriteString(piece.thoughts())
	a.text.WriteString(piece.Content.text)
	switch {
	case a.text.Len()+a.refusal.Len()+a.thoughts.Len() > maxAnswer:
		return modelhttp.ErrTooLong
	case a.listener != nil && piece == c.Delta && piece.Content.text != "" && a.text.Len() <= replies.MaxBegun:
		a.listener(a.text.String())
	}
	return nil
}

// completion is what has come back. Where the server has no word for the end of its answers, the protocol's own end counts.
func (a *collected) completion() *agent.Completion {
	if a.reply.Refusal == nil && !a.hasChoices {
		a.refuseOther()
	}
	if a.reply.Word == "" && a.isEnded {
		a.reply.End = endings.Good
	}
	a.reply.Text, a.reply.Thoughts, a.reply.Declined = a.text.String(), a.thoughts.String(), a.refusal.String()
	return &a.reply
}
