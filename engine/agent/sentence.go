package agent

import (
	"strings"
	"time"
	"unicode"
)

// What the sentences of failures are made of.

// Clip returns text as one line of 200 characters that no terminal takes for
// commands.
func Clip(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.C, r)
	}), " ")
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:199]) + "…"
	}
	return strings.TrimSuffix(text, ".")
}

// DurationText prints 10m0s as 10m and 1h0m0s as 1h.
func DurationText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
