package replies

import (
	"encoding/json"
	"errors"
	"strings"
)

// searchBudget bounds the bytes findDocuments walks over in all, so that a
// reply of nothing but opening brackets costs as little as any other.
const searchBudget = 2 * maxReply

// maxDepth is more nesting than any reply needs and less than encoding/json
// gives up at.
const maxDepth = 1000

var (
	errCut    = errors.New("the reply ends in the middle of its JSON")
	errBroken = errors.New("the reply's JSON is not valid")
)

// A document is a place in a reply that is, or begins as, the JSON object with
// the answers.
type document struct {
	start, end int
	value      json.RawMessage // the value of "responses", or the bare list
	err        error           // why it cannot be read; nil when the value is valid JSON
}

// findDocuments returns the documents of a reply from left to right. No document is inside another: a document that
// an answer quotes is text.
func findDocuments(text string) []document {
	var docs []document
	budget := searchBudget
	for i := 0; budget > 0; {
		at := strings.IndexAny(text[i:], "{[")
		if at < 0 {
			break
		}
		i += at
		if !looksLikeJSON(text[i:]) {
			i++
			continue
		}
		size, err := measureJSON(text[i:])
		budget -= size
		d := document{start: i, end: i + size, err: err}
		if err == nil {
			d.value, d.err = decodeDocument(text[i : i+size])
		}
		switch {
		case d.err == nil && d.value != nil:
			docs, i = append(docs, d), d.end
			continue
		case d.err != nil && beginsWithAnswers(text[i:]):
			docs = append(docs, d)
		}
		i++
	}
	return docs
}

// looksLikeJSON is the cheap look that spares most braces of prose and code the walk.
func looksLikeJSON(text string) bool {
	rest := strings.TrimLeft(text[1:], " \t\r\n")
	return strings.HasPrefix(rest, `"`) || text[0] == '[' && strings.HasPrefix(rest, "{")
}

// beginsWithAnswers reports whether text starts like the document with the answers, so
// that its errors are worth telling.
func beginsWithAnswers(text string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text[1:], " \t\r\n"), `"responses"`)
	return ok && text[0] == '{' && (rest == "" || strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), ":"))
}

// measureJSON returns the length of the JSON value that text begins with, going by its
// brackets and strings alone.
func measureJSON(text string) (int, error) {
	var closers []byte
	inString := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case len(closers) > maxDepth:
			return i + 1, errBroken
		case c == '{':
			closers = append(closers, '}')
		case c == '[':
			closers = append(closers, ']')
		case c == '}' || c == ']':
			last := len(closers) - 1
			if closers[last] != c {
				return i + 1, errBroken
			}
			if closers = closers[:last]; last == 0 {
				return i + 1, nil
			}
		case c == '`' || c == ';' || c == '<': // code or prose: no JSON has them here
			return i + 1, errBroken
		}
	}
	return len(text), errCut
}

// decodeDocument returns the answers of a document, which are JSON of any shape, or the
// bare list; nil and no error when the value is valid JSON of another kind.
func decodeDocument(text string) (json.RawMessage, error) {
	raw := mendJSON(text)
	if !json.Valid(raw) {
		return nil, errBroken
	}
	if raw[0] == '[' {
		return decodeList(raw)
	}
	var fields struct{ Responses json.RawMessage }
	if err := json.Unmarshal(raw, &fields); err != nil || fields.Responses == nil {
		return nil, err
	}
	return fields.Responses, nil
}

// decodeList accepts the bare list if its first entry names its request; any other list is part of the prose.
func decodeList(raw []byte) (json.RawMessage, error) {
	var entries []json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, err
	}
	var first struct{ Request, Answer json.RawMessage }
	if err := json.Unmarshal(entries[0], &first); err != nil || first.Request == nil || first.Answer == nil {
		return nil, nil
	}
	return raw, nil
}
