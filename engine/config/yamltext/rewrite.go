package yamltext

import (
	"bytes"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

const byteOrderMark = "\ufeff"

// Normalize removes the byte order mark and the line ends of Windows.
func Normalize(text []byte) []byte {
	return bytes.ReplaceAll(bytes.TrimPrefix(text, []byte(byteOrderMark)), []byte("\r\n"), []byte("\n"))
}

// RestoreForm gives a text the byte order mark of a file, and the line ends of most of
// its lines.
func RestoreForm(file, text []byte) []byte {
	if 2*bytes.Count(file, []byte("\r\n")) > bytes.Count(file, []byte("\n")) {
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	if bytes.HasPrefix(file, []byte(byteOrderMark)) {
		text = append([]byte(byteOrderMark), text...)
	}
	return text
}

// Rewrite applies a change to a text and keeps empty lines where possible.
func Rewrite(data []byte, change func([]byte) ([]byte, error)) ([]byte, error) {
	plain, err := change(data)
	if err != nil {
		return nil, err
	}
	if spaced, err := change(markEmptyLines(data)); err == nil {
		if spaced = removeMarks(spaced); sameMeaning(spaced, plain) {
			return spaced, nil
		}
	}
	return plain, nil
}

// The YAML library drops empty lines but keeps comments (measured by TestEdit of engine/config), so
// each empty line becomes a comment for the time of the edit.
const emptyLine = "#=empty="

var (
	emptyLines = regexp.MustCompile(`(?m)^[ \t]*` + emptyLine + `$`)
	someSpace  = regexp.MustCompile(`^[ \t]*`)
)

func markEmptyLines(data []byte) []byte {
	lines := strings.SplitAfter(string(data), "\n")
	indent := ""
	for i, line := range slices.Backward(lines) {
		switch {
		case strings.TrimSpace(line) != "":
			indent = someSpace.FindString(line)
		case strings.HasSuffix(line, "\n"):
			lines[i] = indent + emptyLine + "\n"
		}
	}
	return []byte(strings.Join(lines, ""))
}

func removeMarks(data []byte) []byte { return emptyLines.ReplaceAll(data, nil) }

func sameMeaning(a, b []byte) bool {
	var one, other any
	return yaml.Unmarshal(a, &one) == nil && yaml.Unmarshal(b, &other) == nil && reflect.DeepEqual(one, other)
}
