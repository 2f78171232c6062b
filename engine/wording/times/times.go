// Package times says times and lengths of time in words, the same in all rooms.
package times

import (
	"fmt"
	"strings"
	"time"
)

// Duration is a length of time in a sentence, as a person has set it: 24h, not 24h0m0s. Nothing reads it back; the values of
// a configuration are engine/config/yamltext's.
func Duration(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// Span is a length of time as a person says it: 3 min 20 s.
func Span(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d days", int(d.Hours())/24)
}

// Age is a length of time in one unit, for a column of a table: 3m.
func Age(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours())/24)
}

// Ago says when something was or will be, as seen from now; what is a week away has its date.
func Ago(t, now time.Time) string {
	d := now.Sub(t)
	form := "%s ago"
	if d < 0 {
		form, d = "in %s", -d
	}
	switch {
	case d < 10*time.Second:
		return "just now"
	case d < time.Minute:
		return fmt.Sprintf(form, fmt.Sprintf("%d s", int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf(form, fmt.Sprintf("%d min", int(d.Minutes())))
	case d < 24*time.Hour:
		return fmt.Sprintf(form, fmt.Sprintf("%d h", int(d.Hours())))
	case d < 48*time.Hour:
		return fmt.Sprintf(form, "1 day")
	case d < 7*24*time.Hour:
		return fmt.Sprintf(form, fmt.Sprintf("%d days", int(d.Hours())/24))
	}
	return t.Local().Format(time.DateOnly)
}

// Clock is a time to come: its hour where it is today, and with the date of this layout otherwise.
func Clock(t, now time.Time, date string) string {
	t = t.Local()
	if t.Format(time.DateOnly) == now.Local().Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format(date + " 15:04")
}
