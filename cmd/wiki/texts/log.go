package texts

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"vaultdispatcher/engine/api"
)

// ReadableLog is a line of the log for a person: the time here, the level, what
// happened and its particulars.
func ReadableLog(line []byte) string {
	l := LogLine(line)
	if l.Time.IsZero() {
		return l.Text
	}
	return fmt.Sprintf("%s %-5s %s", l.Time.Local().Format(time.DateTime), l.Level, l.Text)
}

// ToldLog is a line of the log as a sentence: the time here, the level, what happened and why, and in brackets who, where and
// the other particulars.
func ToldLog(line []byte) string {
	l := LogLine(line)
	if l.Time.IsZero() {
		return l.Text
	}
	text := fmt.Sprintf("%s %-5s %s", l.Time.Local().Format(time.DateTime), l.Level, l.Said)
	if why := l.Facts["reason"]; why != "" {
		text += ": " + why
	}
	where := l.Facts["role"]
	if note := l.Facts["note"]; note != "" {
		where = strings.TrimPrefix(where+" in "+note, " in ")
	}
	about := []string{where}
	for _, key := range slices.Sorted(maps.Keys(l.Facts)) {
		if !slices.Contains([]string{"role", "note", "reason"}, key) {
			about = append(about, key+" "+l.Facts[key])
		}
	}
	if all := strings.TrimPrefix(strings.Join(about, ", "), ", "); all != "" {
		text += " (" + all + ")"
	}
	return text
}

// LogLine parses a line of the log. A line that is not in the engine's form becomes the text.
func LogLine(line []byte) api.LogLine {
	var record map[string]json.RawMessage
	var begin struct {
		Time  time.Time
		Level string
		Msg   string
	}
	if json.Unmarshal(line, &record) != nil || json.Unmarshal(line, &begin) != nil {
		return api.LogLine{Text: maskControls(string(line))}
	}
	var b strings.Builder
	said := maskControls(begin.Msg)
	b.WriteString(said)
	facts := make(map[string]string)
	for _, key := range slices.Sorted(maps.Keys(record)) {
		if key == "time" || key == "level" || key == "msg" {
			continue
		}
		var value string
		isText := json.Unmarshal(record[key], &value) == nil
		if !isText {
			value = string(record[key])
		}
		facts[maskControls(key)] = maskControls(value)
		if isText && (value == "" || strings.ContainsFunc(value, func(r rune) bool { return r == ' ' || r == '"' || !unicode.IsPrint(r) })) {
			value = strconv.Quote(value)
		}
		fmt.Fprintf(&b, " %s=%s", maskControls(key), value)
	}
	return api.LogLine{Time: begin.Time, Level: maskControls(begin.Level), Text: b.String(), Said: said, Facts: facts}
}

// maskControls keeps what is in a file from steering the terminal.
func maskControls(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\t' {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}
