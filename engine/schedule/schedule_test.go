package schedule

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"vaultdispatcher/engine/testdata/testseed"
)

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// A question that begins with a whole plan comes again; one whose plan has a problem says so, with the next step, and everything else
// stays a plain question.
func TestParseQuestion(t *testing.T) {
	for text, want := range map[string]string{
		"every Monday 8:00 what is open?":                 "monday 8:00|what is open?",
		"Every monday and Thursday at 18:30: what next":   "monday and thursday at 18:30|what next",
		"every Mon, Wed, Fri 7:05 plan the day":           "mon, wed, fri 7:05|plan the day",
		"every day 8:00 list it":                          "day 8:00|list it",
		"every weekday: what is due?":                     "weekday|what is due?",
		"every 2 hours: what is new?":                     "2 hours|what is new?",
		"every 0 8 * * 1 what is open?":                   "0 8 * * 1|what is open?",
		"every */15 * * * * what is new?":                 "*/15 * * * *|what is new?",
		"every Monday 8:00 keep 4: what is open?":         "monday 8:00 keep 4|what is open?",
		"every 2 hours keep 1: what is new?":              "2 hours keep 1|what is new?",
		"every 0 8 * * 1 keep 12: what is open?":          "0 8 * * 1 keep 12|what is open?",
		"every day 8:30 pm: what?":                        "day 8:30 pm|what?",
		"every Monday at 8:30pm what?":                    "monday at 8:30pm|what?",
		"every day 8:00, 12:00 what?":                     "day 8:00, 12:00|what?",
		"every Mon, Wed 8:00, 12:00 and 6:00 p.m.: what?": "mon, wed 8:00, 12:00 and 6:00 p.m.|what?",
		"every day 8:00 pm keep 2: what?":                 "day 8:00 pm keep 2|what?",
		"every day 8:00, what is new?":                    "day 8:00,|what is new?",
		"every day 8:00 and tell me why":                  "day 8:00|and tell me why",
		"every day 8:00 Tuesday is what?":                 "day 8:00|Tuesday is what?",
		"every day 8:00: 12:00 is when?":                  "day 8:00|12:00 is when?",
		"every day 8:00, 12:30 what?":                     "", // no one line of cron
		"every day 8:00 12:00 what?":                      "",
		"every day 8:00 to 12:00 what?":                   "",
		"every day 13:30 pm: what?":                       "",
		"every Monday 8:00 and Tuesday 9:00 what?":        "",
		"every day 1 8:00 what?":                          "",
		"every Monday 8:00 keep 4 lines of it":            "monday 8:00|keep 4 lines of it",
		"every Monday 8:00 keep it short: what?":          "monday 8:00|keep it short: what?",
		"every Monday 8:00 keep 0: what is open?":         "its answers",
		"every Monday 8:00: keep 0: what is open?":        "monday 8:00|keep 0: what is open?",
		"every Monday 8:00 keep -1: what is open?":        "its answers",
		"every Monday 8:00 keep 9999999999999999999: a?":  "its answers",
		"every 2 hours keep 0: what is new?":              "its answers",
		"every 0 8 * * 1 keep many: what is open?":        "its answers",
		"every Monday 8:00 keep: it short":                "its answers",
		"every Monday 8:00 newest: what?":                 "its answers",
		"every Monday 8:00 newest middle keep 2: what?":   "its answers",
		"every day 8:00 am I late?":                       "am I",
		"every Mon, Wed 8:00 and 9:00 AM i want a list":   "am I",
		"every day 8:00: am I late?":                      "day 8:00|am I late?",
		"every day 8:00 am: I want a list":                "day 8:00 am|I want a list",
		"every day 8:00 a.m. I want a list":               "day 8:00 a.m.|I want a list",
		"every day 8:00am I want a list":                  "day 8:00am|I want a list",
		"every day 8:00 pm I want a list":                 "day 8:00 pm|I want a list",
		"every day 8:00 am what is open?":                 "day 8:00 am|what is open?",
		"every Monday 8:00 newest last: what is open?":    "monday 8:00 newest last|what is open?",
		"every hour keep 2 newest first: what is new?":    "hour keep 2 newest first|what is new?",
		"every day 8:00 Newest Last keep 2: what?":        "day 8:00 newest last keep 2|what?",
		"every day 8:00 newest and oldest: what?":         "day 8:00|newest and oldest: what?",
		"every day 8:00 keep 2 newest: what?":             "its answers",
		"every day 8:00 keep 2 keep 3: what?":             "its answers",
		"every Monday keep 4 what is open?":               "",
		"every team says it is late":                      "",
		"every Monday we meet":                            "",
		"every Monday at home we meet":                    "",
		"every hour counts":                               "",
		"every day: ":                                     "",
		"every 2 minutes: what is new?":                   "more often",
		"every * * * * * what is new?":                    "more often",
		"every 7 hours: what?":                            "", // divides no day
		"every Monday 25:00 what?":                        "",
		"every Monday: Tuesday 8:00 what?":                "monday|Tuesday 8:00 what?",
		"every 1 2 3 4 5 counts":                          "",
		"everyday 8:00 what?":                             "",
		"what happens every Monday 8:00 here?":            "",
		"every 0 0 31 2 * never":                          "no time",
	} {
		p, question, ok := ParseQuestion(text)
		got := ""
		if ok {
			got = p.String() + "|" + question
		}
		if want == "" && p.Problem != "" || got != want && (want == "" || ok || !strings.Contains(p.Problem, want) || !strings.Contains(p.Problem, "; ")) || ok && p.Problem != "" {
			t.Errorf("%q: %q, %q, want %q", text, got, p.Problem, want)
		}
	}
}

// What is wholly a plan is one, and nothing else is.
func TestParse(t *testing.T) {
	for _, text := range []string{"Monday 8:00", "monday and Thursday at 18:30", "Mon, Wed, Fri 7:05", "day 8:00", "weekday", "2 hours", "0 8 * * 1", "*/15 * * * *"} {
		if p, err := Parse(text); err != nil || p.String() != strings.ToLower(text) {
			t.Errorf("%q is %q, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "now and then", "Monday 8:00 and more", "Monday: Tuesday 8:00", "TZ=UTC 0 8 * * 1", "@daily", "1 minute",
		"team says it is late", "Monday we meet", "Monday at home", "hour counts", "2 minutes", "* * * * *", // too often
		"7 hours", // divides no day
		"Monday 25:00", "1 2 3 4 5 counts", "0 0 31 2 *",
	} {
		if p, err := Parse(text); err == nil {
			t.Errorf("%q is %v", text, p)
		}
	}
}

// A time of day is that of the clock on the wall, on the days of both changes too: what a clock skips comes an hour later, what it
// shows twice counts once.
func TestNextOverClockChanges(t *testing.T) {
	zone := berlin(t)
	for _, test := range []struct{ plan, after, want string }{
		{"day 8:00", "2026-03-28T09:00:00+01:00", "2026-03-29T08:00:00+02:00 2026-03-30T08:00:00+02:00"},
		{"day 2:30", "2026-03-28T09:00:00+01:00", "2026-03-29T03:30:00+02:00 2026-03-30T02:30:00+02:00"},
		{"day 2:30", "2026-03-29T03:10:00+02:00", "2026-03-29T03:30:00+02:00 2026-03-30T02:30:00+02:00"},
		{"day 2:45, 3:45", "2026-03-28T09:00:00+01:00", "2026-03-29T03:45:00+02:00 2026-03-30T02:45:00+02:00"},
		{"2 2 * * *", "2026-03-29T01:59:00+01:00", "2026-03-29T03:02:00+02:00"},
		{"*/20 2,3 * * *", "2026-03-29T01:59:00+01:00", "2026-03-29T03:00:00+02:00 2026-03-29T03:20:00+02:00 2026-03-29T03:40:00+02:00 2026-03-30T02:00:00+02:00"},
		{"day 2:30", "2026-10-24T09:00:00+02:00", "2026-10-25T02:30:00+02:00 2026-10-26T02:30:00+01:00"},
		{"day 2:30", "2026-10-25T02:10:00+01:00", "2026-10-26T02:30:00+01:00"},
		{"day 8:30 pm", "2026-10-24T09:00:00+02:00", "2026-10-24T20:30:00+02:00 2026-10-25T20:30:00+01:00"},
		{"day 0:15, 12:15 am and 6:15pm", "2026-06-01T09:00:00+02:00", "2026-06-01T18:15:00+02:00 2026-06-02T00:15:00+02:00"},
		{"day at 8:00, 12:00", "2026-06-01T09:00:00+02:00", "2026-06-01T12:00:00+02:00 2026-06-02T08:00:00+02:00"},
		{"Monday 8:00", "2026-10-24T09:00:00+02:00", "2026-10-26T08:00:00+01:00"},
		{"month 8:00", "2026-01-31T09:00:00+01:00", "2026-02-01T08:00:00+01:00 2026-03-01T08:00:00+01:00 2026-04-01T08:00:00+02:00"},
	} {
		p, err := Parse(test.plan)
		if err != nil {
			t.Fatal(test.plan, err)
		}
		at, _ := time.Parse(time.RFC3339, test.after)
		at = at.In(zone)
		for want := range strings.FieldsSeq(test.want) {
			if at = p.Next(at); at.Format(time.RFC3339) != want {
				t.Errorf("%s after %s: %s, want %s", test.plan, test.after, at.Format(time.RFC3339), want)
			}
		}
	}
}

// Whatever the plan, the zone and the hour: runs go forward, a daily plan has exactly one run on each date, and of what was missed
// only the last one is due.
func TestEachDayHasItsRun(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 60 {
		name := []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"}[r.IntN(4)]
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		clock := time.Date(2026, 1, 1, r.IntN(24), r.IntN(60), 0, 0, time.UTC).Format("15:04")
		p, err := Parse("day " + clock)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Unix(1.7e9+r.Int64N(1e7), 0).In(zone)
		last := begin
		for range 400 {
			next := p.Next(last)
			if gap := next.Sub(last); gap <= 0 || last != begin && (gap < 22*time.Hour || gap > 26*time.Hour) || last != begin && next.YearDay() == last.YearDay() {
				t.Fatalf("seed %d, %s %s: after %v comes %v", seed, name, clock, last, next)
			}
			last = next
		}
		if run, due := p.Due(begin, last.Add(time.Minute)); !due || !run.Equal(last) {
			t.Fatalf("seed %d: due is %v, want %v", seed, run, last)
		}
		if _, due := p.Due(last, last.Add(time.Hour)); due {
			t.Fatalf("seed %d: a run is due twice", seed)
		}
	}
}
