package part

import (
	"slices"
	"strconv"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// hunk is one change of a diff.
type hunk struct {
	line     int // line of the text, from 0
	old, new []string
}

var hunkHead = lazyregexp.New(`^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@`)

// readDiff reads a unified diff; isDiff is false for any other reply.
func readDiff(reply string) (hunks []hunk, isDiff bool, err error) {
	var olds, news int // that the head of the last hunk promises
	full := func() bool {
		return len(hunks) == 0 || len(hunks[len(hunks)-1].old) >= olds && len(hunks[len(hunks)-1].new) >= news
	}
	for i, line := range strings.Split(reply, "\n") {
		if m := hunkHead().FindStringSubmatch(line); m != nil {
			if !full() {
				return nil, true, errBroken
			}
			at, _ := strconv.Atoi(m[1])
			if olds, news = count(m[2]), count(m[3]); olds > 0 {
				at--
			}
			hunks = append(hunks, hunk{line: at})
			continue
		}
		if len(hunks) == 0 {
			if isHead := strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "diff ") || strings.HasPrefix(line, "index "); isHead && (i < 2 || i < 4 && strings.HasPrefix(reply, "diff ")) {
				continue
			}
			return nil, false, nil
		}
		if full() && (strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "diff ")) {
			return nil, true, errBeyond // of another file
		}
		hunks[len(hunks)-1].add(line)
	}
	if len(hunks) > 0 && !full() {
		err = errBroken
	}
	return hunks, len(hunks) > 0, err
}

// count reads a number of lines; left out it is one.
func count(text string) int {
	if text == "" {
		return 1
	}
	n, _ := strconv.Atoi(text)
	return n
}

// add adds a line of the diff.
func (h *hunk) add(line string) {
	switch {
	case strings.HasPrefix(line, "-"):
		h.old = append(h.old, line[1:])
	case strings.HasPrefix(line, "+"):
		h.new = append(h.new, line[1:])
	case strings.HasPrefix(line, `\`):
	default:
		line = strings.TrimPrefix(line, " ")
		h.old, h.new = append(h.old, line), append(h.new, line)
	}
}

// applyDiff returns what the hunks make of a text. Each has one place: that which it says, or the only one that it fits.
func applyDiff(text string, hunks []hunk) (string, error) {
	lines := strings.Split(text, "\n")
	var out []string
	done := 0
	for _, h := range hunks {
		if h.line > len(lines) {
			return "", errBeyond
		}
		at := h.line
		if fits := func(i int) bool {
			return i >= done && i+len(h.old) <= len(lines) && slices.Equal(lines[i:i+len(h.old)], h.old)
		}; !fits(at) {
			at = -1
			for i := done; i+len(h.old) <= len(lines) && len(h.old) > 0; i++ {
				if fits(i) && at >= 0 {
					return "", errDoubt
				} else if fits(i) {
					at = i
				}
			}
		}
		if at < 0 {
			return "", errNoMatch
		}
		out, done = append(append(out, lines[done:at]...), h.new...), at+len(h.old)
	}
	return strings.Join(append(out, lines[done:]...), "\n"), nil
}
