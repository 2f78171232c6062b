package replies

import (
	"slices"
	"strings"
)

// findPaths marks the paths of Windows: behind a drive names and single backslashes.
func (b backslashes) findPaths() {
	var before, drive int // where the two things before i begin
	for i := 0; i < len(b.body); i += b.width(i) {
		if b.body[i] == ':' && i > 0 && drive == i-1 && b.isLetter(drive) {
			end, seps := b.readPath(i + 1)
			if b.isPath(before, drive, end, seps) {
				for at := i; at < end; at++ {
					b.places[at] |= inPath
				}
			}
		}
		before, drive = drive, i
	}
}

// spaced are the names of system folders that hold a space, cut at the first.
var spaced = []string{"Program Files (x86)", "Program Files", "Documents and Settings"}

// readPath returns where the path ends whose first backslash is at start, and what follows
// its backslashes. A name that is only an escape, and a full stop at the end of one, end it.
func (b backslashes) readPath(start int) (end int, seps string) {
	for end = start; strings.HasPrefix(b.body[end:], `\`); {
		next := end + 1
		if i := slices.IndexFunc(spaced, func(name string) bool { return strings.HasPrefix(b.body[next:], name) }); i >= 0 {
			next += len(spaced[i])
		}
		for next < len(b.body) && isOfPath(b.body[next]) {
			next++
		}
		isEscaped := isEscape(b.body[end:])
		if next == end+1 || isEscaped && (next == end+2 || b.body[end+1] == 'u') {
			break
		}
		seps += b.body[end+1 : end+2]
		if end = next; b.body[end-1] == '.' {
			break
		}
	}
	return end, seps
}

func isOfPath(c byte) bool {
	return c >= 0x80 || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || isOneOf(c, "._-~+%@&")
}

// fileName matches a path that ends in one.
var fileName = lazily(`\.[A-Za-z0-9]{1,5}\.?$`)

// isPath tells a path from a label with a line end or a tab behind it, and from the
// language C. before is where the thing before the drive begins.
func (b backslashes) isPath(before, drive, end int, seps string) bool {
	isFirst := drive == 0
	isNewLine := !isFirst && b.isWhite(before)
	switch {
	case seps == "" || !isFirst && !isNewLine && isOfPath(b.body[drive-1]):
		return false
	case strings.Trim(seps, "ntr") != "": // no escapes, or none that an answer wants
		return true
	case isOneOf(b.body[drive], "aAbB") || strings.HasPrefix(b.body[end:], ":"):
		return false
	case strings.Trim(seps, "n") != "": // tabs are rare in answers
		return !isNewLine || len(seps) > 1
	case isFirst:
		return end == len(b.body)
	case len(seps) > 1 && (b.hasSlip || !isNewLine && fileName().MatchString(b.body[drive:end])):
		return true
	}
	return !isNewLine && isOneOf(b.body[drive-1], "`'\"") && strings.HasPrefix(strings.TrimPrefix(b.body[end:], `\`), b.body[drive-1:drive])
}
