package arrival

import (
	"bytes"
	"slices"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// IsClipped reports whether a note says that it was taken from elsewhere, as web clippers
// write it: a source or url with a value, or the tag clippings, in its properties; or an
// inline field source or url, of Logseq and Dataview
// (https://blacksmithgu.github.io/obsidian-dataview/annotation/add-metadata/).
func IsClipped(src []byte) bool {
	return hasClippedProperty(src) || hasSourceField(src)
}

// hasClippedProperty is IsClipped for the properties of a note. Any reading that finds a source counts,
// and where they are no YAML so does whatever looks like one: in doubt somebody else has written the note.
func hasClippedProperty(src []byte) bool {
	lines := note.Properties(src)
	if len(lines) == 0 {
		return false
	}
	if hasClippedLine(lines) {
		return true
	}
	list, ok := note.ReadProperties(src)
	if !ok {
		return slices.ContainsFunc(lines, maybeSource().MatchString)
	}
	for _, p := range slices.Concat(list.All("source"), list.All("url")) {
		if p.IsMap || strings.Join(p.Values, "") != "" {
			return true
		}
	}
	for _, p := range slices.Concat(list.All("tags"), list.All("tag")) {
		if isClippingsTag(strings.Join(p.Values, ",")) {
			return true
		}
	}
	return false
}

// maybeSource is what may name a source in properties that are no YAML, in whatever they say it.
var maybeSource = lazyregexp.New(`(?i)(?:^|[^\pL\pN_-])(?:source|url)["']?\s*:|clippings`)

// hasClippedLine is hasClippedProperty for each key with the lines below it that go on with it.
func hasClippedLine(lines []string) bool {
	for i, line := range lines {
		key, value, ok := strings.Cut(line, ":")
		key = strings.ToLower(strings.Trim(key, "\"' \t"))
		if !ok || line[0] == ' ' || line[0] == '\t' {
			continue
		}
		for n := i + 1; n < len(lines) && continuesProperty(lines[n]); n++ {
			value += "," + lines[n]
		}
		switch key {
		case "source", "url":
			if strings.Trim(value, ", \t\r\n\"'[]") != "" {
				return true
			}
		case "tags", "tag":
			if isClippingsTag(value) {
				return true
			}
		}
	}
	return false
}

// isClippingsTag reports whether one of the tags of a property is clippings, which
// Obsidian Web Clipper gives to what it saves, or lies below it.
func isClippingsTag(tags string) bool {
	for tag := range strings.FieldsFuncSeq(strings.ToLower(tags), func(r rune) bool { return strings.ContainsRune(", \t\r\n[]\"'#", r) }) {
		if top, _, _ := strings.Cut(tag, "/"); top == "clippings" {
			return true
		}
	}
	return false
}

// hasSourceField reports whether an inline field outside code names a source: a line of
// its own, or one in brackets within a line.
func hasSourceField(src []byte) bool {
	if !bytes.Contains(src, []byte("::")) {
		return false
	}
	fence := byte(0)
	for line := range bytes.Lines(src) {
		line = bytes.TrimLeft(line, " \t>*+-")
		if mark := fenceOf(line); mark != 0 && (fence == 0 || fence == mark) {
			fence ^= mark
			continue
		}
		if fence == 0 && bytes.Contains(line, []byte("::")) && namesSource(bytes.ToLower(line)) {
			return true
		}
	}
	return false
}

// fenceOf is the character of a line of code fence, or 0.
func fenceOf(line []byte) byte {
	for _, fence := range []string{"```", "~~~"} {
		if bytes.HasPrefix(line, []byte(fence)) {
			return fence[0]
		}
	}
	return 0
}

// namesSource reports whether a line in lower case is or holds a field with a source.
func namesSource(line []byte) bool {
	for _, key := range []string{"source", "url"} {
		for _, mark := range []string{"", "[", "("} {
			field := []byte(mark + key + "::")
			rest, begins := bytes.CutPrefix(line, field)
			if !begins && mark != "" {
				_, rest, begins = bytes.Cut(line, field)
			}
			if begins && len(bytes.Trim(rest, " \t\r\n])")) > 0 {
				return true
			}
		}
	}
	return false
}

// continuesProperty reports whether a line of properties belongs to the key above it.
func continuesProperty(line string) bool {
	return line != "" && (line[0] == ' ' || line[0] == '\t' || line[0] == '-' && !strings.HasPrefix(line, "---"))
}
