package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxReply bounds the text ParseReply looks at; no runner brings more.
const maxReply = 16 << 20

// Schema is the form of a reply to several requests as a JSON schema, strict
// enough for every program and server that takes one: no other properties, and
// all of them required.
const Schema = `{"type":"object","properties":{"responses":{"type":"array","items":{"type":"object",` +
	`"properties":{"request":{"type":"integer"},"answer":{"type":"string"}},` +
	`"required":["request","answer"],"additionalProperties":false}}},` +
	`"required":["responses"],"additionalProperties":false}`

// ParseReply reads the reply to a task of n requests and returns the answer to
// request i at index i-1: exactly n of them, none empty.
//
// Several requests are answered by the JSON document the prompt asks for,
//
//	{"responses":[{"request":1,"answer":"..."}]}
//
// and every request must be answered once. The form may be off in ways that
// leave no doubt about the meaning: a byte order mark, a code fence or prose
// around it, another object around it, the bare list, numbers as strings, a
// trailing comma, raw line ends or stray backslashes in a string. When a reply
// holds several documents the last valid one counts, for agents think first.
//
// One request is answered by plain text. A document is taken for the answer only
// when it is the reply: on lines of its own, with at most a line of talk before
// and after it. A text that quotes one on its way stays whole.
//
// The error is one sentence for a person, without a full stop.
func ParseReply(text string, n int) ([]string, error) {
	if n < 1 {
		return nil, fmt.Errorf("a reply to %d requests cannot be read", n)
	}
	if len(text) > maxReply {
		return nil, fmt.Errorf("the reply is larger than %d MiB", maxReply>>20)
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	if Blank(text) {
		return nil, errors.New("the reply is empty")
	}
	docs := findDocuments(text)
	if n == 1 {
		return parseOne(text, docs)
	}
	return chooseAnswers(docs, n)
}

// parseOne tells a document that is the reply from text that mentions one.
func parseOne(text string, docs []document) ([]string, error) {
	var whole []document
	for _, d := range docs {
		before, after := text[:d.start], text[d.end:]
		line, _, _ := strings.Cut(after, "\n")
		alone := Blank(before[strings.LastIndexByte(before, '\n')+1:]) && Blank(line)
		if alone && countLines(before) <= 1 && countLines(after) <= 1 {
			whole = append(whole, d)
		}
	}
	if len(whole) > 0 {
		return chooseAnswers(whole, 1)
	}
	return []string{trimReply(text)}, nil
}

// trimReply returns text without byte order mark, leading blank lines and trailing
// space. The indentation of the first line stays: it may be markdown.
func trimReply(text string) string {
	text = strings.TrimRight(strings.TrimLeft(text, "\ufeff"), " \t\r\n")
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || !Blank(line) {
			return text
		}
		text = rest
	}
}

// countLines counts the lines that say something: neither blank nor the edge of a
// code fence.
func countLines(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !Blank(line) && !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "~~~") {
			n++
		}
	}
	return n
}

// chooseAnswers returns the answers of the last valid document. One that was cut off
// behind it wins all the same: what stands before a half reply was not meant
// as the reply. The error is the last document's.
func chooseAnswers(docs []document, n int) ([]string, error) {
	err := fmt.Errorf("the reply holds no JSON object with the answers to the %d requests", n)
	for i := len(docs) - 1; i >= 0; i-- {
		answers, problem := docs[i].readAnswers(n)
		if problem == nil {
			return answers, nil
		}
		if i == len(docs)-1 {
			err = problem
		}
		if errors.Is(problem, errCut) {
			break
		}
	}
	return nil, err
}

// readAnswers validates a document for n requests.
func (d document) readAnswers(n int) ([]string, error) {
	if d.err != nil {
		return nil, d.err
	}
	answers, seen := make([]string, n), make([]bool, n)
	for _, raw := range d.entries {
		var e struct{ Request, Answer json.RawMessage }
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, errors.New("the reply has an entry that is not an object with request and answer")
		}
		i, err := requestNumber(e.Request)
		switch {
		case err != nil:
			return nil, err
		case i < 1 || i > n:
			return nil, fmt.Errorf("the reply answers request %d, but the requests are 1 to %d", i, n)
		case seen[i-1]:
			return nil, fmt.Errorf("the reply answers request %d twice", i)
		}
		seen[i-1] = true
		if answers[i-1], err = answerText(i, e.Answer); err != nil {
			return nil, err
		}
	}
	for i, ok := range seen {
		if !ok {
			return nil, fmt.Errorf("the reply holds no answer to request %d", i+1)
		}
	}
	return answers, nil
}

// requestNumber reads 1 and "1".
func requestNumber(raw json.RawMessage) (int, error) {
	digits := string(raw)
	if strings.HasPrefix(digits, `"`) {
		if err := json.Unmarshal(raw, &digits); err != nil {
			return 0, fmt.Errorf("reading the number of a request: %w", err)
		}
	}
	i, err := strconv.Atoi(strings.TrimSpace(digits))
	if err != nil {
		return 0, errors.New("the reply has an entry without the number of its request")
	}
	return i, nil
}

func answerText(i int, raw json.RawMessage) (string, error) {
	var answer *string
	if err := json.Unmarshal(raw, &answer); len(raw) > 0 && err != nil {
		return "", fmt.Errorf("the reply's answer to request %d is not text", i)
	}
	if answer == nil || Blank(*answer) {
		return "", fmt.Errorf("the reply's answer to request %d is empty", i)
	}
	return *answer, nil
}
