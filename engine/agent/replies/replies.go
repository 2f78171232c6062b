// Package replies reads what an agent has replied: one answer for each request, or
// one sentence that says what is wrong. It is pure text.
//
// Callers need [Read], which is [Parse] without what a model says to itself; [Schema] is the form that a program or
// server may be held to.
//
// # Promises
//
// A reply is read whole or not at all: no request without an answer, none with two.
//
// An unasked form is read if it has one clear meaning; shapes.go has the table. It has to map every request once and,
// unless it is the document that the prompt asks for, it has to be the whole reply.
//
// Backslashes that an agent forgot to escape (\frac, C:\new) stay backslashes, and an
// answer that was escaped as JSON has it comes through byte for byte; literal.go has
// the rule.
//
// The thoughts of a model are not part of its answer, and alone they are not an answer ([IsThought]); thoughts.go has
// the marks. An answer about such marks is returned byte for byte.
package replies

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxReply bounds the text Parse looks at; no runner brings more.
const maxReply = 16 << 20

// Schema is the form of a reply to several requests as a JSON schema, strict
// enough for every program and server that takes one: no other properties, and
// all of them required.
const Schema = `{"type":"object","properties":{"responses":{"type":"array","items":{"type":"object",` +
	`"properties":{"request":{"type":"integer"},"answer":{"type":"string"}},` +
	`"required":["request","answer"],"additionalProperties":false}}},` +
	`"required":["responses"],"additionalProperties":false}`

// Parse reads the reply to a task of n requests and returns the answer to
// request i at index i-1: exactly n of them, none empty.
//
// Several requests are answered by the JSON document the prompt asks for,
//
//	{"responses":[{"request":1,"answer":"..."}]}
//
// and every request must be answered once. The form may be off in ways that
// leave no doubt about the meaning: a byte order mark, a code fence or prose
// around it, another object around it, the bare list, numbers as strings, a
// trailing comma, raw line ends or stray backslashes in a string, or another of the
// shapes. When a reply holds several documents the last valid one counts, for agents
// think first.
//
// One request is answered by plain text. A document is taken for the answer only when it is the reply: on lines of
// its own, with at most a line of talk before and after it. A text that quotes a document is returned whole.
//
// The error is one sentence for a person, without a full stop.
func Parse(text string, n int) ([]string, error) {
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
	if len(docs) == 0 {
		if answers := parseOtherShape(text, n); answers != nil {
			return answers, nil
		}
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

// parseOtherShape reads a reply that is, but for a line of talk before and after it, JSON
// of another shape than the document: one value, or several on lines of their own. It
// returns nil unless that maps each of the n requests to one answer.
func parseOtherShape(text string, n int) []string {
	var entries []entry
	start := findValue(text)
	if start < 0 || countLines(text[:start]) > 1 {
		return nil
	}
	rest := text[start:]
	for rest != "" && (rest[0] == '{' || rest[0] == '[') {
		size, err := measureJSON(rest)
		raw := mendJSON(rest[:size])
		if err != nil || !json.Valid(raw) {
			return nil
		}
		more, err := readShape(raw)
		if err != nil || slices.ContainsFunc(more, func(e entry) bool { return e.placed }) {
			return nil
		}
		entries, rest = append(entries, more...), strings.TrimLeft(rest[size:], " \t\r\n")
	}
	answers, err := collectAnswers(entries, n)
	if err != nil || countLines(rest) > 1 {
		return nil
	}
	return answers
}

// findValue returns where the first line begins that begins with a bracket, or -1.
func findValue(text string) int {
	at := 0
	for line := range strings.Lines(text) {
		if said := strings.TrimLeft(line, "\ufeff \t"); strings.HasPrefix(said, "{") || strings.HasPrefix(said, "[") {
			return at + len(line) - len(said)
		}
		at += len(line)
	}
	return -1
}

// trimReply returns text without byte order mark, leading blank lines and trailing space. It keeps the indentation of
// the first line, which may be markdown.
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

// chooseAnswers returns the answers of the last valid document. A cut document behind it is an error all the same:
// text before half a reply was not meant as the reply. The error is the last document's.
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
	entries, err := readShape(d.value)
	if err != nil {
		return nil, err
	}
	return collectAnswers(entries, n)
}
