package times

import (
	"testing"
	"time"
)

// Times that have passed, times to come and lengths of time, in words.
func TestTimes(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.Local)
	for _, tt := range []struct{ got, want string }{
		{Duration(10 * time.Minute), "10m"},
		{Duration(time.Hour), "1h"},
		{Duration(24 * time.Hour), "24h"},
		{Duration(90 * time.Second), "1m30s"},
		{Duration(20 * time.Second), "20s"},
		{Duration(70 * time.Minute), "1h10m"},
		{Span(-time.Second), "0 s"},
		{Span(59*time.Second + 999*time.Millisecond), "59 s"},
		{Span(time.Minute), "1 min 0 s"},
		{Span(61*time.Minute + 5*time.Second), "1 h 1 min"},
		{Span(49 * time.Hour), "2 days"},
		{Age(-time.Second), "0s"},
		{Age(119 * time.Second), "1m"},
		{Age(47 * time.Hour), "47h"},
		{Age(49 * time.Hour), "2d"},
		{Ago(now, now), "just now"},
		{Ago(now.Add(-11*time.Second), now), "11 s ago"},
		{Ago(now.Add(-119*time.Second), now), "1 min ago"},
		{Ago(now.Add(-3*time.Hour), now), "3 h ago"},
		{Ago(now.Add(-25*time.Hour), now), "1 day ago"},
		{Ago(now.Add(-50*time.Hour), now), "2 days ago"},
		{Ago(now.Add(90*time.Minute), now), "in 1 h"},
		{Ago(now.Add(-400*time.Hour), now), now.Add(-400 * time.Hour).Format(time.DateOnly)},
		{Clock(now.Add(time.Hour), now, time.DateOnly), "13:00"},
		{Clock(now.Add(24*time.Hour), now, time.DateOnly), "2026-03-05 12:00"},
		{Clock(now.Add(24*time.Hour), now, "Mon 2 Jan,"), "Thu 5 Mar, 12:00"},
		{Duration(0), "0"},
		{Duration(time.Hour + 5*time.Second), "1h0m5s"},
		{Duration(1500 * time.Millisecond), "1.5s"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, not %q", tt.got, tt.want)
		}
	}
}
