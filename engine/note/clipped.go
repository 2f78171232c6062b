package note

import (
	"bytes"
	"strings"
)

// Clipped reports whether the properties of a note name where it was taken from, as
// web clippers write them: a source or url with a value.
func Clipped(src []byte) bool {
	if !bytes.HasPrefix(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), []byte("---")) {
		return false
	}
	t := newText(src)
	lines, _ := frontMatter(t)
	for i := 1; i < lines-1; i++ {
		key, value, ok := strings.Cut(string(t.line(i)), ":")
		key = strings.ToLower(strings.Trim(key, "\"' \t"))
		if !ok || key != "source" && key != "url" || t.line(i)[0] == ' ' || t.line(i)[0] == '\t' {
			continue
		}
		if strings.Trim(value, " \t\"'[]") != "" || i+1 < lines-1 && continuesProperty(t.line(i+1)) {
			return true
		}
	}
	return false
}

// continuesProperty reports whether a line of properties belongs to the key above it.
func continuesProperty(line []byte) bool {
	return len(line) > 0 && (line[0] == ' ' || line[0] == '\t' || line[0] == '-' && !bytes.HasPrefix(line, []byte("---")))
}
