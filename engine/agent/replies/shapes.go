package replies

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The shapes that are read, with other words for those of the first:
//
//	[{"request":1,"answer":"a"}]    id for request; response or text for answer
//	{"1":"a"}                       "Request 1" for 1
//	{"1":{"answer":"a"}}
//	["a"]                           in the order of the requests; under responses alone
//	[{"1":"a"}]
//	{"request":1,"answer":"a"}
//
// Each may be the value of "responses". Without that word each may be one of several values on lines of their own
// (JSON lines), which are read as one list. A number may be 1, 1.0, "1", "#1", "Request 1" or the words before its
// request in the prompt.

// An entry is one answer and the request it names, neither of them checked.
type entry struct {
	number string
	answer json.RawMessage
	placed bool // its number is its place in a list
}

// words are the fields of an entry that is an object. Decoding takes them in any case.
type words struct{ Request, ID, Answer, Response, Text json.RawMessage }

// number returns the number of the request. An entry may quote the question too.
func (w words) number() string {
	for _, raw := range []json.RawMessage{w.Request, w.ID} {
		if text := plainText(raw); readNumber(text) >= 0 {
			return text
		}
	}
	return ""
}

func (w words) answer() json.RawMessage {
	for _, raw := range []json.RawMessage{w.Answer, w.Response, w.Text} {
		if raw != nil {
			return raw
		}
	}
	return nil
}

var errNoNumber = errors.New("the reply has an entry without the number of its request")

// readShape returns the entries of valid JSON, which is a list or an object.
func readShape(raw json.RawMessage) ([]entry, error) {
	if raw[0] == '{' {
		return readObject(raw)
	}
	var items []json.RawMessage
	if raw[0] != '[' || json.Unmarshal(raw, &items) != nil {
		return nil, errors.New("the reply's responses are not a list")
	}
	var entries []entry
	for i, item := range items {
		switch item[0] {
		case '{':
			more, err := readObject(item)
			if err != nil {
				return nil, err
			}
			entries = append(entries, more...)
		case '"':
			entries = append(entries, entry{strconv.Itoa(i + 1), item, true})
		default:
			return nil, errors.New("the reply has an entry that is not an object with request and answer")
		}
	}
	return entries, nil
}

// readObject reads an entry, or answers by the numbers of their requests.
func readObject(raw json.RawMessage) ([]entry, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.Token() // the bracket; the JSON is valid
	var entries []entry
	for decoder.More() {
		key, _ := decoder.Token()
		name, _ := key.(string)
		e := entry{number: name}
		if err := decoder.Decode(&e.answer); err != nil || readNumber(name) < 0 {
			return readEntry(raw)
		}
		if e.answer[0] == '{' {
			var w words
			_ = json.Unmarshal(e.answer, &w) // valid JSON
			if n := w.number(); n != "" && readNumber(n) != readNumber(name) {
				return nil, fmt.Errorf("the reply has an answer to request %d under the number %d", readNumber(n), readNumber(name))
			}
			if inner := w.answer(); inner != nil {
				e.answer = inner
			}
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func readEntry(raw json.RawMessage) ([]entry, error) {
	var w words
	_ = json.Unmarshal(raw, &w) // valid JSON
	number := w.number()
	if number == "" {
		return nil, errNoNumber
	}
	return []entry{{number: number, answer: w.answer()}}, nil
}

// plainText returns the text of a string, and the JSON of any other value.
func plainText(raw json.RawMessage) string {
	text := string(raw)
	if strings.HasPrefix(text, `"`) {
		_ = json.Unmarshal(raw, &text) // valid JSON
	}
	return text
}

var numberForm = lazily(`(?i)^\[?(?:request[\s_]*[#-]?|#)?\s*(\d{1,9})(?:\.0*)?\]?\s*(?:\(line \d+\))?:?$`)

// readNumber returns the number of a request; -1 without one.
func readNumber(text string) int {
	found := numberForm().FindStringSubmatch(strings.TrimSpace(text))
	if found == nil {
		return -1
	}
	i, _ := strconv.Atoi(found[1]) // at most nine digits
	return i
}

// collectAnswers returns the answers in the order of the n requests: one for each.
func collectAnswers(entries []entry, n int) ([]string, error) {
	answers, seen := make([]string, n), make([]bool, n)
	for _, e := range entries {
		i := readNumber(e.number)
		switch {
		case i < 1 || i > n:
			return nil, fmt.Errorf("the reply answers request %d, but the requests are 1 to %d", i, n)
		case seen[i-1]:
			return nil, fmt.Errorf("the reply answers request %d twice", i)
		}
		seen[i-1] = true
		var err error
		if answers[i-1], err = answerText(i, e.answer); err != nil {
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
