package agent

import (
	"strings"
	"time"
)

// What the sentences of failures are made of.

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
