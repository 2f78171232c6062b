// Package origin says whether a note says of itself that it was taken from elsewhere ([IsClipped]). It is pure text.
package origin

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
func IsClipped(page *note.Page) bool {
	return hasClippedProperty(page) || hasSourceField(page.Text)
}

// hasClippedProperty is IsClipped for the properties of a note. Any reading that finds a source counts. If they are
// not YAML, a line that looks like a source counts too: in doubt another person has written the note.
func hasClippedProperty(page *note.Page) bool {
	lines := note.Properties(page.Text)
	if !slices.ContainsFunc(lines, mayTell().MatchString) {
		return false
	}
	if hasClippedLine(lines) {
		return true
	}
	list, ok := page.Properties()
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

// mayTell is in each line that says where a note comes from; a backslash may stand for any letter.
var mayTell = lazyregexp.New(`(?i)source|url|clippings|\\`)

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
		switch key {
		case "source", "url":
			if value = joinProperty(value, lines[i+1:]); strings.Trim(value, ", \t\r\n\"'[]") != "" {
				return true
			}
		case "tags", "tag":
			if isClippingsTag(joinProperty(value, lines[i+1:])) {
				return true
			}
		}
	}
	return false
}

// joinProperty is a value with the lines below its key that go on with it, behind commas.
func joinProperty(value string, below []string) string {
	n := slices.IndexFunc(below, func(line string) bool { return !continuesProperty(line) })
	if n < 0 {
		n = len(below)
	}
	return strings.Join(append([]string{value}, below[:n]...), ",")
}

// isClippingsTag reports whether one of the tags of a property is clippings, which Obsidian Web Clipper gives to the
// notes that it saves, or a tag below it.
func isClippingsTag(tags string) bool {
	for tag := range strings.FieldsFuncSeq(strings.ToLower(tags), func(r rune) bool { return strings.ContainsRune(", \t\r\n[]\"'#", r) }) {
		if top, _, _ := strings.Cut(tag, "/"); top == clippings {
			return true
		}
	}
	return false
}

// hasSourceField reports whether the text of a note outside code says where it comes from: an inline field
// source or url, as a line of its own or in brackets within a line; or the tag clippings, as #clippings or in a
// field tags (https://docs.logseq.com/#/page/properties).
func hasSourceField(src []byte) bool {
	if !maybeSourceField(src) {
		return false
	}
	fence := byte(0)
	for line := range bytes.Lines(src) {
		if mark := fenceOf(bytes.TrimLeft(line, " \t>*+-")); mark != 0 && (fence == 0 || fence == mark) {
			fence ^= mark
			continue
		}
		if fence == 0 && maybeSourceField(line) && namesSource(line) {
			return true
		}
	}
	return false
}

// maybeSourceField reports, at little cost, whether a text may hold what [namesSource] looks for.
func maybeSourceField(text []byte) bool {
	if bytes.Contains(text, []byte("::")) {
		return true
	}
	for at := bytes.IndexByte(text, '#'); at >= 0; at = bytes.IndexByte(text, '#') {
		text = text[at+1:]
		if len(text) >= len(clippings) && strings.EqualFold(string(text[:len(clippings)]), clippings) {
			return true
		}
	}
	return false
}

// clippings is the tag of what a clipper saves.
const clippings = "clippings"

// fenceOf is the character of a line of code fence, or 0.
func fenceOf(line []byte) byte {
	for _, fence := range []string{"```", "~~~"} {
		if bytes.HasPrefix(line, []byte(fence)) {
			return fence[0]
		}
	}
	return 0
}

var (
	// codeSpan is code within a line. A tag in it does not count; Dataview reads fields there as well.
	codeSpan = lazyregexp.New("``[^\n]*?``|`[^`\n]*`")

	// ownField and inField are a field with a value, at the beginning of a line, behind the marks of quotes, lists,
	// numbers and tasks, and in brackets. Dataview takes off what makes a key bold or the like.
	ownField = lazyregexp.New(`(?i)^(?:[ \t>*+-]|[0-9]{1,9}[.)][ \t]|\[.\][ \t])*[*_~]*(source|url|tags?)[*_~]*[ \t]*::[*_~]*([^\r\n]*)`)
	inField  = lazyregexp.New(`(?i)[\[(][ \t]*[*_~]*(source|url|tags?)[*_~]*[ \t]*::[*_~]*([^\])\r\n]*(?:\]\][^\])\r\n]*)*)`)

	// bodyTag is the tag in the text (https://help.obsidian.md/tags).
	bodyTag = lazyregexp.New(`(?i)(?:^|[\s>])#clippings(?:$|[^\pL\pN_-])`)
)

// namesSource reports whether a line has a field with a source, or the tag clippings.
func namesSource(line []byte) bool {
	if bodyTag().Match(codeSpan().ReplaceAll(line, []byte("`"))) {
		return true
	}
	for _, m := range append(inField().FindAllSubmatch(line, -1), ownField().FindSubmatch(line)) {
		if m == nil {
			continue
		}
		value := strings.Trim(string(m[2]), " \t\r\n])")
		if m[1][0]|0x20 == 't' { // tag or tags
			if isClippingsTag(value) {
				return true
			}
		} else if value != "" {
			return true
		}
	}
	return false
}

// continuesProperty reports whether a line of properties belongs to the key above it.
func continuesProperty(line string) bool {
	return line != "" && (line[0] == ' ' || line[0] == '\t' || line[0] == '-' && !strings.HasPrefix(line, "---"))
}
