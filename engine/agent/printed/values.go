package printed

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// EachValue calls use for each JSON object and array in a program's output, and for any other value on lines of its
// own. A value begins a line or follows another one directly, and may span several lines; text between values is
// skipped. Arrays are passed whole. The error says that the last value has no end, or that the output has no value.
func EachValue(out []byte, use func(json.RawMessage)) error {
	if bytes.IndexByte(out, 0x1b) >= 0 {
		out = []byte(Plain(string(out)))
	}
	out = bytes.TrimPrefix(out, []byte("\ufeff"))
	budget := 4*len(out) + 64<<10 // of bytes that are looked at: nothing but opening brackets costs as little as any other text
	var problem error = errNoJSON
	for rest := skipBlanks(out); len(rest) > 0 && budget > 0; rest = skipBlanks(rest) {
		if problem != errNoJSON && bytes.IndexByte([]byte(`{["-0123456789tfn`), rest[0]) < 0 {
			_, rest, _ = bytes.Cut(rest, []byte("\n")) // no value, as it can be seen at once
			continue
		}
		value, size, err := readValue(rest)
		budget -= size
		switch {
		case err == nil:
			use(value)
			problem, rest = nil, rest[size:]
		case errors.Is(err, io.ErrUnexpectedEOF):
			return err
		default:
			if problem == errNoJSON {
				problem = err
			}
			_, rest, _ = bytes.Cut(rest, []byte("\n"))
		}
	}
	if budget <= 0 {
		return errNoJSON
	}
	return problem
}

var errNoJSON = errors.New("there is no JSON in it")

// HasNoJSON reports whether what a program has printed holds no object and no array, nor the beginning of one.
func HasNoJSON(out []byte) bool {
	found := false
	err := EachValue(out, func(value json.RawMessage) { found = found || value[0] == '{' || value[0] == '[' })
	return !found && !errors.Is(err, io.ErrUnexpectedEOF)
}

// readValue reads the value that out begins with. size is how much was looked at, and of a value its length.
func readValue(out []byte) (value json.RawMessage, size int, err error) {
	decoder := json.NewDecoder(bytes.NewReader(out))
	err = decoder.Decode(&value)
	size = int(decoder.InputOffset())
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		size = int(wrong.Offset)
	}
	if err != nil || out[0] == '{' || out[0] == '[' {
		return value, size, err
	}
	if line, _, _ := bytes.Cut(out[size:], []byte("\n")); len(bytes.TrimSpace(line)) > 0 {
		return nil, size, errNoJSON // a word or a number that a line of text begins with
	}
	return value, size, nil
}

func skipBlanks(out []byte) []byte { return bytes.TrimLeft(out, " \t\r\n") }

// EachObject calls use for each object of type T in a program's output, those in arrays among them. It skips a last
// object without an end.
func EachObject[T any](out []byte, use func(T)) {
	_ = EachValue(out, func(value json.RawMessage) {
		eachElement(value, func(value json.RawMessage) {
			var object T
			if value[0] == '{' && json.Unmarshal(value, &object) == nil {
				use(object)
			}
		})
	})
}

// eachElement calls use for a value, or for what an array holds.
func eachElement(value json.RawMessage, use func(json.RawMessage)) {
	var elements []json.RawMessage
	if value[0] != '[' || json.Unmarshal(value, &elements) != nil {
		use(value)
		return
	}
	for _, element := range elements {
		eachElement(element, use)
	}
}
