package cli

import (
	"strconv"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
)

var oneMarker = note.Group{Role: "Miner", Markers: []note.Marker{{Line: 3, Instruction: "why"}}}

func TestResetTime(t *testing.T) {
	now := time.Date(2026, 11, 21, 14, 0, 0, 0, time.Local)
	utc := now.UTC()
	for text, want := range map[string]time.Time{
		"Claude AI usage limit reached|" + epoch(now.Add(time.Hour)):            now.Add(time.Hour),
		`{"resets_at":` + epoch(now.Add(2*time.Hour)) + `}`:                     now.Add(2 * time.Hour),
		"You've hit your limit · resets 3pm":                                    now.Add(time.Hour),
		"5-hour limit reached ∙ resets 3:30pm":                                  now.Add(90 * time.Minute),
		"limit reached ∙ resets 1pm":                                            now.Add(23 * time.Hour),
		"resets " + utc.Add(time.Hour).Format("3:04pm") + " (UTC)":              now.Add(time.Hour),
		"hit your weekly limit · resets Nov 24, 9am":                            time.Date(2026, 11, 24, 9, 0, 0, 0, time.Local),
		"or try again at Nov 23rd, 2026 3:04 PM.":                               time.Date(2026, 11, 23, 15, 4, 0, 0, time.Local),
		"or try again at 11:05 PM.":                                             time.Date(2026, 11, 21, 23, 5, 0, 0, time.Local),
		"try again in 3 days 4 hours 5 minutes.":                                now.Add(76*time.Hour + 5*time.Minute),
		"Please try again in 1.898s.":                                           now.Add(1898 * time.Millisecond),
		"Please try again in 6m0s.":                                             now.Add(6 * time.Minute),
		"try again in 320ms":                                                    now.Add(320 * time.Millisecond),
		"Your quota will reset after 1h34m56s.":                                 now.Add(time.Hour + 34*time.Minute + 56*time.Second),
		"Please retry in 34.07s.":                                               now.Add(34070 * time.Millisecond),
		`"retryDelay": "34s"`:                                                   now.Add(34 * time.Second),
		"bad (retry-after: 30)":                                                 now.Add(30 * time.Second),
		"slow down":                                                             {},
		"resets soon":                                                           {},
		"resets 3":                                                              {},
		"try again in 400 days":                                                 {},
		"usage limit reached|1000000000":                                        {},
		"try again in 99999999999999999999999999999999999999999999999999 years": {},
		"try again in 999999999999999999999999999999 days":                      {},
		"resets Foo 3, 9am":                                                     {},
	} {
		if got := resetTime(text, now); !got.Equal(want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func epoch(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

// FuzzResetTime holds what is read to what may be believed.
func FuzzResetTime(f *testing.F) {
	for _, text := range []string{"resets 3pm (UTC)", "try again in 3 days 4h", "resets_at: 1999999999", "again at Feb 31, 9am", "resets 99:99pm"} {
		f.Add(text)
	}
	now := time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		if got := resetTime(text, now); !got.IsZero() && (!got.After(now) || got.Sub(now) > farthest) {
			t.Errorf("%q: %v", text, got)
		}
	})
}
