package page

import (
	"bytes"
	"strings"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/recall/evidence"
)

// hiddenLines reports of each line whether it is no person's own words.
func (s *scanner) hiddenLines(from *note.Page) []bool {
	if !bytes.Contains(s.p.Source, []byte(note.MarkerStart)) && !evidence.Tag().Match(s.p.Source) {
		return make([]bool, len(s.lines))
	}
	lines, questions := make([]string, len(s.lines)), []evidence.Question(nil)
	for i := range lines {
		lines[i] = s.lineText(i)
	}
	for _, m := range from.Doc().Markers {
		questions = append(questions, evidence.Question{First: m.Line - 1, Last: m.Ends - 1, Asked: m.Asked - 1})
	}
	return evidence.Hidden(lines, questions)
}

// isShown reports whether a line may be indexed and quoted: it asks no agent, it
// marks no response block and is no bookkeeping.
func isShown(line string) bool {
	body := bareLine(line)
	if len(body) >= 7 && strings.EqualFold(body[:7], "@agent-") {
		return false
	}
	return !strings.Contains(body, "<!--") || !evidence.Tag().MatchString(body)
}

// bareLine strips what markdown may put before the text of a line: indentation,
// quote marks, list markers and task boxes.
func bareLine(line string) string {
	for {
		line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		switch {
		case line == "":
			return line
		case line[0] == '>':
			line = line[1:]
		case itemWidth(line) > 0:
			line = line[itemWidth(line):]
		case len(line) > 3 && line[0] == '[' && line[2] == ']' && line[3] == ' ':
			line = line[4:]
		default:
			return line
		}
	}
}
