package endings

import (
	"cmp"
	"slices"
	"strconv"
	"testing"
	"time"
)

func TestReadReset(t *testing.T) {
	now := time.Date(2026, 11, 21, 14, 0, 0, 0, time.Local)
	utc := now.UTC()
	for _, c := range []struct {
		program, text string
		want          time.Time
	}{
		{"claude", "Claude AI usage limit reached|" + epoch(now.Add(time.Hour)), now.Add(time.Hour)},
		{"codex", `{"resets_at":` + epoch(now.Add(2*time.Hour)) + `}`, now.Add(2 * time.Hour)},
		{"claude", "You've hit your limit · resets 3pm", now.Add(time.Hour)},
		{"claude", "5-hour limit reached ∙ resets 3:30pm", now.Add(90 * time.Minute)},
		{"claude", "resets " + utc.Add(time.Hour).Format("3:04pm") + " (UTC)", now.Add(time.Hour)},
		{"claude", "hit your weekly limit · resets Nov 24, 9am", time.Date(2026, 11, 24, 9, 0, 0, 0, time.Local)},
		{"codex", "or try again at Nov 23rd, 2026 3:04 PM.", time.Date(2026, 11, 23, 15, 4, 0, 0, time.Local)},
		{"codex", "or try again at 11:05 PM.", time.Date(2026, 11, 21, 23, 5, 0, 0, time.Local)},
		{"codex", "try again in 3 days 4 hours 5 minutes.", now.Add(76*time.Hour + 5*time.Minute)},
		{"pi", "Please try again in 1.898s.", now.Add(1898 * time.Millisecond)},
		{"pi", "Please try again in 6m0s.", now.Add(6 * time.Minute)},
		{"pi", "try again in 320ms", now.Add(320 * time.Millisecond)},
		{"gemini", "Your quota will reset after 1h34m56s.", now.Add(time.Hour + 34*time.Minute + 56*time.Second)},
		{"codex", "Try again in ~90 min.", now.Add(90 * time.Minute)}, // https://github.com/openclaw/openclaw/issues/54433
		{"gemini", "Please retry in 34.07s.", now.Add(34070 * time.Millisecond)},
		{"gemini", `"retryDelay": "34s"`, now.Add(34 * time.Second)},
		{"opencode", "bad (retry-after: 30)", now.Add(30 * time.Second)},
		// An hour that has passed, less than 12 hours ago and with no day, is over:
		// https://github.com/anthropics/claude-code/issues/15064, /11429, /74079, /79136
		{"claude", "limit reached ∙ resets 1pm", now.Add(soon)},
		{"claude", "You've hit your session limit · resets " + utc.Add(-10*time.Minute).Format("3:04pm") + " (UTC)", now.Add(soon)},
		{"claude", "You've hit your limit · resets 2:30am", now.Add(soon)},
		{"claude", "You've hit your limit · resets 1:30am", now.Add(11*time.Hour + 30*time.Minute)},
		{"claude", "Claude AI usage limit reached|" + epoch(now.Add(-10*time.Minute)), now.Add(soon)},
		{"claude", "hit your weekly limit · resets Nov 21, 1pm", now.Add(soon)},
		{"gemini", "Your quota will reset after 0s.", now.Add(soon)},
		// No limit lasts longer than its window.
		{"claude", "You've hit your session limit · resets 11pm", now.Add(5 * time.Hour)},
		{"claude", "5-hour limit reached|" + epoch(now.Add(20*time.Hour)), now.Add(5 * time.Hour)},
		{"claude", "You've hit your limit · resets Dec 24, 9am", now.Add(7 * day)},
		{"codex", "try again in 30 days", now.Add(7 * day)},
		{"gemini", "Your quota will reset after 30h.", now.Add(day)},
		{"copilot", "try again in 20 days", now.Add(20 * day)},
		{"qwen", "daily quota: try again in 3 days", now.Add(day)},
		{"", "try again in 40 days", now.Add(31 * day)},
		// A limit that is said to be of a month lasts one, whoever says it: https://github.com/anomalyco/opencode/issues/44099
		{"opencode", "You have exceeded the monthly usage quota. It will reset at " + now.Add(9*day).In(beijing).Format("2006-01-02 15:04:05 -0700 MST") + ".", now.Add(9 * day)},
		{"claude", "You have exceeded the monthly usage quota. It will reset at " + utc.Add(9*day).Format("2006-01-02 15:04:05 -0700 MST") + ".", now.Add(9 * day)},
		{Server, "Monthly request quota exceeded: try again in 20 days", now.Add(20 * day)},
		{Server, "Monthly request quota exceeded: try again in 40 days", now.Add(31 * day)},
		{"claude", "5-hour limit reached; see your monthly plan: try again in 20 days", now.Add(5 * time.Hour)},
		{Server, "try again in 40 days", now.Add(7 * day)},
		{Server, "on tokens per day (TPD): Limit 1500000. Please try again in 1m9.696s. Visit", now.Add(69696 * time.Millisecond)}, // https://github.com/Pythagora-io/gpt-pilot/pull/608
		{Server, "on requests per day (RPD): try again in 3 days", now.Add(day)},
		// https://github.com/dirge-code/dirge/issues/818, https://github.com/can1357/oh-my-pi/issues/11014, https://github.com/continuedev/continue/issues/11719
		{Server, "已达到 5 小时的使用上限。您的限额将在 " + inBeijing(now.Add(3*time.Hour)) + " 重置。", now.Add(3 * time.Hour)},
		{Server, "Usage limit reached for 5 hour. Your limit will reset at " + inBeijing(now.Add(3*time.Hour)), now.Add(3 * time.Hour)},
		{Server, "Usage limit reached for 5 hour. Your limit will reset at " + inBeijing(now.Add(9*time.Hour)), now.Add(5 * time.Hour)},
		{Server, "You will regain access on " + utc.AddDate(0, 0, 2).Format("2006-01-02 at 15:04 UTC"), now.Add(48 * time.Hour)},
		{Server, "available again at 2026-11-23T15:04:05+02:00", time.Date(2026, 11, 23, 13, 4, 5, 0, time.UTC)},
		{Server, "available again at 2026-02-31T15:04:05Z", time.Time{}},
		{"claude", "slow down", time.Time{}},
		{"claude", "resets soon", time.Time{}},
		{"claude", "resets 3", time.Time{}},
		{"codex", "try again in 400 days", time.Time{}},
		{"claude", "usage limit reached|1000000000", time.Time{}},
		{"codex", "try again in 99999999999999999999999999999999999999999999999999 years", time.Time{}},
		{"codex", "try again in 999999999999999999999999999999 days", time.Time{}},
		{"claude", "resets Foo 3, 9am", time.Time{}},
	} {
		if got := ReadReset(c.program, c.text, now); !got.Equal(c.want) {
			t.Errorf("%s, %q: %v, want %v", c.program, c.text, got, c.want)
		}
	}
	// Around the turn of the year.
	eve := time.Date(2026, 12, 31, 23, 0, 0, 0, time.Local)
	if got := ReadReset("claude", "resets Jan 2, 9am", eve); !got.Equal(time.Date(2027, 1, 2, 9, 0, 0, 0, time.Local)) {
		t.Errorf("%v", got)
	}
	if got := ReadReset("claude", "resets Dec 31, 11pm", eve.Add(2*time.Hour)); !got.Equal(eve.Add(2*time.Hour + soon)) {
		t.Errorf("%v", got)
	}
}

func inBeijing(t time.Time) string { return t.In(beijing).Format(time.DateTime) }

func epoch(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

// FuzzReadReset holds what is read to what may be believed: no program waits longer than its longest window.
func FuzzReadReset(f *testing.F) {
	for _, text := range []string{"resets 3pm (UTC)", "try again in 3 days 4h", "resets_at: 1999999999", "again at Feb 31, 9am", "resets 99:99pm"} {
		f.Add("claude", text)
	}
	now := time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, program, text string) {
		longest := month.length
		if known, ok := programs[program]; ok {
			longest = slices.MaxFunc(known.periods, func(a, b period) int { return cmp.Compare(a.length, b.length) }).length
		}
		if got := ReadReset(program, text, now); !got.IsZero() && (!got.After(now) || got.Sub(now) > longest) {
			t.Errorf("%q: %v", text, got)
		}
	})
}
