package budget

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/testdata/testseed"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// The next day begins at the first moment with its date: also where a clock changes that night, and where there is no midnight.
func TestNextDay(t *testing.T) {
	for _, test := range []struct{ zone, now, next string }{
		{"UTC", "2026-11-28T23:59:59Z", "2026-11-29T00:00:00Z"},
		{"Europe/Berlin", "2026-03-29T00:30:00+01:00", "2026-03-30T00:00:00+02:00"},  // a day of 23 hours
		{"Europe/Berlin", "2026-10-25T01:00:00+02:00", "2026-10-26T00:00:00+01:00"},  // and one of 25
		{"Africa/Cairo", "2026-04-23T12:00:00+02:00", "2026-04-24T01:00:00+03:00"},   // 0:00 is skipped
		{"America/Havana", "2026-10-31T12:00:00-04:00", "2026-11-01T00:00:00-04:00"}, // 0:00 comes twice: the first counts
		{"Australia/Lord_Howe", "2026-04-04T12:00:00+11:00", "2026-04-05T00:00:00+11:00"},
		{"Asia/Kathmandu", "2026-01-31T12:00:00+05:45", "2026-02-01T00:00:00+05:45"},
	} {
		now, _ := time.Parse(time.RFC3339, test.now)
		if got := NextDay(now.In(zone(t, test.zone))).Format(time.RFC3339); got != test.next {
			t.Errorf("%s: after %s comes %s, want %s", test.zone, test.now, got, test.next)
		}
	}
}

// Whatever the zone and the hour: the day has begun and ends later, and is a whole one.
func TestDaysFollowEachOther(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	zones := []*time.Location{time.UTC, zone(t, "Europe/Berlin"), zone(t, "Africa/Cairo"), zone(t, "America/Havana"), zone(t, "Asia/Beirut"), zone(t, "Pacific/Chatham")}
	for range 5000 {
		now := time.Unix(1.6e9+r.Int64N(4e8), 0).In(zones[r.IntN(len(zones))])
		begin, end := BeginOfDay(now), NextDay(now)
		if begin.After(now) || !end.After(now) || !isSameDay(begin, now) || isSameDay(end, now) || !isSameDay(end.Add(-time.Second), now) || isSameDay(begin.Add(-time.Second), now) ||
			!NextDay(begin).Equal(end) {
			t.Fatalf("seed %d: %v is of the day from %v to %v", seed, now, begin, end)
		}
	}
}

// A budget counts its own role, the general one all that cost, and a new day begins with nothing.
func TestLedger(t *testing.T) {
	c := config.Config{Limits: config.Limits{Budget: config.Budget{DollarsPerDay: 5}},
		Agents: map[string]config.Agent{"Editor": {Runner: "claude", Limits: config.Budget{TokensPerDay: 1000}}, "Local": {Runner: "openai", Limits: config.Budget{TokensPerDay: 50}}, "*": {Runner: "claude"}}}
	l, now := New(c), time.Date(2026, 6, 1, 23, 0, 0, 0, time.UTC)
	l.Add("*", true, Use{Dollars: 4, Tokens: 5000}, now)
	l.Add("editor", true, Use{Dollars: 0.5, Tokens: 999}, now)
	l.Add("Local", false, Use{Dollars: 9, Tokens: 49}, now)
	l.Add("Miner", false, Use{Dollars: math.Inf(-1), Tokens: -7}, now)
	for entry, costs := range map[string]bool{"*": true, "Editor": true, "Local": false, "Miner": false} {
		if why := l.Why(entry, costs, now); why != "" {
			t.Errorf("%s waits: %s", entry, why)
		}
	}
	if lines := l.Lines(now); len(lines) != 3 || lines[0].Share() != 0.9 || lines[1].Share() != 0.999 || lines[2].Used.Tokens != 49 {
		t.Errorf("%+v", lines)
	}
	l.Add("Editor", true, Use{Tokens: 1}, now)
	if why := l.Why("EDITOR", true, now); why != "today's budget is used up: 1,000 of 1,000 tokens (wiki.agents.Editor.limits.tokensPerDay)" {
		t.Errorf("%q", why)
	}
	if why := l.Why("*", true, now) + l.Why("Local", false, now); why != "" {
		t.Errorf("others wait: %s", why)
	}
	l.Add("*", true, Use{Dollars: 0.5}, now)
	if why := l.Why("*", true, now); !strings.Contains(why, "$5.00 of $5.00 (wiki.limits.dollarsPerDay)") || l.Why("Local", false, now) != "" {
		t.Errorf("%q", why)
	}
	if why := l.Why("*", true, now.Add(time.Hour)) + l.Why("Editor", true, now.Add(time.Hour)); why != "" {
		t.Errorf("after midnight: %s", why)
	}
}

// Whatever is used in which order: a role waits as soon as its budget is used, and never before.
func TestWaitsWhenUsed(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 500 {
		limit := 1 + r.IntN(1000)
		l := New(config.Config{Limits: config.Limits{Budget: config.Budget{TokensPerDay: limit}}})
		now, used := time.Unix(1.7e9, 0).UTC(), 0
		for range 40 {
			before := now
			now = now.Add(time.Duration(r.IntN(7200)) * time.Second)
			if !isSameDay(before, now) {
				used = 0
			}
			if waits := l.Why("*", true, now) != ""; waits != (used >= limit) {
				t.Fatalf("seed %d, round %d: waits %v after %d of %d", seed, round, waits, used, limit)
			}
			n := r.IntN(200)
			used += n
			l.Add("*", true, Use{Tokens: int64(n)}, now)
		}
	}
}
